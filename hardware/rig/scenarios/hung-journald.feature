@CARD-8 @DC-11 @NEW-1 @NEW-4 @full
Feature: A journal that hangs silences no SOS
  The journal stops taking lines, as on a card that does not answer, while there is much to say. Ada holds the button:
  the room is loud and Anna has her text message as fast as ever. Afterwards the log says how many lines it lacks.

  Scenario: hung-journald
    Given a broker
    And a modem on USB
    And a plugin that fills the log from the first message that somebody writes
    And the hub is one for alarms
    And the hub is on
    And somebody listens in the room
    And Ada lives at home, a safe zone of 25 m with 50 m beyond its edge
    And Anna, at +4791234567, is a guardian of Ada
    Then within 120 seconds "plugin/sms-modem" is working
    And within 60 seconds "plugin/chatter" is working
    And within 60 seconds "plugin/mqtt" is working
    And within 60 seconds "sound" is working

    When the journal hangs
    And Ada writes to the caregivers: "The bread is in the oven"
    Then within 400 seconds nobody takes Homeward's log any more
    When the room is listened to from now on
    And somebody holds the wired button for 3.5 seconds
    Then within 30 seconds the hub has raised an SOS for Ada
    And within 60 seconds the SOS ringtone is heard, for 10 seconds or longer
    And it began after the button had been held for 3 seconds, and not much later
    And within 60 seconds Anna has a text message of this alarm: "needs help"
    And within 60 seconds "alarm.dispatched" of this alarm has come to the broker
    And the hub says of "log": Nobody takes the log

    When the journal goes on
    Then within 180 seconds Homeward's log says: lines were dropped
    And within 60 seconds "log" is working
