extension Migration {
  /// `care.db`, sixth release: where things lie.
  static let care6 = Migration(
    version: 6,
    statements: """
      CREATE TABLE thing_place (
        resident TEXT NOT NULL, thing TEXT NOT NULL, place TEXT NOT NULL, checksum INTEGER,
        PRIMARY KEY (resident, thing)
      ) STRICT, WITHOUT ROWID;
      """)
}
