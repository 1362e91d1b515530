@CARD-3 @SB-6 @full
Feature: A receiver that speaks UBX serves as well as one that speaks NMEA
  gpsd finds out that the receiver is of the u-blox kind and switches it to its binary language, which states its error.

  Scenario: walk-home-ubx
    Given the hub is on
    And Ada lives at home, a safe zone of 25 m with 50 m beyond its edge
    And Ada stands at home
    And the GPS receiver is one that speaks UBX
    And the GPS receiver is plugged in
    Then within 120 seconds gpsd and the GPS receiver have agreed on UBX
    And within 60 seconds the hub knows that Ada is at home
    When Ada walks to 100 m from home at 4 m/s
    Then within 60 seconds the hub reports "zone.left"
    And the hub explains it with two distances beyond 75 m
    When the GPS receiver sees no sky
    Then within 30 seconds the hub says what is wrong with the GPS receiver: "It needs a view of the sky"
    When the GPS receiver sees the sky again
    And Ada walks home at 5 m/s
    Then within 60 seconds the hub reports "zone.entered"
