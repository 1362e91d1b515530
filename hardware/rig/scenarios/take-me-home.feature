@DC-9 @SB-14 @SB-15 @SB-23 @full
Feature: One press, and she is shown the way home, with no internet
  Ada is in town and does not know the way back. One press: the hub finds it on its own map and tells her each turn, aloud.
  She misses one, and is shown another way. The power fails while she walks: the hub goes on where it was. When she is home,
  she is told so, and so is Anna.

  Scenario: take-me-home
    Given a modem on USB
    And the hub is one for alarms
    And one press of the wired button takes Ada home
    And the hub has the map of a town that nobody lives in
    And the hub is on
    And somebody listens in the room
    And Ada lives at home, a safe zone of 25 m with 50 m beyond its edge
    And Ada may be anywhere in town
    And Anna, at +4791234567, is a caregiver of Ada
    And for Ada the setting guidanceInTheDark is true
    And Ada stands at home
    And the GPS receiver is plugged in
    Then within 180 seconds the hub knows that Ada is at home
    And within 180 seconds "speech" is working
    And within 60 seconds "sound" is working
    And within 60 seconds "plugin/places" is working
    And within 120 seconds "plugin/sms-modem" is working
    When Ada stands where Rue de l’Église and Hafenstraße cross
    And 10 seconds pass
    And the room is listened to from now on
    And the wired button is clicked once
    Then within 20 seconds the hub reports "guidance.began"
    And within 60 seconds the hub says on the way, and it is heard: "Rue de l’Église"
    When Ada goes as she is shown for 40 m
    And Ada misses the next turn by 60 m
    Then within 60 seconds the hub reports "guidance.rerouted"
    And within 60 seconds the hub says on the way, and it is heard: "Please turn round"
    When all that was said so far is past
    And the power is cut
    And the hub is switched on again
    And somebody listens in the room again
    Then within 180 seconds the hub says on the way, and it is heard: " "
    When Ada goes home as she is shown
    Then within 60 seconds the hub reports "guidance.arrived"
    And within 60 seconds is heard: "You are home, Ada. Well done."
    And within 120 seconds Anna has a text message: "home"
