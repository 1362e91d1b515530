@CARD-4 @SB-6 @SB-21 @full
Feature: A tag at home keeps positions that drift from taking anybody out, and hides nobody who goes
  Indoors positions drift. As long as the hub in Ada's pocket hears the tag on the shelf, she is at home, however her
  position drifts, up to 150 m. When the tag falls silent, positions count again. A tag that she carries along is found out.

  Scenario: home-tag-vetoes-gps
    Given a tag "the shelf" in the same room
    And the hub listens through bluetoothd
    And the hub is on
    And Ada lives at home, a safe zone of 25 m with 50 m beyond its edge
    And Ada stands at home
    And the GPS receiver is plugged in
    Then within 240 seconds Homeward listens for Bluetooth devices
    And within 120 seconds the hub knows that Ada is at home
    When the hub is told that "the shelf" is Ada's home tag
    Then within 60 seconds the hub knows that "the shelf" is near
    When Ada's position drifts to 140 m from home at 4 m/s
    And a caregiver asks where Ada is
    Then within 60 seconds the hub records where Ada is, 140 m from home, because somebody asked
    And for 30 seconds the hub does not report "zone.left"
    And within 30 seconds the hub knows that Ada is at home
    When "the shelf" falls silent
    Then within 180 seconds the hub reports "zone.left"
    And the hub explains it with two distances beyond 75 m
    When "the shelf" speaks again
    And Ada's position drifts home at 5 m/s
    Then within 120 seconds the hub reports "zone.entered"
    And within 60 seconds the hub knows that "the shelf" is near
    When Ada walks to 250 m from home at 5 m/s
    Then within 60 seconds the hub reports "zone.left"
    And the hub knows that "the shelf" is not away
    And within 60 seconds the hub reports "tag.doubted"
