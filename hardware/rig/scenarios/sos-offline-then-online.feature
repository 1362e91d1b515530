@PR-3 @PR-11 @DC-6 @NEW-1 @full
Feature: With the network away an SOS goes out by text message, and everything else comes when it is back
  The network cable is pulled before Ada calls for help, outdoors and walking. Her guardians have their text messages all
  the same. When the line is back, the broker and the web endpoint get the alarm and where she went, in order; when it is
  over, no position is told any more.

  Scenario: sos-offline-then-online
    Given a broker
    And a web endpoint
    And a modem on USB
    And the hub is one for alarms
    And the hub posts its news to the web endpoint
    And the hub is on
    And Ada lives at home, a safe zone of 25 m with 50 m beyond its edge
    And Ada stands at home
    And the GPS receiver is plugged in
    And Anna, at +4791234567, is a guardian of Ada
    And Erik, at +4798765432, is a caregiver of Ada
    Then within 120 seconds the hub knows that Ada is at home
    And within 120 seconds "plugin/sms-modem" is working

    When the network cable is pulled
    And somebody holds the wired button for 3.5 seconds
    Then within 30 seconds the hub has raised an SOS for Ada
    And within 60 seconds Anna has a text message of this alarm: "needs help"
    And within 60 seconds Erik has a text message of this alarm: "needs help"
    When Ada walks to 60 m from home at 2 m/s
    And 30 seconds pass
    Then "alarm.raised" of this alarm has not come to the broker
    And "alarm.raised" of this alarm has not come to the web endpoint
    When the network cable is put back
    Then within 180 seconds "alarm.raised" of this alarm has come to the broker
    And within 180 seconds "alarm.raised" of this alarm has come to the web endpoint
    And within 120 seconds at least 4 live positions of this alarm have come to the broker, in order
    And within 120 seconds at least 4 live positions of this alarm have come to the web endpoint, in order
    When Erik resolves the alarm: "She is with me"
    Then within 60 seconds "alarm.resolved" of this alarm has come to the broker
    And for 30 seconds no live position comes to the broker
    And within 180 seconds everything that the hub reported has arrived at the broker, and nothing else
    And within 180 seconds everything that the hub reported has arrived at the web endpoint, and nothing else
    And at the broker the news about each person came in order
    And at the web endpoint the news about each person came in order
