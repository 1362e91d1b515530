@DC-11 @PR-4 @NEW-1 @full @here
Feature: An SOS can be taken back, and everybody who heard of it hears that too
  Within the first ten seconds nobody has been told, and nobody is. Later it takes Ada's PIN, and each guardian who had
  been called gets her own words. Who cannot remember a PIN needs none: a caregiver ends it.

  Scenario: sos-cancel
    Given a broker
    And a modem on USB
    And the hub is one for alarms
    And the hub is on
    And somebody listens in the room
    And Ada lives at home, a safe zone of 25 m with 50 m beyond its edge
    And Anna, at +4791234567, is a guardian of Ada
    And Erik, at +4798765432, is a caregiver of Ada
    And for Ada the setting profile is protego
    And Ada's PIN is 2468
    Then within 120 seconds "plugin/sms-modem" is working
    And within 60 seconds "sound" is working
    # Whoever has a PIN can end an alarm: that it changed is told, and no alarm.
    And within 60 seconds Anna has a text message: "changed a PIN of Ada"
    And within 60 seconds Erik has a text message: "changed a PIN of Ada"

    When an SOS is raised for Ada
    And Ada cancels the SOS
    Then within 30 seconds the hub reports "alarm.cancelled" of this alarm
    And no alarm is open
    And for 15 seconds no text message leaves the hub
    And the hub has not reported "alarm.dispatched" of this alarm
    And within 30 seconds no alarm sounds any more

    When an SOS is raised for Ada
    Then within 60 seconds Anna has a text message of this alarm: "needs help"
    And within 60 seconds Erik has a text message of this alarm: "needs help"
    When Ada cancels the SOS with the PIN 1111
    Then the hub refuses that, and says how many tries are left
    And within 10 seconds the alarm is dispatched, and no other is open
    When Ada cancels the SOS with the PIN 2468: "I only slipped, all is well"
    Then that looks to her as if it were over
    And within 60 seconds the hub reports "alarm.cancelled" of this alarm
    And within 60 seconds Anna has a text message of this alarm: "I only slipped, all is well"
    And within 60 seconds Erik has a text message of this alarm: "I only slipped, all is well"
    And no alarm is open
    And within 60 seconds no alarm sounds any more
    And within 60 seconds "alarm.cancelled" of this alarm has come to the broker

    Given for Ada the setting profile is dementia
    When an SOS is raised for Ada
    Then within 60 seconds Anna has a text message of this alarm: "needs help"
    When Erik resolves the alarm: "Fell in the bath, unhurt, I am with her"
    Then within 60 seconds the hub reports "alarm.resolved" of this alarm
    And within 60 seconds Anna has a text message of this alarm: "OVER"
    And no alarm is open
    And within 60 seconds no alarm sounds any more
    And for 15 seconds no guardian is told of this alarm again
