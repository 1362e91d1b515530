@CARD-3 @SB-6 @SB-21 @full
Feature: A receiver in trouble is a fault, and never an exit
  Ada sits at home while everything happens to her receiver that happens to receivers. Somebody is told what is wrong and
  what to do, and when it is well again; nobody is told that she left. At the end she leaves, and that is told.

  Scenario: receiver-trouble
    Given the hub is on
    And Ada lives at home, a safe zone of 25 m with 50 m beyond its edge
    And the hub tells after 10 seconds that Ada's receiver does not know where it is
    And the hub tells after 15 seconds that Ada's receiver is silent
    And Ada stands at home
    And the GPS receiver is plugged in
    Then within 120 seconds the hub knows that Ada is at home

    When the GPS receiver sees no sky
    Then within 30 seconds the hub says what is wrong with the GPS receiver: "It needs a view of the sky"
    And within 60 seconds the hub reports the fault "give it a view of the sky"
    When the GPS receiver sees the sky again
    Then within 30 seconds the hub reports that the fault "has a position again" is over

    When the GPS receiver tells one lie of 3000 m
    Then within 30 seconds the hub refuses a position because "nobody moves there and away again as fast as that"

    When noise on the line makes 600 meaningless bytes
    And the GPS receiver's week counter is 1024 weeks off
    Then within 60 seconds the hub reports the fault "its week counter ran over"
    And the hub's positions of Ada still carry the right time
    When the GPS receiver's week counter is right again
    Then within 60 seconds the hub reports that the fault "date is right again" is over
    When the GPS receiver's week counter is -1024 weeks off
    And 5 seconds pass
    Then the hub's positions of Ada still carry the right time
    When the GPS receiver's week counter is right again
    And the GPS receiver falls silent
    Then within 40 seconds the hub says what is wrong with the GPS receiver: "has reported nothing for 10 s"
    And within 60 seconds the hub reports the fault "Check its cable or battery"
    When the GPS receiver speaks again
    Then within 30 seconds the hub reports that the fault "reports again" is over

    When gpsd is killed
    Then within 60 seconds the hub reports the fault "gpsd has no receiver. Plug one in"
    When somebody unplugs the GPS receiver
    And 3 seconds pass
    And the GPS receiver is plugged in again
    Then within 60 seconds the hub reports that the fault "gps/gps works again" is over

    When somebody unplugs the GPS receiver
    Then within 60 seconds the hub reports the fault "Check that it is plugged in"
    When the GPS receiver is plugged in again
    Then within 60 seconds the hub reports that the fault "gps/gps works again" is over

    And the hub has never reported "zone.left"
    When Ada walks to 100 m from home at 4 m/s
    Then within 60 seconds the hub reports "zone.left"
