@CARD-7 @CARD-10 @DC-6 @EG-11 @NEW-1 @ci
Feature: A full disk silences no alarm and breaks no promise
  Something fills the hub's disk while Ada's day goes on and her family changes her places. First the hub keeps fewer of
  her raw positions and says that space runs short. Then there is not a byte left: alarms go out from memory. When there
  is room again, everything is stored that the hub had said it would keep.

  Scenario: disk-full
    Given a broker
    And the hub is on
    And Ada lives at home, a safe zone of 25 m with 50 m beyond its edge
    And Ada stands at home
    And the GPS receiver is plugged in
    Then within 60 seconds the hub knows that Ada is at home
    When Ada's family changes 2 places a second
    And the data disk fills up until 8 MB are left
    Then within 60 seconds the hub shows a fault of "store": One raw trace in ten is kept
    And within 90 seconds raw traces are thinned, and everything else is stored
    When the data disk fills up to the last byte
    Then within 180 seconds nothing can be stored
    And within 60 seconds an alarm that is not stored yet arrives at the broker
    And within 60 seconds the hub shows a fault of "store": The disk is full
    And still nothing could be stored
    When the data disk has room again
    Then within 60 seconds "store" is working
    And within 60 seconds the hub shows no fault of "store"
    And within 60 seconds the hub reports "fault.cleared"
    And within 120 seconds everything that the hub reported has arrived at the broker, and nothing else
    When the hub is shut down
    Then the disk holds everything that was promised, once and whole
