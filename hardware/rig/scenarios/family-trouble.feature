@DC-4 @DC-5 @DC-6 @DC-11 @EG-11 @SB-21 @NEW-1 @stories
Feature: Days on which things break: the broker is away, the disk is full, nobody knows the time, and help comes all the same
  After every sentence all who tell of the household have to tell the same: status, broker, Home Assistant, events, messages.

  Scenario: family-trouble
    Given a broker
    And a modem on USB
    And the hub is one for alarms
    And the hub is on
    And Ada lives at home, a safe zone of 25 m with 50 m beyond its edge
    And Ada stands at home
    And the GPS receiver is plugged in
    And Anna, at +4791234567, is a guardian of Ada
    And Erik, at +4798765432, is a caregiver of Ada
    And the hub tells after 900 seconds that Ada's receiver is silent
    And for Ada the setting reminderQuietHours is none
    Then within 120 seconds "plugin/sms-modem" is working
    And within 180 seconds "speech" is working
    And within 60 seconds "sound" is working
    And within 120 seconds the hub knows that Ada is at home

    # Monday: the broker is away, and the heart tablet is not taken.
    When the routine of Ada gets the critical medicine "Heart tablet", every day at 08:00
    And it becomes Monday 07:30
    And the broker vanishes
    And it becomes Monday 08:00
    Then within 60 seconds the hub reminds Ada of "Heart tablet"
    And within 7200 seconds the hub reports "medicine.missed"
    And within 300 seconds Anna has a text message about "MEDICINE"
    When the broker comes back
    And a caregiver says that "Heart tablet" is done
    Then within 60 seconds "Heart tablet" counts as done, by local
    And within 60 seconds no alarm about a person is open
    And within 600 seconds "plugin/mqtt" is working

    # Tuesday: the disk is full, and an SOS goes out all the same.
    When it becomes Tuesday 08:00
    Then within 60 seconds the hub reminds Ada of "Heart tablet"
    When a caregiver says that "Heart tablet" is done
    And it becomes Tuesday 12:00
    And the data disk fills up to the last byte
    And an SOS is raised for Ada
    Then within 60 seconds Anna has a text message of this alarm: "needs help"
    When the data disk has room again
    And +4791234567 answers "1"
    Then within 120 seconds the hub reports "alarm.acknowledged" of this alarm
    And it was Anna who did that
    When Erik resolves the alarm: "All is well"
    Then within 120 seconds "store" is working
    And no alarm is open

    # Wednesday: the hub wakes without knowing the time, and learns it.
    When it becomes Wednesday 07:00
    And somebody unplugs the GPS receiver
    And the power fails, and the hub wakes in 1970 with nobody to tell it the time
    Then the hub says that it does not know the time, and that nothing scheduled is judged
    When an SOS is raised for Ada
    Then within 60 seconds Anna has a text message of this alarm: "needs help"
    When Erik resolves the alarm: "A mistake"
    Then within 60 seconds Anna has a text message of this alarm: "OVER"
    When network time reaches the hub
    Then within 120 seconds the hub knows the time from synchronised, within 2 s
    When the GPS receiver is plugged in again
    And it becomes Wednesday 08:00
    Then within 60 seconds the hub reminds Ada of "Heart tablet"
    When a caregiver says that "Heart tablet" is done
    Then within 20 seconds "Heart tablet" counts as done, by local
    And "Heart tablet" was taken 3 times and missed 0 times
    And no due time was told twice, nor went on after its end
