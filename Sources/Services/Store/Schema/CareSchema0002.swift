extension Migration {
  /// `care.db`, second release: who is told when a resident is in danger.
  ///
  /// `content` is the guardian as JSON; name and addresses are read as a whole and never searched for.
  static let care2 = Migration(
    version: 2,
    statements: """
      CREATE TABLE guardian (
        id TEXT PRIMARY KEY, resident TEXT NOT NULL, content TEXT NOT NULL
      ) STRICT, WITHOUT ROWID;
      CREATE INDEX guardian_by_resident ON guardian (resident);
      """)
}
