@NEW-1 @DC-11 @CARD-8 @NEW-4 @full
Feature: A disk that only reads silences no SOS
  A worn disk turns itself read-only while Ada's SOS is open, and Homeward crashes. It starts on what it can read, with
  the same alarm. Anna takes charge, the power fails, and the hub wakes on a disk that still takes nothing: Anna is in
  charge, and a further press reaches her. When the disk can be written again, what happened meanwhile is stored.

  Scenario: read-only-boot
    Given a modem on USB
    And the hub is one for alarms
    And the hub's memory card keeps the emergency card
    And the hub is on
    And somebody listens in the room
    And Ada lives at home, a safe zone of 25 m with 50 m beyond its edge
    And Anna, at +4791234567, is a guardian of Ada
    And for Ada the setting resendSeconds is 30
    Then within 120 seconds "plugin/sms-modem" is working
    And within 60 seconds "sound" is working
    When somebody holds the wired button for 3.5 seconds
    Then within 30 seconds the hub has raised an SOS for Ada
    And within 60 seconds Anna has a text message of this alarm: "needs help"
    When the data disk turns read-only
    And Homeward crashes
    Then within 30 seconds the alarm is dispatched, and no other is open
    And within 120 seconds "store" is failed
    And within 60 seconds the hub shows a fault of "store": cannot be written
    When the room is listened to from now on
    Then within 60 seconds the SOS ringtone is heard, for 10 seconds or longer
    And within 90 seconds Anna is told of this alarm once more
    When +4791234567 answers "1"
    Then within 60 seconds the alarm is acknowledged, and no other is open
    When the power is cut
    And the hub wakes with a data disk that only reads
    Then within 60 seconds the alarm is acknowledged, and no other is open
    And within 60 seconds the hub shows a fault of "store": cannot be written
    And within 120 seconds "plugin/sms-modem" is working
    When somebody holds the wired button for 3.5 seconds
    Then within 90 seconds Anna is told of this alarm once more
    When the power is cut
    And the hub wakes with a data disk that is well
    Then within 60 seconds "store" is working
    And within 60 seconds the hub shows no fault of "store"
    And within 60 seconds the alarm is dispatched, and no other is open
    And within 120 seconds "plugin/sms-modem" is working
    And within 90 seconds Anna is told of this alarm once more
    When +4791234567 answers "1"
    Then within 60 seconds the alarm is acknowledged, and no other is open
    And within 30 seconds the hub reports "alarm.acknowledged" of this alarm
    And it was Anna who did that
