extension Migration {
  /// `care.db`, seventh release: where things lie.
  static let care7 = Migration(
    version: 7,
    statements: """
      CREATE TABLE thing_place (
        resident TEXT NOT NULL, thing TEXT NOT NULL, place TEXT NOT NULL, checksum INTEGER,
        PRIMARY KEY (resident, thing)
      ) STRICT, WITHOUT ROWID;
      """)
}
