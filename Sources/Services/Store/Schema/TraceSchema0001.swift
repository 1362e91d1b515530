extension Migration {
  /// `traces-YYYY-MM.db`, first release: one month of trace-lane events.
  static let traces1 = Migration(
    version: 1,
    statements: """
      CREATE TABLE trace (
        sequence INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, boot_id TEXT NOT NULL,
        tick INTEGER NOT NULL, time INTEGER NOT NULL, time_quality TEXT NOT NULL,
        type TEXT NOT NULL, subject TEXT NOT NULL, body TEXT NOT NULL
      ) STRICT;
      CREATE VIEW events AS SELECT sequence,
        strftime('%Y-%m-%dT%H:%M:%fZ', time / 1000.0, 'unixepoch') AS time, time_quality,
        'trace' AS lane, type, subject, id, body FROM trace;
      """)
}

extension Schema {
  /// `traces-YYYY-MM.db`; its letters are `HomT`.
  static let traces = Schema(
    applicationID: 0x486F_6D54, migrations: [.traces1],
    newestShape: "ed4a3ccaa0433acb4fad69769ed7dd3572152ba1b39357005e6db8a1219fb980")
}
