@DC-5 @NEW-1 @SB-21 @full
Feature: A clock that jumps makes the hub neither forget nor repeat what is due
  The hub was without power for an hour: what was due in between is said late. The clock goes back: nothing is said twice.
  It is thirty years off for a moment: no storm of what was missed, and afterwards the routine goes on.

  Scenario: reminder-clock-jump
    Given the hub is on
    And Ada lives at home, a safe zone of 25 m with 50 m beyond its edge
    And the hub's clock is set to 2027-06-01T10:00:00Z
    And for Ada the setting reminderQuietHours is none
    And the routine of Ada has the item "Lunch", every day at 10:40
    And the routine of Ada has the item "Walk", every day at 11:02
    When the hub is shut down
    And the hub is switched on again at 2027-06-01T11:00:00Z
    Then within 60 seconds the hub reminds Ada of "Lunch"
    When a caregiver says that "Lunch" is done
    Then within 20 seconds "Lunch" counts as done, by local
    When the hub's clock is set 30 minutes back
    And the hub's clock is set to 2027-06-01T10:39:50Z
    Then for 30 seconds the hub does not remind Ada of "Lunch"
    When the hub's clock is set to 2057-06-01T10:39:50Z
    And 30 seconds pass
    Then the hub has written down at most 40 events in the last minute
    When the hub's clock is set to 2027-06-01T11:01:40Z
    Then within 60 seconds the hub reminds Ada of "Walk"
    When a caregiver says that "Walk" is done
    Then within 20 seconds "Walk" counts as done, by local
    When the hub's clock is set to 2027-06-02T10:39:50Z
    Then within 60 seconds the hub reminds Ada of "Lunch"
