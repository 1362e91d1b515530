@DC-4 @DC-5 @DC-6 @DC-11 @PR-2 @PR-3 @SB-6 @NEW-1 @stories
Feature: The first days of a family's week: two people at home, four who help, medicine, a walk, an SOS
  Ada and Bert live together. Anna and Bo have telephones, Erik cares for Ada in the house, Frida stands in reserve. After
  every sentence all who tell of the household have to tell the same: status, broker, Home Assistant, events, messages.

  Scenario: family-days
    Given a broker
    And a modem on USB
    And the hub is one for alarms
    And the hub is on
    And Ada lives at home, a safe zone of 25 m with 50 m beyond its edge
    And Bert lives by the clock of Etc/UTC
    And Ada stands at home
    And the GPS receiver is plugged in
    And Anna, at +4791234567, is a guardian of Ada
    And Erik, at +4798765432, is a caregiver of Ada
    And Frida, at +4790000001, is a guardian in reserve of Ada
    And Bo, at +4790000002, is a guardian of Bert
    And the hub tells after 900 seconds that Ada's receiver is silent
    And for Ada the setting resendSeconds is 60
    And for Ada the setting tierSeconds is 120
    And for Ada the setting reminderQuietHours is none
    And for Bert the setting reminderQuietHours is none
    And the routine of Ada has the critical medicine "Heart tablet", every day at 08:00
    And the routine of Ada has the item "Water the flowers", every day at 10:00
    And the routine of Bert has the medicine "Evening tablet", every day at 20:00
    Then within 120 seconds "plugin/sms-modem" is working
    And within 180 seconds "speech" is working
    And within 60 seconds "sound" is working
    And within 120 seconds the hub knows that Ada is at home

    # Monday: a day as it should be.
    When it becomes Monday 08:00
    Then within 60 seconds the hub reminds Ada of "Heart tablet"
    When a caregiver says that "Heart tablet" is done
    Then within 20 seconds "Heart tablet" counts as done, by local
    When it becomes Monday 10:00
    Then within 60 seconds the hub reminds Ada of "Water the flowers"
    When a caregiver says that "Water the flowers" is done
    And it becomes Monday 20:00
    Then within 60 seconds the hub reminds Bert of "Evening tablet"
    When a caregiver says that "Evening tablet" is done
    Then no alarm is open

    # Tuesday: Ada goes out alone, and comes back.
    When it becomes Tuesday 08:00
    Then within 60 seconds the hub reminds Ada of "Heart tablet"
    When a caregiver says that "Heart tablet" is done
    And it becomes Tuesday 14:00
    And Ada walks to 200 m from home at 1.4 m/s
    Then within 120 seconds the hub reports "zone.left"
    And the hub shows since when Ada has been away
    When Ada walks home at 1.4 m/s
    Then within 120 seconds the hub reports "zone.entered"
    And the hub shows no time away for Ada
    And within 60 seconds no alarm about a person is open

    # Wednesday: an SOS that was none, and one that nobody answers at first.
    When it becomes Wednesday 08:00
    Then within 60 seconds the hub reminds Ada of "Heart tablet"
    When a caregiver says that "Heart tablet" is done
    And it becomes Wednesday 11:00
    And an SOS is raised for Ada
    And Ada cancels the SOS
    Then within 30 seconds the hub reports "alarm.cancelled" of this alarm
    And no alarm is open
    When it becomes Wednesday 15:00
    And an SOS is raised for Ada
    Then within 60 seconds Anna has a text message of this alarm: "needs help"
    And within 60 seconds Erik has a text message of this alarm: "needs help"
    And Frida has no text message of this alarm: "needs help"
    And within 120 seconds Anna is told of this alarm once more
    And within 180 seconds Frida has a text message of this alarm: "needs help"
    When +4790000001 answers "1"
    Then within 60 seconds the hub reports "alarm.acknowledged" of this alarm
    And it was Frida who did that
    And within 60 seconds Anna has a text message of this alarm: "Frida"
    When Erik resolves the alarm: "She had only slipped, I am with her"
    Then within 60 seconds Anna has a text message of this alarm: "OVER"
    And no alarm is open

    # Thursday morning: looking back.
    When it becomes Thursday 07:00
    Then "Heart tablet" was taken 3 times and missed 0 times
    And "Evening tablet" was taken 1 times and missed 2 times
    And Ada was outside of every safe zone 1 time in all
    And no due time was told twice, nor went on after its end
