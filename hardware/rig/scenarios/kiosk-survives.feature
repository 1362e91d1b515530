@CARD-8 @DC-11 @EG-11 @NEW-1 @full @long
Feature: A screen in the home stays hers when Homeward ends and when the power fails
  The screen in Ada's kitchen was let in once, by a code. Homeward is killed: the screen stays as it is, says calmly from
  when what it shows is, and goes on by itself. Homeward is killed again and starts at once. Then the power fails. The
  screen comes back with Ada's pages, nobody logs in, and it calls for help and takes it back as before. It sees nobody but
  her.

  Scenario: kiosk-survives
    Given the hub has pages for families
    And the hub is on
    And Ada lives at home, a safe zone of 25 m with 50 m beyond its edge
    And Bo lives by the clock of Etc/UTC
    Then within 120 seconds "plugin/console" is working
    When Ada's screen is let in by a code
    Then within 60 seconds Ada's screen says: Take me home
    And Ada's screen sees Ada, and nobody else

    When Homeward is killed, and stays away
    Then within 90 seconds Ada's screen says: I am not connected just now. What you see is from
    And Ada's screen still says: Take me home
    When Homeward starts again
    Then within 90 seconds Ada's screen is live again, loaded by nobody
    And within 30 seconds Ada's screen says nothing of: I am not connected just now

    When Homeward crashes
    Then within 90 seconds Ada's screen is live again, loaded by nobody

    When the power is cut
    And the power of Ada's screen is cut
    And the hub is switched on again
    And Ada's screen is switched on again
    Then within 120 seconds Ada's screen is live
    And within 30 seconds Ada's screen says: Take me home
    And within 30 seconds Ada's screen says nothing of: I am not connected just now
    And Ada's screen sees Ada, and nobody else
    When an SOS is raised for Ada
    Then within 30 seconds Ada's screen says: I call for help
    When Ada presses "Stop" on the screen
    Then within 30 seconds Ada's screen says: Take me home
    And within 30 seconds no alarm about a person is open
