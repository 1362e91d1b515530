@CARD-7 @CARD-8 @CARD-10 @NEW-1 @full
Feature: Bytes that flip on the memory card are never believed
  Between two boots single bytes of the database are not what was written, as on a worn card. Each time the hub starts, what
  it then knows of guardians, zones and settings is what it knew, or what a copy had; what is lost is told by name. An SOS
  reaches whoever is left, and whoever is left is known.

  Scenario: card-flips
    Given a modem on USB
    And the hub is one for alarms
    And the hub's memory card keeps the emergency card
    And the hub is on
    And Ada lives at home, a safe zone of 25 m with 50 m beyond its edge
    And Anna, at +4791234567, is a guardian of Ada
    And Erik, at +4798765432, is a guardian of Ada
    And for Ada the setting resendSeconds is 45
    When a backup of the database is made
    And for 6 times the power is cut, 40 bytes of the database flip, and the hub wakes
    Then it believed nothing wrong, and lost nothing without a word
    And within 120 seconds "plugin/sms-modem" is working
    When somebody holds the wired button for 3.5 seconds
    Then within 30 seconds the hub has raised an SOS for Ada
    And within 90 seconds Anna has a text message of this alarm: "needs help"
