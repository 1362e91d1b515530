extension Migration {
  /// `care.db`, fourth release: glucose readings.
  ///
  /// `glucose_reading.content` is the reading as JSON, the level as it was received; `time`, when it was measured, stands
  /// beside it in milliseconds since 1970-01-01T00:00:00Z.
  static let care4 = Migration(
    version: 4,
    statements: """
      CREATE TABLE glucose_reading (
        id TEXT PRIMARY KEY, resident TEXT NOT NULL, time INTEGER NOT NULL, content TEXT NOT NULL
      ) STRICT, WITHOUT ROWID;
      CREATE INDEX glucose_reading_by_time ON glucose_reading (resident, time);
      """)
}
