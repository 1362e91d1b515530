@DC-3 @DC-4 @DC-5 @DC-6 @full
Feature: What is due is said aloud, and one press answers it, with the screen off and the network dead
  Ada hears a chime, her name, the time and one thing to do; half a minute later once more. A press says that it is done,
  two quick ones that it is not the moment. What she answered is known, and when it is due next.

  Scenario: reminder-spoken
    Given a modem on USB
    And the hub is one for alarms
    And the hub is on
    And somebody listens in the room
    And Ada lives at home, a safe zone of 25 m with 50 m beyond its edge
    And for Ada the setting reminderQuietHours is none
    Then within 180 seconds "speech" is working
    And within 60 seconds "sound" is working

    When the network cable is pulled
    And the routine of Ada gets the item "Water the flowers", every day, due in 1 minutes
    And the room is listened to from now on
    Then within 120 seconds the hub reminds Ada of "Water the flowers"
    And within 60 seconds a chime is heard, then a voice
    And within 90 seconds the voice is heard once more, half a minute later
    When the wired button is clicked once
    Then within 20 seconds "Water the flowers" counts as done, by button
    And the routine shows "Water the flowers" as done, and when it is due next

    When the routine of Ada gets the item "Call Erik", every day, due in 1 minutes
    And the room is listened to from now on
    Then within 120 seconds the hub reminds Ada of "Call Erik"
    And within 60 seconds a chime is heard, then a voice
    When the wired button is clicked twice
    Then within 20 seconds "Call Erik" counts as not now, by button
    And for 60 seconds the hub does not remind Ada of "Call Erik"

    When the routine of Ada gets the item "Lock the door", every day, due in 1 minutes
    Then within 120 seconds the hub reminds Ada of "Lock the door"
    When somebody holds the wired button for 3.5 seconds
    Then within 30 seconds the hub has raised an SOS for Ada
    And no due time was told twice, nor went on after its end
