@NEW-1 @NEW-2 @DC-11 @PR-3 @ci @long
Feature: A power cut in each part of an SOS does not end it
  The power fails three times during one call for help: while it is loud and nobody has been told, while guardians are
  being told, and while nobody answers.

  Scenario: sos-power-cut-brief
    Given a modem on USB
    And the hub is one for alarms
    And the hub is on
    And Ada lives at home, a safe zone of 25 m with 50 m beyond its edge
    And Anna, at +4791234567, is a guardian of Ada
    And Erik, at +4798765432, is a caregiver of Ada
    And Bo, at +4790000001, is a guardian in reserve of Ada
    And for Ada the setting resendSeconds is 30
    And for Ada the setting tierSeconds is 30
    Then within 120 seconds "plugin/sms-modem" is working
    When 1 times an SOS is raised for Ada, and the power fails 3 times before everybody has been told
    Then each time the same alarm went on, and no other
    And each time everybody was told
    And nobody was told under another name
