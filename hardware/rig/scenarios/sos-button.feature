@CARD-6 @CARD-8 @DC-11 @PR-2 @PR-3 @NEW-1 @NEW-4 @ci
Feature: Who holds the button for three seconds is heard: in the room at once, by the guardians soon
  Ada holds the button. The room is loud before anything is stored or sent, and says what it is about to do. Nobody
  cancels, and after ten seconds each guardian has a text message that is enough to find her by; the broker and the web
  endpoint know. The lamp shows her how far it has come.

  Scenario: sos-button
    Given a broker
    And a web endpoint
    And a modem on USB
    And the hub is one for alarms
    And the hub posts its news to the web endpoint
    And the hub is on
    And somebody listens in the room
    And somebody watches the lamp
    And Ada lives at home, a safe zone of 25 m with 50 m beyond its edge
    And Ada stands at home
    And the GPS receiver is plugged in
    And Anna, at +4791234567, is a guardian of Ada
    And Erik, at +4798765432, is a guardian of Ada
    Then within 120 seconds the hub knows that Ada is at home
    And within 120 seconds "plugin/sms-modem" is working
    And within 180 seconds "speech" is working
    And within 60 seconds "sound" is working

    When messages reach their phones after 8 seconds
    And the room is listened to from now on
    And somebody holds the wired button for 3.5 seconds
    Then within 30 seconds the hub has raised an SOS for Ada
    And within 60 seconds the SOS ringtone is heard, for 10 seconds or longer
    And it began after the button had been held for 3 seconds, and not much later
    And within 60 seconds a voice is heard
    And within 60 seconds Anna has a text message of this alarm: "needs help"
    And it says in one message that it is Ada, the tag, and how to find her at home on a map
    And within 60 seconds Erik has a text message of this alarm: "needs help"
    And it says in one message that it is Ada, the tag, and how to find her at home on a map
    And within 60 seconds the hub reports "alarm.dispatched" of this alarm
    And within 60 seconds "alarm.raised" of this alarm has come to the broker
    And within 60 seconds "alarm.dispatched" of this alarm has come to the broker
    And within 60 seconds "alarm.raised" of this alarm has come to the web endpoint
    And within 60 seconds "alarm.dispatched" of this alarm has come to the web endpoint
    And within 60 seconds the lamp has shown pressed, stored, sent, delivered, in this order
