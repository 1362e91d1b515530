@CARD-9 @DC-6 @full
Feature: A line that only goes quiet is noticed, and nothing is lost on it
  The worst failures say nothing: the cable is in and the internet behind it is gone, or the broker keeps the line and
  answers nobody. The hub notices by itself, says so, and sends what it had sent in vain once more.

  Scenario: line-goes-quiet
    Given a broker
    And the hub is on
    And Ada lives at home, a safe zone of 100 m with 50 m beyond its edge
    Then within 60 seconds everything that the hub reported has arrived at the broker, and nothing else
    When the internet is gone
    And 3 places are noted
    Then within 90 seconds "plugin/mqtt" is failed
    When somebody makes Ada's safe zone smaller
    And the internet is there again
    Then within 180 seconds everything that the hub reported has arrived at the broker, and nothing else
    When the broker hangs
    And 3 places are noted
    Then within 90 seconds "plugin/mqtt" is failed
    When somebody makes Ada's safe zone smaller
    And the broker goes on
    Then within 180 seconds everything that the hub reported has arrived at the broker, and nothing else
    And at the broker the news about each person came in order
    And at the broker nothing came twice with different words
