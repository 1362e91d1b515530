@DC-6 @DC-13 @full
Feature: A caregiver's words are spoken at home, and she knows that they were heard
  Anna writes from afar. The hub says it aloud; Ada presses once, and Anna has her receipt. What Ada writes back reaches
  the broker as she wrote it, in any script.

  Scenario: message-from-caregiver
    Given a broker
    And a modem on USB
    And Anna may write messages through the broker
    And the hub is one for alarms
    And the hub is on
    And somebody listens in the room
    And Ada lives at home, a safe zone of 25 m with 50 m beyond its edge
    And for Ada the setting quietHours is 03:33-03:34
    Then within 180 seconds "speech" is working
    And within 60 seconds "sound" is working
    And within 60 seconds "plugin/mqtt" is working

    When the room is listened to from now on
    And Anna writes to Ada through the broker: "I come at four and bring cake"
    Then within 60 seconds the hub reports "message.sent"
    And within 60 seconds a chime is heard, then a voice
    And within 30 seconds the hub reports "message.spoken"
    When the wired button is clicked once
    Then within 30 seconds the broker knows that the message was read, by button

    When Ada writes to the caregivers: "谢谢 Anna 🎂 – “until four”"
    Then within 60 seconds "message.sent" with the words "谢谢 Anna 🎂 – “until four”" has come to the broker
