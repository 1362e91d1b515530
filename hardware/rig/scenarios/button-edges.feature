@CARD-6 @CARD-10 @NEW-5 @ci
Feature: The button's edges reach the hub with the kernel's own times
  A button on a wire and a big button on USB are pressed. The kernel stamps each edge when it happens, so that a hold of
  three seconds is three seconds however busy the hub is.

  Scenario: button-edges
    Given the hub is on
