@DC-5 @DC-6 @NEW-1 @NEW-2 @full @long
Feature: Power cuts neither swallow a reminder nor say one twice
  Eight things are due, a minute apart, and the power fails again and again while they are. Each comes to exactly one
  end, and what has been answered is not asked again.

  Scenario: reminder-power-cut
    Given the hub is on
    And Ada lives at home, a safe zone of 25 m with 50 m beyond its edge
    And for Ada the setting reminderQuietHours is none
    And for Ada the setting reminderRepeatMinutes is 1
    And for Ada the setting reminderCaregiverMinutes is 3
    And for Ada the setting reminderMissedMinutes is 4
    And the routine of Ada has the item "First", every day, due in 1 minutes
    And the routine of Ada has the item "Second", every day, due in 2 minutes
    And the routine of Ada has the medicine "Third", every day, due in 3 minutes
    And the routine of Ada has the critical medicine "Fourth", every day, due in 4 minutes
    And the routine of Ada has the item "Fifth", every day, due in 5 minutes
    And the routine of Ada has the item "Sixth", every day, due in 6 minutes
    And the routine of Ada has the item "Seventh", every day, due in 7 minutes
    And the routine of Ada has the item "Eighth", every day, due in 8 minutes
    When the power fails 10 times while the routine goes on, 10 to 45 seconds apart
    Then within 900 seconds everything that was due has ended, each once
    And no due time was told twice, nor went on after its end
    And "First" has been due 1 time in all
    And "Eighth" has been due 1 time in all
