@NEW-1 @PR-3 @DC-11 @full
Feature: A hub that wakes in 1970 calls for help, and takes the answer
  The hub has no battery for its clock, no network and no sky. Ada holds the button and Anna has her text message. The
  power fails and comes back, and it is 1970 again. Anna answers 1: nobody has told the hub the time, and it needs no time
  to know which alarm she means. She takes charge, and stays in charge when the time is known at last.

  Scenario: sos-in-1970
    Given a modem on USB
    And the hub is one for alarms
    And the hub has no battery for its clock and wakes in 1970
    And Ada lives at home, a safe zone of 25 m with 50 m beyond its edge
    And Anna, at +4791234567, is a guardian of Ada
    And for Ada the setting resendSeconds is 30
    Then the hub's clock shows the year 1970
    And within 120 seconds "plugin/sms-modem" is working
    When somebody holds the wired button for 3.5 seconds
    Then within 30 seconds the hub has raised an SOS for Ada
    And within 60 seconds Anna has a text message of this alarm: "needs help"

    When the power is cut
    And the hub wakes again, in 1970
    Then the hub's clock shows the year 1970
    And within 120 seconds "plugin/sms-modem" is working
    And within 60 seconds the alarm is dispatched, and no other is open
    And within 120 seconds Anna is told of this alarm once more
    When +4791234567 answers "1"
    Then within 60 seconds the hub reports "alarm.acknowledged" of this alarm
    And it was Anna who did that
    And within 30 seconds the alarm is acknowledged, and no other is open
    And the hub has never reported "clock.trusted"
    And for 60 seconds no guardian is told of this alarm again

    When network time reaches the hub
    Then within 10 seconds the hub knows the time from synchronised, within 5 s
    And within 30 seconds the alarm is acknowledged, and no other is open
