@CARD-5 @EG-1 @EG-11 @NEW-2 @full
Feature: A power cut while a meter tells its readings loses none, and none comes twice
  The power fails in the middle of a transfer, and another time with the last reading hardly told. Each time the hub comes
  back, hears the meter, knows it still, and has every reading once.

  Scenario: meter-power-cut
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
    And "Ada's meter" takes 1 s for each reading that it tells
    And "Ada's meter" wakes with 8 new readings
    And "Ada's meter" has just told its reading 9
    And the power is cut
    And the hub is switched on again
    And "Ada's meter" wakes
    Then within 480 seconds Homeward has the 13 readings of "Ada's meter", each once and as it was measured
    And Homeward has reported each reading of "Ada's meter" once
    When "Ada's meter" goes to sleep
    And "Ada's meter" takes 0.02 s for each reading that it tells
    And "Ada's meter" wakes with 4 new readings
    And "Ada's meter" has just told its reading 17
    And the power is cut
    And the hub is switched on again
    And "Ada's meter" wakes
    Then within 480 seconds Homeward has the 17 readings of "Ada's meter", each once and as it was measured
    And Homeward has reported each reading of "Ada's meter" once
    And within 60 seconds Homeward and "Ada's meter" know each other
    And "Ada's meter" was paired only once
