@DC-4 @DC-13 @NEW-4 @full @here
Feature: A critical medicine that nobody takes becomes an alarm that reaches people
  Ada does not answer. She is reminded again; then Anna is called by text message. When the medicine has been taken after
  all, the alarm is over. Of the flowers, which nobody watered either, Anna only gets a word.

  Scenario: reminder-missed-medicine
    Given a modem on USB
    And the hub is one for alarms
    And the hub is on
    And Ada lives at home, a safe zone of 25 m with 50 m beyond its edge
    And Anna, at +4791234567, is a guardian of Ada
    And for Ada the setting reminderRepeatMinutes is 1
    And for Ada the setting reminderCriticalMinutes is 2
    And for Ada the setting reminderCaregiverMinutes is 2
    And for Ada the setting reminderMissedMinutes is 5
    And for Ada the setting reminderQuietHours is none
    Then within 120 seconds "plugin/sms-modem" is working

    When the routine of Ada gets the critical medicine "Heart tablet", every day, due in 1 minutes
    And the routine of Ada gets the item "Water the flowers", every day, due in 1 minutes
    Then within 120 seconds the hub reminds Ada of "Heart tablet"
    And within 90 seconds the hub reminds Ada of "Heart tablet"
    And within 180 seconds the hub reports "medicine.missed"
    And within 60 seconds Anna has a text message about "MEDICINE"
    When a caregiver says that "Heart tablet" is done
    Then within 20 seconds "Heart tablet" counts as done, by local
    And within 30 seconds no alarm about a person is open
    And within 360 seconds "Water the flowers" counts as missed, by nobody
    And within 30 seconds Anna has a text message about "Water the flowers"
    And within 10 seconds no alarm about a person is open
    And no due time was told twice, nor went on after its end
