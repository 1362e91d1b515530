@NEW-1 @DC-11 @CARD-8 @NEW-4 @full
Feature: A disk that dies during an SOS silences nothing
  The disk stops working in the first ten seconds. The room stays loud, guardians have their text messages, the broker
  hears of the alarm, and somebody hears that the hub needs a new disk.

  Scenario: sos-dead-disk
    Given a broker
    And a modem on USB
    And the hub is one for alarms
    And the hub is on
    And somebody listens in the room
    And Ada lives at home, a safe zone of 25 m with 50 m beyond its edge
    And Anna, at +4791234567, is a guardian of Ada
    And Erik, at +4798765432, is a guardian of Ada
    Then within 120 seconds "plugin/sms-modem" is working
    And within 60 seconds "sound" is working
    When the room is listened to from now on
    And an SOS is raised for Ada
    And the data disk dies
    Then within 60 seconds the SOS ringtone is heard, for 10 seconds or longer
    And within 90 seconds Anna has a text message of this alarm: "needs help"
    And within 90 seconds Erik has a text message of this alarm: "needs help"
    And within 90 seconds "alarm.dispatched" of this alarm has come to the broker
    And within 120 seconds "store" is failed
    And within 120 seconds a fault of "store" has come to the broker
