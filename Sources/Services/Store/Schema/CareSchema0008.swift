extension Migration {
  /// `care.db`, eighth release: messages that carry a recording.
  ///
  /// The files of recordings are named by `recording.id`; `message.recording` names one that may be gone already. A checksum
  /// that was wrong before stays wrong: what it says of a row is told, and not put right by a new column.
  static let care8 = Migration(
    version: 8,
    statements: """
      CREATE TABLE recording (
        id TEXT PRIMARY KEY, resident TEXT NOT NULL, bytes INTEGER NOT NULL,
        milliseconds INTEGER NOT NULL, kept_at INTEGER NOT NULL, is_sent INTEGER NOT NULL,
        checksum INTEGER
      ) STRICT, WITHOUT ROWID;
      ALTER TABLE message ADD COLUMN recording TEXT;
      ALTER TABLE message ADD COLUMN recording_seconds INTEGER;
      UPDATE message SET checksum = homeward_checksum('message', id, resident, direction, sender,
        text, sent_at, spoken_at, read_at, read_by, recording, recording_seconds)
        WHERE checksum IS homeward_checksum('message', id, resident, direction, sender, text,
          sent_at, spoken_at, read_at, read_by);
      """)
}
