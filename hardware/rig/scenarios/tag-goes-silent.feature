@CARD-10 @NEW-5 @full
Feature: The hub notices when a tag is carried away, comes back and falls silent
  Nearness is near, far or gone, never metres: a tag that is heard weakly for a while is as good as gone, and one whose
  battery is empty is gone.

  Scenario: tag-goes-silent
    Given a tag "Ada's keys" close by
    And a tag "the television" in the same room
    And the hub is on
    Then within 180 seconds the hub has a Bluetooth adapter
    When the hub watches for "Ada's keys"
    And the hub listens for Bluetooth devices
    Then within 60 seconds the hub notices that "Ada's keys" is near
    And within 60 seconds the hub hears "Ada's keys" close by
    When "Ada's keys" is carried to where it is in the next room
    Then within 60 seconds the hub hears "Ada's keys" in the next room
    When "Ada's keys" is carried to where it is at the edge of hearing
    Then within 60 seconds the hub hears "Ada's keys" at the edge of hearing
    And within 60 seconds the hub notices that "Ada's keys" is gone
    When "Ada's keys" is carried to where it is close by
    Then within 60 seconds the hub notices that "Ada's keys" is near
    When "Ada's keys" falls silent
    Then within 60 seconds the hub notices that "Ada's keys" is gone
    And within 60 seconds the hub has heard nothing of "Ada's keys" for 5 seconds
