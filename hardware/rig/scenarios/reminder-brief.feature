@DC-3 @DC-4 @DC-6 @ci @here
Feature: What is due is said aloud, and one press answers it
  Ada hears a chime, and what there is to do. She presses the button: done.

  Scenario: reminder-brief
    Given the hub is one for alarms
    And the hub is on
    And somebody listens in the room
    And Ada lives at home, a safe zone of 25 m with 50 m beyond its edge
    And for Ada the setting reminderQuietHours is none
    Then within 180 seconds "speech" is working
    And within 60 seconds "sound" is working
    When the routine of Ada gets the item "Water the flowers", every day, due in 1 minutes
    And the room is listened to from now on
    Then within 120 seconds the hub reminds Ada of "Water the flowers"
    And within 60 seconds a chime is heard, then a voice
    When the wired button is clicked once
    Then within 20 seconds "Water the flowers" counts as done, by button
    And the routine shows "Water the flowers" as done, and when it is due next
    And no due time was told twice, nor went on after its end
