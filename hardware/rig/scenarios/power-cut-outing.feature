@CARD-10 @DC-6 @NEW-1 @NEW-2 @NEW-5 @full @long
Feature: A power cut at any moment loses nothing that was promised
  Ada is out walking, and her family keeps changing her places. The plug is pulled: in the middle of writing, or while the
  hub takes up its work again. It comes back each time, with everything that it had said it would keep. Then 2,000 more
  cuts are played from the record of everything that was written to the disk: each keeps what was safe on the disk, and of
  the rest nothing, parts, or torn sectors.

  Scenario: power-cut-outing
    Given the hub is on
    And Ada lives at home, a safe zone of 25 m with 50 m beyond its edge
    And Ada stands at home
    And the GPS receiver is plugged in
    Then within 60 seconds the hub knows that Ada is at home
    When Ada walks to 200 m from home at 20 m/s
    Then within 60 seconds the hub reports "zone.left"
    When Ada's family changes 60 places a second
    And the power fails 10 times at random moments, and comes back
    And the hub is shut down
    Then each time the disk's file system was whole
    And each time nothing promised was lost, damaged or there twice
    And each time the hub knew every place again
    And each time the hub knew since when Ada has been away
    And 2000 power cuts played from the disk's record have lost nothing that was promised by then
