@CARD-8 @DC-11 @NEW-1 @NEW-4 @PR-2 @full
Feature: A plugin that wants to end Homeward delays no SOS
  A plugin without any grant is installed: it ends, stops, slows and traces every process that it can name, takes as many
  processes and as much memory as there are, and knocks at every door. Ada holds the button: the room is loud, and Anna has
  her text message as fast as ever. The broker's plugin that fails meanwhile is started again.

  Scenario: hostile-plugin
    Given a broker
    And a modem on USB
    And the hub is one for alarms
    And a plugin without grants wants to end Homeward
    And the hub is on
    And somebody listens in the room
    And Ada lives at home, a safe zone of 25 m with 50 m beyond its edge
    And Anna, at +4791234567, is a guardian of Ada
    Then within 180 seconds "plugin/sms-modem" is working
    And within 120 seconds "plugin/mqtt" is working
    And within 120 seconds "sound" is working
    And within 120 seconds that plugin has tried all it can

    When the room is listened to from now on
    And somebody holds the wired button for 3.5 seconds
    Then within 30 seconds the hub has raised an SOS for Ada
    And within 60 seconds the SOS ringtone is heard, for 10 seconds or longer
    And it began after the button had been held for 3 seconds, and not much later
    And within 60 seconds Anna has a text message of this alarm: "needs help"
    And within 60 seconds "alarm.dispatched" of this alarm has come to the broker
    And Homeward runs as it did, and so do its other plugins

    When the broker's plugin is started anew
    Then within 60 seconds "plugin/mqtt" is working
    And Homeward runs as it did, and so do its other plugins
