@CARD-4 @CARD-10 @full
Feature: Who goes out without the wallet is noticed, while it can still be brought
  The hub goes along in Ada's pocket and hears what else does. A minute after she has left it says what it does not hear.
  With everything along it says nothing.

  Scenario: left-without-wallet
    Given a tag "Ada's wallet" close by
    And a tag "Ada's keys" close by
    And the hub listens through bluetoothd
    And the hub is on
    And Ada lives at home, a safe zone of 25 m with 50 m beyond its edge
    And Ada stands at home
    And the GPS receiver is plugged in
    Then within 240 seconds Homeward listens for Bluetooth devices
    And within 120 seconds the hub knows that Ada is at home
    When the hub is told that "Ada's wallet" is Ada's wallet, away after 20 seconds of silence
    And the hub is told that "Ada's keys" is Ada's keys
    Then within 60 seconds the hub knows that "Ada's wallet" is near
    And within 60 seconds the hub knows that "Ada's keys" is near
    When "Ada's wallet" is left behind, out of reach
    And Ada walks to 120 m from home at 4 m/s
    Then within 60 seconds the hub reports "zone.left"
    And within 180 seconds the hub reports that Ada went out without "Ada's wallet"
    And the hub knows that "Ada's keys" is not away
    And the hub has never reported that Ada went out without "Ada's keys"
    When Ada walks home at 5 m/s
    Then within 60 seconds the hub reports "zone.entered"
    And within 60 seconds the hub reports "left.without-over"
    When "Ada's wallet" is carried to where it is close by
    Then within 60 seconds the hub knows that "Ada's wallet" is near
    When Ada walks to 120 m from home at 4 m/s
    Then within 60 seconds the hub reports "zone.left"
    And for 90 seconds the hub does not report "left.without"
    And within 30 seconds the hub knows that Ada is away from home
