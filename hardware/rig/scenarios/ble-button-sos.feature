@CARD-2 @CARD-6 @PR-3 @NEW-1 @full
Feature: A long press of the necklace calls for help, once, however often it is heard
  The necklace sends each press many times, so that one of them arrives. A short press is no SOS; a long one is one, and
  only one. Afterwards the next long press is another.

  Scenario: ble-button-sos
    Given an alarm button "the necklace" in the same room
    And the hub listens through bluetoothd
    And the hub has "the necklace" for a button
    And the hub is on
    And Ada lives at home, a safe zone of 25 m with 50 m beyond its edge
    And Erik, at +4798765432, is a caregiver of Ada
    Then within 240 seconds Homeward listens for Bluetooth devices
    When "the necklace" is pressed
    And 20 seconds pass
    Then the hub has never reported "alarm.raised"
    When "the necklace" is held down
    Then within 60 seconds the hub has raised an SOS for Ada
    And within 60 seconds the alarm is dispatched, and no other is open
    And the hub has not reported "alarm.repeated" of this alarm
    When Erik resolves the alarm: "She dropped her glasses, all is well"
    Then within 60 seconds the hub reports "alarm.resolved" of this alarm
    And no alarm is open
    When "the necklace" is held down
    Then within 60 seconds the hub has raised an SOS for Ada
    And within 60 seconds the alarm is dispatched, and no other is open
    And the hub has not reported "alarm.repeated" of this alarm
