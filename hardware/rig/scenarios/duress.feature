@PR-4 @DC-11 @NEW-1 @full @here
Feature: Who is forced to call off an SOS looks as if she did, and does not
  Ada has a second PIN. Whoever stands beside her sees and hears the end of the alarm. Her guardians have a silent
  message that she was forced, and go on being called until somebody comes.

  Scenario: duress
    Given a broker
    And a modem on USB
    And the hub is one for alarms
    And the hub is on
    And somebody listens in the room
    And Ada lives at home, a safe zone of 25 m with 50 m beyond its edge
    And Anna, at +4791234567, is a guardian of Ada
    And Bo, at +4798765432, is a guardian in reserve of Ada
    And for Ada the setting profile is protego
    And for Ada the setting resendSeconds is 30
    And for Ada the setting tierSeconds is 60
    And Ada's PIN is 2468
    And Ada's duress PIN is 1357
    Then within 120 seconds "plugin/sms-modem" is working
    And within 60 seconds "sound" is working

    When an SOS is raised for Ada
    Then within 60 seconds Anna has a text message of this alarm: "needs help"
    When Ada cancels the SOS with the PIN 1357
    Then that looks to her as if it were over
    And within 30 seconds no alarm sounds any more
    And within 60 seconds Anna has a text message of this alarm: "DURESS"
    And Anna has no text message of this alarm: "OVER"
    And within 60 seconds "alarm.cancelled" of this alarm has come to the broker
    And "alarm.duress" of this alarm has not come to the broker
    And within 120 seconds Bo has a text message of this alarm: "DURESS"
    And in 20 seconds no alarm sounds
    When +4798765432 answers "1"
    Then within 60 seconds Anna has a text message of this alarm: "Bo takes charge"
    And "alarm.acknowledged" of this alarm has not come to the broker
