@CARD-2 @CARD-4 @ci
Feature: A tag comes near and goes away, and who stands on a threshold does neither
  A signal wavers. What is near stays near until it is clearly weaker, and what has gone is not near again until it is
  clearly stronger. What is not heard any more is away, and both are told.

  Scenario: tag-near-away
    Given a tag "Ada's keys" close by
    And an alarm button "the necklace" in the same room
    And the hub listens through bluetoothd
    And the hub is on
    And Ada lives at home, a safe zone of 25 m with 50 m beyond its edge
    Then within 240 seconds Homeward listens for Bluetooth devices
    When the hub is told that "Ada's keys" is Ada's keys, away after 20 seconds of silence
    And the hub is told that "the necklace" is Ada's thing
    Then within 60 seconds the hub reports that "Ada's keys" is near
    And within 60 seconds the hub knows that the battery of "the necklace" is at 87 %
    When "Ada's keys" is carried to where it is on the threshold
    Then for 45 seconds the hub knows that "Ada's keys" is near
    When "Ada's keys" is carried to where it is in the next room
    Then within 90 seconds the hub knows that "Ada's keys" is in the room
    When "Ada's keys" is carried to where it is on the threshold
    Then for 30 seconds the hub knows that "Ada's keys" is in the room
    When "Ada's keys" is carried to where it is close by
    Then within 60 seconds the hub knows that "Ada's keys" is near
    When "Ada's keys" is carried to where it is out of reach
    Then within 90 seconds the hub reports that "Ada's keys" is away
    And the hub knows that "the necklace" is not away
    When "Ada's keys" is carried to where it is close by
    Then within 60 seconds the hub reports that "Ada's keys" is near
    When "Ada's keys" falls silent
    Then within 90 seconds the hub reports that "Ada's keys" is away
