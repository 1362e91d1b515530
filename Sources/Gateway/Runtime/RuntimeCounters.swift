/// What the runtime has counted since its start.
struct RuntimeCounters {
  /// Fixes received.
  var fixes: Int64 = 0
  /// Commands received.
  var commands: Int64 = 0
  /// Events made.
  var events: Int64 = 0
  /// Health reports of working parts.
  var signs: Int64 = 0
}

/// What was counted on the way of steps to the disk.
struct CommitCounters {
  /// Steps whose commit failed at first.
  var delayedCommits: Int64 = 0
  /// Steps that could not be kept.
  var droppedSteps: Int64 = 0
  /// Alarms that went out before they were durable.
  var alarmsBeforeDurable: Int64 = 0
}
