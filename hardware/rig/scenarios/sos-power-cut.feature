@NEW-1 @NEW-2 @DC-11 @PR-3 @full @long
Feature: A power cut at any moment silences no SOS
  Five times Ada calls for help, and each time the power fails four times: while it is loud and nobody has been told,
  while guardians are being told, and while nobody answers. Each time the hub comes back with the same alarm, and goes
  on until everybody has been told. Nobody is ever told under another name.

  Scenario: sos-power-cut
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
    When 5 times an SOS is raised for Ada, and the power fails 4 times before everybody has been told
    Then each time the same alarm went on, and no other
    And each time everybody was told
    And nobody was told under another name
