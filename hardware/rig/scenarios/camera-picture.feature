@CARD-10 @NEW-5 @full
Feature: The hub's camera takes pictures
  A picture has the size that was asked for and shows something; with a hand before the lens it is black.

  Scenario: camera-picture
    Given the hub is on
    And a camera is plugged in
    Then within 60 seconds the hub finds its camera
    When the hub takes a picture of 640 by 360 points
    Then there is something to be seen in the picture
    When a hand covers the camera
    And the hub takes a picture of 640 by 360 points
    Then the picture is black
    When the hand is taken away
    And the hub takes a picture of 1280 by 720 points
    Then there is something to be seen in the picture
    When the camera is unplugged
    Then within 60 seconds the hub misses its camera
