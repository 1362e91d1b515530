@PR-5 @CARD-6 @CARD-8 @full
Feature: A telephone call that only seems to come in, to get out of an unpleasant company
  Two presses, and the telephone rings as telephones do in the country. A press answers, a voice is heard, a press hangs
  up. Nobody is told anything. When Ada holds the button while it rings, it is a real SOS.

  Scenario: fake-call
    Given a modem on USB
    And the hub is one for alarms
    And the hub is on
    And somebody listens in the room
    And Ada lives at home, a safe zone of 25 m with 50 m beyond its edge
    And Anna, at +4791234567, is a guardian of Ada
    And for Ada the setting fakeCallCountry is GB
    Then within 120 seconds "plugin/sms-modem" is working
    And within 180 seconds "speech" is working
    And within 60 seconds "sound" is working

    When the room is listened to from now on
    And the wired button is clicked twice
    Then within 60 seconds the telephone rings as in Great Britain
    When the wired button is clicked once
    And 3 seconds pass
    And the room is listened to from now on
    Then within 60 seconds a voice is heard
    When the wired button is clicked once
    Then within 60 seconds it is silent in the room
    And no text message has left the hub
    And the hub has never reported "alarm.raised"

    When the wired button is clicked twice
    Then within 60 seconds the telephone rings as in Great Britain
    When the room is listened to from now on
    And somebody holds the wired button for 3.5 seconds
    Then within 30 seconds the hub has raised an SOS for Ada
    And within 60 seconds the SOS ringtone is heard, for 9 seconds or longer
    And within 60 seconds Anna has a text message of this alarm: "needs help"
