@DC-11 @NEW-1 @PR-3 @full
Feature: Help on her page is the same call for help as that of the button
  Ada holds the button: the room is loud, Anna and Erik are told. When that is over she presses Help on the screen in her
  kitchen instead, and does nothing more. It counts down and sends by itself, and everything is as it was with the button:
  what the hub writes down, what Anna and Erik read, what the broker hears, and what the screen shows.

  Scenario: resident-presses-help
    Given a broker
    And a modem on USB
    And the hub is one for alarms
    And the hub has pages for families
    And the hub is on
    And somebody listens in the room
    And Ada lives at home, a safe zone of 25 m with 50 m beyond its edge
    And Anna, at +4791234567, is a caregiver of Ada
    And Erik, at +4798765432, is a guardian of Ada
    Then within 120 seconds "plugin/sms-modem" is working
    And within 180 seconds "speech" is working
    And within 60 seconds "sound" is working
    And within 60 seconds "plugin/console" is working
    When Ada's screen is let in by a code
    Then within 60 seconds Ada's screen says: Take me home

    When the room is listened to from now on
    And somebody holds the wired button for 3.5 seconds
    Then within 30 seconds the hub has raised an SOS for Ada
    And within 30 seconds Ada's screen says: I call for help
    And within 60 seconds the SOS ringtone is heard, for 10 seconds or longer
    And within 60 seconds the hub reports "alarm.dispatched" of this alarm
    And within 60 seconds Anna has a text message of this alarm: "needs help"
    And within 60 seconds Erik has a text message of this alarm: "needs help"
    And within 30 seconds Ada's screen says: Help has been called
    When what came of this alarm is noted, to its last receipt
    And Anna resolves the alarm: "She is well"
    Then within 60 seconds no alarm sounds any more

    When the room is listened to from now on
    And Ada presses "Help" on the screen
    Then within 30 seconds the hub has raised an SOS for Ada
    And within 30 seconds Ada's screen says: I call for help
    And within 60 seconds the SOS ringtone is heard, for 10 seconds or longer
    And within 60 seconds the hub reports "alarm.dispatched" of this alarm
    And within 60 seconds Anna has a text message of this alarm: "needs help"
    And within 60 seconds Erik has a text message of this alarm: "needs help"
    And within 30 seconds Ada's screen says: Help has been called
    And within 60 seconds as much has come of this alarm as of the one that was noted, and nothing else
