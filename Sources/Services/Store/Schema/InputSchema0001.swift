extension Migration {
  /// `inputs.db`, first release: runs of the daemon and what went into the core, for replay.
  ///
  /// `seed` and `outcome_digest` hold 64 unsigned bits as a signed number. The event ranges say which events came of
  /// an input: so many from a sequence on, in the journal and in the traces.
  static let inputs1 = Migration(
    version: 1,
    statements: """
      CREATE TABLE run (
        number INTEGER PRIMARY KEY AUTOINCREMENT, run TEXT NOT NULL UNIQUE, seed INTEGER NOT NULL,
        version TEXT NOT NULL, boot_id TEXT NOT NULL, tick INTEGER NOT NULL,
        time INTEGER NOT NULL, time_quality TEXT NOT NULL, start_state TEXT NOT NULL
      ) STRICT;
      CREATE TABLE input (
        run INTEGER NOT NULL, number INTEGER NOT NULL, tick INTEGER NOT NULL,
        time INTEGER NOT NULL, time_quality TEXT NOT NULL, resident TEXT, body TEXT NOT NULL,
        outcome_digest INTEGER NOT NULL, first_event INTEGER NOT NULL, events INTEGER NOT NULL,
        first_trace INTEGER NOT NULL, traces INTEGER NOT NULL, PRIMARY KEY (run, number)
      ) STRICT, WITHOUT ROWID;
      CREATE INDEX input_by_time ON input (time);
      """)
}

extension Schema {
  /// `inputs.db`; its letters are `HomI`.
  static let inputs = Schema(
    applicationID: 0x486F_6D49, migrations: [.inputs1],
    newestShape: "1d8337511ad2e7156f0299ca591cb3c22ea3782a9c1f42640f34fb5bbc36b108")
}
