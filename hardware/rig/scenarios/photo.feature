@PR-7 @CARD-6 @NEW-1 @full
Feature: In an SOS a picture of the room is taken, and again whenever somebody asks for it
  The camera takes a picture when the alarm is raised, and another one with three presses. With a hand before the lens it
  is black; without a camera the alarm goes on, and says why there is no picture.

  Scenario: photo
    Given a broker
    And a modem on USB
    And the hub is one for alarms
    And the hub has a camera for alarms
    And the hub is on
    And a camera is plugged in
    And Ada lives at home, a safe zone of 25 m with 50 m beyond its edge
    And Anna, at +4791234567, is a guardian of Ada
    Then within 60 seconds the hub finds its camera
    And within 120 seconds "plugin/camera" is working
    And within 120 seconds "plugin/sms-modem" is working

    When an SOS is raised for Ada
    Then within 90 seconds picture 1 of this alarm is there, a JPEG file
    And there is something to be seen in the picture
    And within 60 seconds "alarm.photo" of this alarm has come to the broker
    When a hand covers the camera
    And the wired button is clicked 3 times
    Then within 90 seconds picture 2 of this alarm is there, a JPEG file
    And the picture is black
    When the hand is taken away
    And the camera is unplugged
    And a caregiver asks for a picture of Ada
    Then within 90 seconds the hub reports that there is no picture, and why
    And within 60 seconds Anna has a text message of this alarm: "needs help"
