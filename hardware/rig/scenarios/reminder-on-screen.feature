@DC-3 @DC-4 @full
Feature: What is due fills her screen, and can be answered there as long as it is due
  Ada has left her screen on another page. What is due takes the page over by itself, with "Done" and "Not now". She puts
  one off, and says that the other is done. Afterwards there is no key for what is not due, and everybody knows what she
  said.

  Scenario: reminder-on-screen
    Given a broker
    And the hub has pages for families
    And the hub is on
    And Ada lives at home, a safe zone of 25 m with 50 m beyond its edge
    And for Ada the setting reminderQuietHours is none
    Then within 120 seconds "plugin/console" is working
    When Ada's screen is let in by a code
    And Ada opens "/me/manual" on the screen
    Then within 60 seconds Ada's screen says: How it works
    And Ada's screen has no key that says Done

    When the routine of Ada gets the item "Water the flowers", every day, due in 1 minutes
    Then within 120 seconds the hub reminds Ada of "Water the flowers"
    And within 30 seconds Ada's screen says: Water the flowers
    And Ada's screen shows that alone, and it fills the screen
    When Ada presses "Not now" on the screen
    Then within 20 seconds "Water the flowers" counts as not now, by console
    And within 30 seconds Ada's screen says: How it works
    And Ada's screen has no key that says Done
    And within 60 seconds the broker has heard that "Water the flowers" counts as not now

    When the routine of Ada gets the item "Call Erik", every day, due in 1 minutes
    Then within 120 seconds the hub reminds Ada of "Call Erik"
    And within 30 seconds Ada's screen says: Call Erik
    And Ada's screen shows that alone, and it fills the screen
    When Ada presses "Done" on the screen
    Then within 20 seconds "Call Erik" counts as done, by console
    And the routine shows "Call Erik" as done, and when it is due next
    And within 30 seconds Ada's screen says: How it works
    And Ada's screen has no key that says Done
    And within 60 seconds the broker has heard that "Call Erik" counts as done
    And no due time was told twice, nor went on after its end
