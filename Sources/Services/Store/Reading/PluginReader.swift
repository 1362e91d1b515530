import Care
import Moments
import Ports

/// Where plugins stand, and what they refused.
struct PluginReader {
  let care: Connection

  /// The highest trace number that a plugin has settled or that is refused.
  func settledTraces() throws(SQLiteFailure) -> Int64 {
    try care.integer(
      """
      SELECT max(sequence) FROM (
        SELECT sequence FROM plugin_cursor WHERE lane = 'trace'
        UNION ALL SELECT sequence FROM plugin_exception WHERE lane = 'trace')
      """) ?? 0
  }

  /// The cursors of a plugin; lanes never saved are missing.
  func cursors(of plugin: String) throws(SQLiteFailure) -> [PluginCursor] {
    var cursors: [PluginCursor] = []
    try care.soundRows(.pluginCursor, "WHERE plugin = ?", [.text(plugin)]) { row in
      if let lane = Lane(rawValue: row.text(1)) {
        cursors.append(PluginCursor(plugin: plugin, lane: lane, sequence: row.integer(2)))
      }
      return true
    }
    for index in cursors.indices {
      try care.soundRows(
        .pluginException, "WHERE plugin = ? AND lane = ? ORDER BY sequence",
        [.text(plugin), .text(cursors[index].lane.rawValue)]
      ) { row in
        cursors[index].exceptions.append(
          PluginCursor.Exception(
            sequence: row.integer(2), subject: row.text(3), attempts: Int(row.integer(4))))
        return true
      }
    }
    return cursors.sorted { $0.lane < $1.lane }
  }

  /// Dead letters, oldest first; of all plugins where none is named.
  func deadLetters(of plugin: String?) throws(SQLiteFailure) -> [DeadLetter] {
    var letters: [DeadLetter] = []
    try care.rows(
      """
      SELECT plugin, lane, sequence, event, reason, time FROM dead_letter
        WHERE ?1 IS NULL OR plugin = ?1 ORDER BY time, sequence
      """, [.optional(plugin)]
    ) { row in
      guard let lane = Lane(rawValue: row.text(1)) else { return true }
      letters.append(
        DeadLetter(
          plugin: row.text(0), lane: lane, sequence: row.integer(2), event: EventID(row.text(3)),
          reason: row.text(4), time: Timestamp(milliseconds: row.integer(5))))
      return true
    }
    return letters
  }
}
