@CARD-10 @NEW-5 @full
Feature: The hub hears tags, an alarm button and a glucose meter, and gets over trouble with its Bluetooth adapter
  What lies around the hub is heard as strongly as it is near: through BlueZ, as Homeward will hear it, and past BlueZ, to
  see that nothing is made up. A press of the button is sent many times and counts once. The adapter fails and is reset, is
  pulled out and plugged in again, and everything is heard again.

  Scenario: bluetooth-present
    Given a tag "Ada's keys" close by
    And a tag that tells its battery, "the walking stick", in the next room
    And an alarm button "the necklace" in the same room
    And a glucose meter "Ada's meter" close by
    And "Ada's meter" is awake
    And the hub is on
    Then within 180 seconds the hub has a Bluetooth adapter
    When the hub listens past BlueZ for 3 seconds
    Then past BlueZ the hub heard "Ada's keys" close by
    And past BlueZ the hub heard "the walking stick" in the next room
    And past BlueZ the hub heard "Ada's meter" close by
    When the hub listens for Bluetooth devices
    Then within 60 seconds the hub hears "Ada's keys" close by
    And within 60 seconds the hub hears "the walking stick" in the next room
    And within 60 seconds the hub hears that "Ada's meter" is a glucose meter
    When "the necklace" is pressed
    Then within 60 seconds the hub hears one press of "the necklace"
    And for 4 seconds the hub hears no other press of "the necklace"
    When the Bluetooth adapter fails and is reset
    Then within 60 seconds the hub has a Bluetooth adapter
    When the hub listens for Bluetooth devices
    Then within 60 seconds the hub hears "Ada's keys" close by
    When the Bluetooth adapter is unplugged
    Then within 60 seconds the hub has no Bluetooth adapter
    When the Bluetooth adapter is plugged in again
    Then within 120 seconds the hub has a Bluetooth adapter
    When the hub listens for Bluetooth devices
    Then within 60 seconds the hub hears "the walking stick" in the next room
