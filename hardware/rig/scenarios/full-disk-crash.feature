@NEW-1 @DC-11 @CARD-8 @NEW-4 @full
Feature: A full disk, a crash and a power cut silence no SOS
  There is not a byte left when Ada holds the button, and then Homeward crashes. It comes back on the same full disk with
  the same alarm, and the room is loud again. The power fails too, Anna takes charge, and Ada's next press reaches her as
  well. When there is room again, everything is stored.

  Scenario: full-disk-crash
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
    When the data disk fills up to the last byte
    And somebody holds the wired button for 3.5 seconds
    Then within 30 seconds an SOS of Ada is open
    And within 60 seconds Anna has a text message of this alarm: "needs help"
    When Homeward crashes
    Then within 30 seconds the alarm is dispatched, and no other is open
    And within 120 seconds "store" is failed
    And within 60 seconds the hub shows a fault of "store": The disk is full
    When the room is listened to from now on
    Then within 60 seconds the SOS ringtone is heard, for 10 seconds or longer
    And within 90 seconds Anna is told of this alarm once more
    When the power is cut
    And the hub is switched on again
    And the data disk fills up to the last byte
    Then within 30 seconds the alarm is dispatched, and no other is open
    And within 120 seconds "plugin/sms-modem" is working
    And within 90 seconds Anna is told of this alarm once more
    And within 60 seconds the hub shows a fault of "store": The disk is full
    When +4791234567 answers "1"
    Then within 60 seconds the alarm is acknowledged, and no other is open
    When somebody holds the wired button for 3.5 seconds
    Then within 90 seconds Anna is told of this alarm once more
    When the data disk has room again
    Then within 60 seconds "store" is working
    And within 60 seconds the hub shows no fault of "store"
    And within 30 seconds the hub reports "alarm.acknowledged" of this alarm
    And it was Anna who did that
    And within 30 seconds the hub reports "alarm.repeated" of this alarm
    And within 30 seconds the alarm is dispatched, and no other is open
