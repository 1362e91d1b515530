@SB-3 @CARD-8 @DC-11 @NEW-1 @NEW-4 @PR-3 @full
Feature: Anna's browser rings, she says that she comes, and the room and Bo's page say so
  Ada holds the button. Anna and Bo have Homeward's page open on their telephones: each turns to the alarm by itself and
  rings. Then the pages' own program is killed: the siren in the room goes on as before, and the pages are live again by
  themselves. Anna presses "I’m coming": Ada hears it, and Bo sees it.

  Scenario: sos-on-the-page
    Given a broker
    And a modem on USB
    And the hub is one for alarms
    And the hub has pages for families
    And the hub is on
    And somebody listens in the room
    And Ada lives at home, a safe zone of 25 m with 50 m beyond its edge
    And Anna, at +4791234567, is a guardian of Ada
    And Anna has an account at the hub, and sees Ada
    And Bo has an account at the hub, and sees Ada
    Then within 120 seconds "plugin/sms-modem" is working
    And within 180 seconds "speech" is working
    And within 60 seconds "plugin/console" is working
    When Anna logs in at the pages
    And Bo logs in at the pages
    Then within 60 seconds Anna's page says: Ada

    When somebody holds the wired button for 3.5 seconds
    Then within 30 seconds the hub has raised an SOS for Ada
    And within 60 seconds the page of this alarm has opened by itself in Anna's browser
    And within 60 seconds Anna's browser rings, for 9 seconds or longer
    And within 60 seconds the page of this alarm has opened by itself in Bo's browser
    And within 60 seconds Bo's page says: Nobody has taken charge yet.
    And within 60 seconds the hub reports "alarm.dispatched" of this alarm
    And within 60 seconds Anna has a text message of this alarm: "needs help"

    When the siren has been listened to for 40 seconds
    And the console is killed
    Then for 40 seconds the siren goes on, with no silence longer than before
    And within 60 seconds the hub has started the console again
    And within 60 seconds Anna's page is live again by itself
    And within 60 seconds Bo's page is live again by itself

    When the room is listened to from now on
    And Anna presses "I’m coming" on the page
    Then within 60 seconds the hub reports "alarm.acknowledged" of this alarm
    And it was Anna who did that
    And within 90 seconds is heard: "Ada, Anna is coming."
    And within 60 seconds Bo's page says: Anna takes charge.
    And within 60 seconds no alarm sounds any more
