@CARD-8 @NEW-4 @PR-2 @full
Feature: Each wall around a plugin holds by itself, on this machine's kernel
  A hostile program takes the place of each plugin, with that plugin's grants and devices, and tries everything that it can
  do to the gateway from inside: behind all walls, without namespaces, without the filter of calls, and with each version of
  Landlock that a kernel may have. Nothing succeeds while a wall stands that is to hold it.

  Scenario: each-wall
    Given the hub is on
    When each wall is tried with each plugin
    Then no wall has a hole
    And they were tried with each plugin that is installed
