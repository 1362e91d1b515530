@NEW-1 @DC-11 @CARD-8 @NEW-4 @full
Feature: A damaged database silences no SOS and loses no guardian
  The last backup is older than Anna's number when Ada's SOS is open and the database is found to be damaged. The hub sets
  it aside, takes the backup, and knows from the emergency card what came later: the alarm goes on, and Anna takes charge.
  It says what was lost.

  Scenario: damaged-database-boot
    Given a modem on USB
    And the hub is one for alarms
    And the hub's memory card keeps the emergency card
    And the hub is on
    And somebody listens in the room
    And Ada lives at home, a safe zone of 25 m with 50 m beyond its edge
    When a backup of the database is made
    Given Anna, at +4791234567, is a guardian of Ada
    And for Ada the setting resendSeconds is 30
    Then within 120 seconds "plugin/sms-modem" is working
    And within 60 seconds "sound" is working
    When somebody holds the wired button for 3.5 seconds
    Then within 30 seconds the hub has raised an SOS for Ada
    And within 60 seconds Anna has a text message of this alarm: "needs help"
    When the database is damaged
    And Homeward crashes
    Then within 30 seconds the alarm is dispatched, and no other is open
    And within 60 seconds the hub shows a fault of "store": was damaged and set aside
    And within 60 seconds the hub shows a fault of "store": was restored
    When the room is listened to from now on
    Then within 60 seconds the SOS ringtone is heard, for 10 seconds or longer
    And within 90 seconds Anna is told of this alarm once more
    When +4791234567 answers "1"
    Then within 60 seconds the alarm is acknowledged, and no other is open
    # For a minute, and until the disk has it, the next start would tell the loss again: nobody may have heard of it.
    When 100 seconds pass
    And the power is cut
    And the hub is switched on again
    Then within 60 seconds "store" is working
    And within 60 seconds the alarm is acknowledged, and no other is open
    And within 120 seconds "plugin/sms-modem" is working
    When somebody holds the wired button for 3.5 seconds
    Then within 90 seconds Anna is told of this alarm once more
