@DC-5 @SB-21 @full
Feature: The clocks change, and what is due is said once, at the time that people expect
  In March there is no half past two: what is due then is said at half past three. In October there are two: the first
  one counts.

  Scenario: reminder-dst
    Given the hub is on
    And Ada lives by the clock of Europe/Oslo
    And the hub's clock is set to 2027-03-28T01:29:30Z
    And for Ada the setting reminderQuietHours is none
    And the routine of Ada has the item "Night tablet", every day at 02:30
    Then within 60 seconds the hub reminds Ada of "Night tablet"
    And that was due at 03:30 +02:00 by the clock on the wall
    When a caregiver says that "Night tablet" is done
    Then within 20 seconds "Night tablet" counts as done, by local
    When the hub's clock is set to 2027-03-29T00:29:45Z
    Then within 60 seconds the hub reminds Ada of "Night tablet"
    And that was due at 02:30 +02:00 by the clock on the wall
    When a caregiver says that "Night tablet" is done
    And the hub's clock is set to 2027-10-31T00:29:45Z
    Then within 60 seconds the hub reminds Ada of "Night tablet"
    And that was due at 02:30 +02:00 by the clock on the wall
    When a caregiver says that "Night tablet" is done
    And the hub's clock is set to 2027-10-31T01:29:45Z
    Then for 45 seconds the hub does not remind Ada of "Night tablet"
    When the hub's clock is set to 2027-11-01T01:29:45Z
    Then within 60 seconds the hub reminds Ada of "Night tablet"
    And that was due at 02:30 +01:00 by the clock on the wall
    And no due time was told twice, nor went on after its end
