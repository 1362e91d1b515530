@CARD-3 @SB-6 @SB-8 @SB-9 @SB-16 @DC-14 @full @here
Feature: Who leaves home is noticed, and who only takes out the bins is not
  Ada's home is a zone of 25 m. She counts as gone when she is 50 m beyond its edge, and her receiver's error on top.

  Scenario: walk-home
    Given the hub is on
    And Ada lives at home, a safe zone of 25 m with 50 m beyond its edge
    And Ada stands at home
    And the GPS receiver is plugged in
    Then within 120 seconds the hub knows that Ada is at home
    And within 60 seconds the hub reports "location.recorded"
    When Ada walks to 58 m from home at 4 m/s
    Then for 12 seconds the hub does not report "zone.left"
    When Ada walks to 100 m from home at 4 m/s
    Then within 60 seconds the hub reports "zone.left"
    And the hub explains it with two distances beyond 75 m
    And the hub shows since when Ada has been away
    When a caregiver asks where Ada is
    Then within 60 seconds the hub records where Ada is, 100 m from home, because somebody asked
    When Ada walks home at 5 m/s
    Then within 60 seconds the hub reports "zone.entered"
    And Ada has been away for 5 to 150 seconds when that is reported
    And the hub shows no time away for Ada
