@CARD-10 @NEW-5 @full
Feature: A press is a press on any hub
  What a finger and a relay can do alike: this story needs no emulator, and is the one for a real hub's buttons.

  Scenario: button-pressed
    Given the hub is on
    And the hub watches its buttons
    When the wired button is pressed twice in a row
    Then within 30 seconds the hub has seen the wired button pressed twice
    When the wired button is pressed for 3 seconds
    Then within 30 seconds the hub has seen the wired button pressed once
    And by the kernel's clock each press lasted 3 seconds
    When the wired button gets stuck
    Then within 30 seconds the hub sees the wired button held down, and not let go
    When the wired button comes loose
    Then within 30 seconds the hub has seen the wired button pressed once
    When the big button is pressed for 3 seconds
    Then within 30 seconds the hub has seen the big button pressed once
    And by the kernel's clock each press lasted 3 seconds
    And the hub has seen no other press of the wired button
