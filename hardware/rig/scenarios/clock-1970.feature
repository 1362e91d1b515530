@CARD-3 @SB-6 @SB-8 @SB-21 @ci
Feature: A hub that wakes in 1970 does not believe its clock, and finds out the time
  The hub has no battery for its clock and no network. Until the receiver sees the sky, nothing that goes by the time of
  day is judged; afterwards everything that was written down meanwhile has its true time. Clocks that are set later do not
  make it forget or repeat anything.

  Scenario: clock-1970
    Given the hub has no battery for its clock and wakes in 1970
    Then the hub's clock shows the year 1970
    And the hub says that it does not know the time, and that nothing scheduled is judged
    When the time is noted
    And Ada comes to live at home, a safe zone of 25 m with 50 m beyond its edge
    And Ada stands at home
    And the GPS receiver sees no sky
    And the GPS receiver is plugged in
    Then within 120 seconds the hub says what is wrong with the GPS receiver: "It needs a view of the sky"
    And the hub has never reported "clock.trusted"
    When the GPS receiver sees the sky again
    Then within 60 seconds the hub reports "clock.trusted"
    And within 10 seconds the hub knows the time from satellite, within 5 s
    And what the hub wrote down before it knew the time can be placed in time, within 5 s
    And within 10 seconds the hub knows that Ada is at home

    When somebody sets the hub's system clock 3 days ahead
    And 5 seconds pass
    Then within 10 seconds the hub knows the time from satellite, within 5 s
    When network time reaches the hub
    Then within 10 seconds the hub knows the time from synchronised, within 5 s

    When Ada walks to 100 m from home at 4 m/s
    Then within 60 seconds the hub reports "zone.left"
    And that carries the right time, within 60 s
    And the hub has recorded that Ada was at home 1 time in all
    And the hub's heartbeats kept their distance
    And nothing that the hub wrote down is lost, and nothing is there twice
