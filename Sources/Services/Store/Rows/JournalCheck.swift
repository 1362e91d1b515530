import Ports

/// The checksum of an event in the journal: over all of its columns but its number, which SQLite gives it afterwards.
enum JournalCheck {
  private static let columns = "id, boot_id, tick, time, time_quality, type, subject, lane, body"

  /// Appends an event, one value for each of its columns and the checksum of these.
  static let insertion =
    "INSERT INTO journal (\(columns), checksum) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"

  /// Whether an event is as it was written, 0 or 1; those from before the checksums are believed.
  static func soundness(uncheckedUpTo number: Int64) -> String {
    """
    CASE WHEN checksum IS NULL THEN sequence <= \(number)
      ELSE checksum = homeward_checksum('journal', \(columns)) END
    """
  }
}

extension Connection {
  /// Finds out which checksums a `care.db` has; for one that was opened without being brought to the newest version.
  func learnChecks() throws(SQLiteFailure) {
    let version: Int64
    do throws(StoreError) { version = try Schema.care.inspect(self).version } catch {
      // The reader of a damaged schema finds out by itself, row by row.
      return
    }
    hasChecksums = version >= Migration.care5.version
  }

  /// Whether an event in the journal is as it was written, 0 or 1.
  func journalSoundness() throws(SQLiteFailure) -> String {
    guard hasChecksums else { return "1" }
    var number: Int64?
    try soundRows(.meta, "WHERE name = 'journal_unchecked'") { row in
      number = Int64(row.text(1))
      return false
    }
    return JournalCheck.soundness(uncheckedUpTo: number ?? .max)
  }
}
