@CARD-7 @CARD-9 @SB-20 @full
Feature: A web endpoint is told everything, and nothing before it has proved who it is
  The hub posts its news over an encrypted line. When the other side cannot prove who it is, or its proof is out of date,
  not one word is sent, and the hub says why. Afterwards everything comes, alarms not behind the rest.

  Scenario: web-endpoint
    Given a web endpoint
    And the hub is on
    And the hub posts its news to the web endpoint
    And Ada lives at home, a safe zone of 100 m with 50 m beyond its edge
    Then within 120 seconds everything that the hub reported has arrived at the web endpoint, and nothing else
    When the web endpoint shows an expired certificate
    And 3 places are noted
    And somebody makes Ada's safe zone smaller
    Then within 60 seconds "plugin/webhook" is failed
    And the hub says of "plugin/webhook": certificate has expired
    And nothing was sent to the web endpoint since
    When the web endpoint shows somebody else's certificate
    Then within 90 seconds the hub says of "plugin/webhook": IP address mismatch
    And nothing was sent to the web endpoint since
    When the web endpoint shows its own certificate
    Then within 180 seconds everything that the hub reported has arrived at the web endpoint, and nothing else
    And within 60 seconds "plugin/webhook" is working
    When the web endpoint hangs
    And somebody makes Ada's safe zone smaller
    Then within 90 seconds "plugin/webhook" is failed
    And the web endpoint was asked in vain since
    When the web endpoint goes on
    Then within 180 seconds everything that the hub reported has arrived at the web endpoint, and nothing else
    And at the web endpoint the news about each person came in order
    And at the web endpoint nothing came twice with different words
