@NEW-1 @DC-11 @CARD-8 @NEW-4 @full
Feature: A hub that wakes without its disk calls for help all the same
  Ada's SOS is open when the power fails, and when it comes back, the disk is dead. The hub knows from the emergency card
  who she is, whom to call and what is open; Anna takes charge, and a further press reaches her. With a disk that is well
  again, nothing of that is forgotten.

  Scenario: dead-disk-boot
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
    When the power is cut
    And the hub wakes with a data disk that is dead
    Then within 30 seconds the alarm is dispatched, and no other is open
    And within 60 seconds the hub shows a fault of "store": emergency card
    And within 120 seconds "plugin/sms-modem" is working
    And within 90 seconds Anna is told of this alarm once more
    When +4791234567 answers "1"
    Then within 60 seconds the alarm is acknowledged, and no other is open
    When somebody holds the wired button for 3.5 seconds
    Then within 90 seconds Anna is told of this alarm once more
    When the power is cut
    And the hub wakes with a data disk that is well
    Then within 60 seconds "store" is working
    And within 60 seconds the alarm is dispatched, and no other is open
    And within 120 seconds "plugin/sms-modem" is working
    And within 90 seconds Anna is told of this alarm once more
    When +4791234567 answers "1"
    Then within 60 seconds the alarm is acknowledged, and no other is open
    And within 30 seconds the hub reports "alarm.acknowledged" of this alarm
    And it was Anna who did that
