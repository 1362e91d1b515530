extension Migration {
  /// `care.db`, eighth release: where things lie.
  static let care8 = Migration(
    version: 8,
    statements: """
      CREATE TABLE thing_place (
        resident TEXT NOT NULL, thing TEXT NOT NULL, place TEXT NOT NULL, checksum INTEGER,
        PRIMARY KEY (resident, thing)
      ) STRICT, WITHOUT ROWID;
      """)
}
