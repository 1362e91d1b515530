@NEW-1 @NEW-5 @PR-2 @ci
Feature: A modem that comes after the hub has started, or is pulled out and put back, is used
  The kernel finds the modem a moment after the gateway started, or somebody plugs it in after breakfast, or the cat pulls
  it out. What the plugin is let in to is settled when it starts, so the gateway has to see the modem come.

  Scenario: modem-comes-late
    Given the hub is one for alarms
    And the hub is on
    And Ada lives at home, a safe zone of 25 m with 50 m beyond its edge
    And Anna, at +4791234567, is a guardian of Ada
    Then within 60 seconds "plugin/sms-modem" is failed
    When the modem is plugged in
    Then within 60 seconds "plugin/sms-modem" is working
    When the modem is unplugged
    Then within 60 seconds "plugin/sms-modem" is failed
    When the modem is plugged in again
    Then within 60 seconds "plugin/sms-modem" is working
    When an SOS is raised for Ada
    Then within 60 seconds Anna has a text message of this alarm: "needs help"
