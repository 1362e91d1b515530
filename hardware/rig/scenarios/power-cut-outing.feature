@CARD-10 @DC-6 @NEW-1 @NEW-2 @NEW-5 @ci
Feature: A power cut at any moment loses nothing that was promised
  The plug is pulled while Ada's family keeps changing her places: in the middle of writing, or while the hub starts. It
  comes back each time, with everything that it had said it would keep. Then 2,000 more cuts are played from the record of
  everything that was written to the disk: each keeps what was safe on the disk, and of the rest nothing, parts, or torn
  sectors.

  Scenario: power-cut-outing
    Given the hub is on
    And Ada's family changes places all the time
    When the power fails 10 times at random moments, and comes back
    And the hub is shut down
    Then each time the disk's file system was whole
    And each time nothing promised was lost, damaged or there twice
    And each time the hub knew every place again
    And 2000 power cuts played from the disk's record have lost nothing that was promised by then
