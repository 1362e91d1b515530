import Care
import Moments
import Ports

/// Writes where plugins stand, and what they refused.
struct PluginWriter {
  let care: Connection

  /// Writes where a plugin stands; exceptions replace those stored before.
  func save(_ cursor: PluginCursor, _ letters: [DeadLetter]) throws(SQLiteFailure) {
    let (plugin, lane) = (Binding.text(cursor.plugin), Binding.text(cursor.lane.rawValue))
    try care.put(.pluginCursor, plugin, lane, .integer(cursor.sequence))
    try care.run("DELETE FROM plugin_exception WHERE plugin = ? AND lane = ?", plugin, lane)
    for exception in cursor.exceptions {
      try care.put(
        .pluginException, plugin, lane, .integer(exception.sequence), .text(exception.subject),
        .integer(Int64(exception.attempts)))
    }
    for letter in letters { try add(letter) }
  }

  private func add(_ letter: DeadLetter) throws(SQLiteFailure) {
    try care.run(
      """
      INSERT OR REPLACE INTO dead_letter (plugin, lane, sequence, event, reason, time)
        VALUES (?, ?, ?, ?, ?, ?)
      """, .text(letter.plugin), .text(letter.lane.rawValue), .integer(letter.sequence),
      .text(letter.event.rawValue), .text(letter.reason), .integer(letter.time.milliseconds))
  }

  /// Forgets dead letters.
  func remove(_ letters: [DeadLetter]) throws(SQLiteFailure) {
    for letter in letters {
      try care.run(
        "DELETE FROM dead_letter WHERE plugin = ? AND lane = ? AND sequence = ?",
        .text(letter.plugin), .text(letter.lane.rawValue), .integer(letter.sequence))
    }
  }
}
