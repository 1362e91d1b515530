@CARD-5 @EG-1 @full
Feature: A link that breaks while a meter tells its readings loses none, and none comes twice
  Ada puts the meter into her bag in the middle of it. What had come by then stays, the rest comes as soon as the meter is
  near again, and nobody sees a reading twice.

  Scenario: meter-mid-drop
    Given a glucose meter "Ada's meter" close by
    And "Ada's meter" has measured 5 times
    And the hub listens through bluetoothd
    And the hub is on
    And Ada lives at home, a safe zone of 25 m with 50 m beyond its edge
    Then within 240 seconds Homeward listens for Bluetooth devices
    When "Ada's meter" is put into pairing mode
    And somebody pairs "Ada's meter" with Homeward for Ada, typing in the code that it shows
    Then within 60 seconds Homeward and "Ada's meter" know each other
    And within 240 seconds Homeward has the 5 readings of "Ada's meter", each once and as it was measured
    When "Ada's meter" goes to sleep
    And the link to "Ada's meter" is going to break after 4 readings
    And "Ada's meter" wakes with 8 new readings
    Then within 240 seconds the link to "Ada's meter" has broken once
    And within 400 seconds Homeward has the 13 readings of "Ada's meter", each once and as it was measured
    And Homeward has reported each reading of "Ada's meter" once
    And "Ada's meter" was asked only once for the first 4 of its readings
    And no reading of "Ada's meter" carries a doubt about the clock of the meter
    And "Ada's meter" was paired only once
