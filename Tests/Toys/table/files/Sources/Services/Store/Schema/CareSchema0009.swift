extension Migration {
  /// `care.db`, ninth release: where things lie.
  static let care9 = Migration(
    version: 9,
    statements: """
      CREATE TABLE thing_place (
        resident TEXT NOT NULL, thing TEXT NOT NULL, place TEXT NOT NULL, checksum INTEGER,
        PRIMARY KEY (resident, thing)
      ) STRICT, WITHOUT ROWID;
      """)
}
