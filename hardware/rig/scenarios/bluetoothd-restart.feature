@CARD-2 @CARD-4 @CARD-5 @full
Feature: When bluetoothd ends, the hub says so, and goes on by itself as soon as it is back
  An update restarts bluetoothd. Nobody has to pair anything again: tags are heard, and the meter is known and fetched from.

  Scenario: bluetoothd-restart
    Given a glucose meter "Ada's meter" close by
    And "Ada's meter" has measured 5 times
    And a tag "Ada's keys" close by
    And the hub listens through bluetoothd
    And the hub is on
    And Ada lives at home, a safe zone of 25 m with 50 m beyond its edge
    Then within 240 seconds Homeward listens for Bluetooth devices
    When "Ada's meter" is put into pairing mode
    And somebody pairs "Ada's meter" with Homeward for Ada, typing in the code that it shows
    Then within 60 seconds Homeward and "Ada's meter" know each other
    And within 240 seconds Homeward has the 5 readings of "Ada's meter", each once and as it was measured
    When "Ada's meter" goes to sleep
    And the hub is told that "Ada's keys" is Ada's keys
    Then within 60 seconds the hub knows that "Ada's keys" is near
    When bluetoothd is stopped
    Then within 60 seconds Homeward says that it cannot listen for Bluetooth devices
    When bluetoothd is started again
    Then within 180 seconds Homeward listens for Bluetooth devices
    And within 60 seconds Homeward has heard "Ada's keys" since
    When bluetoothd is restarted
    Then within 180 seconds Homeward has heard "Ada's keys" since
    And within 180 seconds Homeward listens for Bluetooth devices
    And within 60 seconds the hub knows that "Ada's keys" is near
    And within 60 seconds Homeward and "Ada's meter" know each other
    When "Ada's meter" wakes with 3 new readings
    Then within 240 seconds Homeward has the 8 readings of "Ada's meter", each once and as it was measured
    And Homeward has reported each reading of "Ada's meter" once
    And "Ada's meter" was paired only once
