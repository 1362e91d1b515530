@CARD-2 @CARD-5 @EG-1 @ci
Feature: A meter that somebody has paired once tells all it has stored, and from then on what is new, by itself
  Somebody types in the code that the meter shows. What it has stored comes into the log with what Ada noted about her
  meals. The next time she measures, the meter wakes, and only what is new is fetched.

  Scenario: meter-bond-and-download
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
    And Homeward has reported each reading of "Ada's meter" once
    And no reading of "Ada's meter" carries a doubt about the clock of the meter
    When "Ada's meter" goes to sleep
    And "Ada's meter" wakes with 3 new readings
    Then within 240 seconds Homeward has the 8 readings of "Ada's meter", each once and as it was measured
    And Homeward has reported each reading of "Ada's meter" once
    And "Ada's meter" was asked only once for the first 4 of its readings
    And no reading of "Ada's meter" carries a doubt about the clock of the meter
    And "Ada's meter" was paired only once
