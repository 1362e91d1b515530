@CARD-10 @NEW-5 @full
Feature: The glucose meter tells the hub its readings, each once, across broken links and power cuts
  A meter that does not know the hub tells it nothing. Paired by the code on its display, it tells all that it has stored.
  Its clock is wrong, and the hub knows by how much. Then it wakes with three new readings and the link breaks in the
  middle: the rest is asked for, and nothing comes twice. After a power cut the hub and the meter still know each other.

  Scenario: meter-readings
    Given a glucose meter "Ada's meter" close by
    And the clock of "Ada's meter" is 90 minutes ahead
    And "Ada's meter" has measured 5 times
    And "Ada's meter" is awake
    And the hub is on
    Then within 180 seconds the hub has a Bluetooth adapter
    When the hub fetches the readings of "Ada's meter"
    Then the hub was refused by "Ada's meter"
    When "Ada's meter" is put into pairing mode
    And the hub pairs with "Ada's meter", whose code somebody types in
    Then the hub and "Ada's meter" know each other
    When the hub fetches the readings of "Ada's meter"
    Then the hub has all of the 5 readings of "Ada's meter", each once and as it was measured
    And the hub knows that the clock of "Ada's meter" is 90 minutes ahead
    When "Ada's meter" wakes with 3 new readings
    And the hub fetches the readings of "Ada's meter", and the link breaks after 2 of them
    Then the hub has only a part of the 8 readings of "Ada's meter", each once and as it was measured
    When the hub fetches the readings of "Ada's meter"
    Then the hub has all of the 8 readings of "Ada's meter", each once and as it was measured
    And "Ada's meter" was asked only for what the hub lacked
    When the power is cut
    And the hub is switched on again
    Then within 180 seconds the hub has a Bluetooth adapter
    When "Ada's meter" wakes with 1 new reading
    And the hub fetches the readings of "Ada's meter"
    Then the hub has all of the 9 readings of "Ada's meter", each once and as it was measured
    And "Ada's meter" was paired only once
