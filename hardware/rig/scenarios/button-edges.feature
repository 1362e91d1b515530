@CARD-10 @NEW-5 @full @quick
Feature: The buttons' edges reach the hub with the kernel's own times
  A button on a wire and a big button on USB are pressed. The kernel stamps each edge when it happens, so that a hold of
  three seconds is three seconds however busy the hub is.

  Scenario: button-edges
    Given the hub is on
    And the hub watches its buttons

    When the wired button is pressed for 0.4 seconds, and its contact bounces 3 times each way
    Then within 60 seconds the hub has seen the wired button pressed once
    And the kernel saw its contact bounce, with at most 14 edges
    And by the kernel's clock each press lasted 0.4 seconds

    When the wired button is pressed twice in a row
    Then within 60 seconds the hub has seen the wired button pressed twice
    When the big button is pressed twice in a row
    Then within 60 seconds the hub has seen the big button pressed twice

    When the hub is kept busy
    And the wired button is pressed for 3 seconds
    Then within 60 seconds the hub has seen the wired button pressed once
    And by the kernel's clock each press lasted 3 seconds
    When the big button is pressed for 3 seconds
    Then within 60 seconds the hub has seen the big button pressed once
    And by the kernel's clock each press lasted 3 seconds
    When the hub is no longer kept busy

    When the big button is unplugged
    Then within 60 seconds the hub misses its big button
    When the big button is plugged in again
    Then within 60 seconds the hub finds its big button
    And within 60 seconds the hub watches its big button again
    When the big button is pressed for 0.3 seconds
    Then within 60 seconds the hub has seen the big button pressed once

    When the wired button gets stuck
    Then within 60 seconds the hub sees the wired button held down, and not let go
    When the wired button comes loose
    Then within 60 seconds the hub has seen the wired button pressed once
    And the hub has seen no other press of the wired button
    And the hub has seen no other press of the big button

    When the hub stops watching its wired button
    And the button board is unplugged
    Then within 60 seconds the hub misses its button board
    When the button board is plugged in again
    Then within 60 seconds the hub finds its button board

    When a program on the hub lights the lamp
    Then within 60 seconds the lamp is lit
    When a program on the hub puts the lamp out
    Then within 60 seconds the lamp is dark
