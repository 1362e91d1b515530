@CARD-5 @EG-1 @EG-11 @full
Feature: A meter whose clock is wrong is believed about levels, and not about times
  Its clock is half an hour ahead, as after a change of batteries. Each reading is there, marked: its time may be wrong.

  Scenario: meter-wrong-clock
    Given a glucose meter "Ada's meter" close by
    And the clock of "Ada's meter" is 30 minutes ahead
    And "Ada's meter" has measured 5 times
    And the hub listens through bluetoothd
    And the hub is on
    And Ada lives at home, a safe zone of 25 m with 50 m beyond its edge
    Then within 240 seconds Homeward listens for Bluetooth devices
    When "Ada's meter" is put into pairing mode
    And somebody pairs "Ada's meter" with Homeward for Ada, typing in the code that it shows
    Then within 60 seconds Homeward and "Ada's meter" know each other
    And within 240 seconds Homeward has the 5 readings of "Ada's meter", each once and as it was measured
    And each reading of "Ada's meter" carries a doubt about the clock of the meter
    And Homeward has told in "glucose.recorded" that the times of "Ada's meter" may be wrong
    And within 60 seconds Homeward says that the clock of "Ada's meter" is 30 minutes ahead
    When "Ada's meter" goes to sleep
    And "Ada's meter" wakes with 2 new readings
    Then within 240 seconds Homeward has the 7 readings of "Ada's meter", each once and as it was measured
    And each reading of "Ada's meter" carries a doubt about the clock of the meter
    And Homeward has reported each reading of "Ada's meter" once
