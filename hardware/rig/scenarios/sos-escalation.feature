@PR-2 @PR-3 @DC-11 @NEW-1 @ci @here
Feature: When nobody answers, more are called, until somebody says that they are coming
  Anna does not answer; Ada presses the button, which only silences the room. Anna is told again; then Bo, who stands in
  reserve, is called as well. A stranger's answer means nothing. Bo answers 1: nobody is called any more, Anna may stand
  back, and the room hears who is coming.

  Scenario: sos-escalation
    Given a broker
    And a modem on USB
    And the hub is one for alarms
    And the hub is on
    And somebody listens in the room
    And Ada lives at home, a safe zone of 25 m with 50 m beyond its edge
    And Anna, at +4791234567, is a guardian of Ada
    And Bo, at +4798765432, is a guardian in reserve of Ada
    And for Ada the setting resendSeconds is 30
    And for Ada the setting tierSeconds is 60
    Then within 120 seconds "plugin/sms-modem" is working
    And within 180 seconds "speech" is working

    When an SOS is raised for Ada
    Then within 60 seconds Anna has a text message of this alarm: "needs help"
    And Bo has no text message of this alarm: "needs help"
    When the wired button is clicked once
    Then within 30 seconds the hub reports "alarm.silenced" of this alarm
    And within 10 seconds the alarm is dispatched, and no other is open
    And within 90 seconds Anna is told of this alarm once more
    And within 120 seconds Bo has a text message of this alarm: "needs help"
    And Anna was told before Bo
    And within 30 seconds "alarm.escalated" of this alarm has come to the broker
    When +4790000000 answers "1"
    And 10 seconds pass
    Then within 10 seconds the alarm is dispatched, and no other is open
    When the room is listened to from now on
    And +4798765432 answers "1"
    Then within 60 seconds the hub reports "alarm.acknowledged" of this alarm
    And it was Bo who did that
    And within 30 seconds the alarm is acknowledged, and no other is open
    And within 60 seconds Anna has a text message of this alarm: "Bo"
    And within 60 seconds a voice is heard
    And within 60 seconds no alarm sounds any more
    And for 45 seconds no guardian is told of this alarm again
