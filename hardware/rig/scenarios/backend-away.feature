@CARD-7 @CARD-9 @DC-6 @full
Feature: While nobody can be told, nothing is lost; afterwards everybody is told everything
  Carers hear of Ada through a broker in the house or far away. It loses its power for a while, and somebody pulls the
  network cable. The hub goes on, even through a crash of its own program. When the line is back, the news arrives: what
  is an alarm first, everything in its order, each piece with the words that the hub wrote down.

  Scenario: backend-away
    Given a broker
    And the hub is on
    And Ada lives at home, a safe zone of 100 m with 50 m beyond its edge
    Then within 60 seconds everything that the hub reported has arrived at the broker, and nothing else
    When the broker vanishes
    And 10 places are noted
    And Homeward crashes
    And 5 places are noted
    Then within 90 seconds "plugin/mqtt" is failed
    When somebody makes Ada's safe zone smaller
    And 5 seconds pass
    And the broker comes back
    Then within 180 seconds everything that the hub reported has arrived at the broker, and nothing else
    And at the broker the alarms that it had missed came first
    And within 60 seconds "plugin/mqtt" is working
    When the network cable is pulled
    And 10 places are noted
    Then within 90 seconds "plugin/mqtt" is failed
    When somebody makes Ada's safe zone smaller
    And 5 seconds pass
    And the network cable is put back
    Then within 180 seconds everything that the hub reported has arrived at the broker, and nothing else
    And at the broker the alarms that it had missed came first
    And at the broker the news about each person came in order
    And at the broker nothing came twice with different words
