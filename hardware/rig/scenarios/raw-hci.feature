@CARD-2 @CARD-4 @full
Feature: A hub without bluetoothd hears its tags just the same
  Some small computers have no bluetoothd, or one that is too old. A small service of the hub's own listens instead.

  Scenario: raw-hci
    Given a tag "Ada's keys" close by
    And a tag that tells its battery, "the walking stick", in the same room
    And the hub listens past bluetoothd
    And the hub is on
    And Ada lives at home, a safe zone of 25 m with 50 m beyond its edge
    When bluetoothd is stopped
    And the hub's own radio service is started
    Then within 240 seconds Homeward listens for Bluetooth devices
    When the hub is told that "Ada's keys" is Ada's keys, away after 20 seconds of silence
    And the hub is told that "the walking stick" is Ada's thing
    Then within 60 seconds the hub reports that "Ada's keys" is near
    And within 60 seconds the hub knows that "the walking stick" is near
    When "Ada's keys" is carried to where it is in the next room
    Then within 90 seconds the hub knows that "Ada's keys" is in the room
    When "Ada's keys" is carried to where it is out of reach
    Then within 90 seconds the hub reports that "Ada's keys" is away
    And the hub knows that "the walking stick" is not away
    When "Ada's keys" is carried to where it is close by
    Then within 60 seconds the hub reports that "Ada's keys" is near
    When the hub's own radio service is restarted
    Then within 120 seconds Homeward has heard "Ada's keys" since
    And within 60 seconds the hub knows that "Ada's keys" is near
