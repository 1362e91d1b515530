extension Migration {
  /// `care.db`, first release: people, places, records, journal, and where each plugin stands.
  ///
  /// Times are milliseconds since 1970-01-01T00:00:00Z; `tick` is nanoseconds since the boot `boot_id`. The view
  /// `events` shows the journal with readable times. `journal.body` holds the exact bytes that plugins receive.
  static let care1 = Migration(
    version: 1,
    statements: """
      CREATE TABLE meta (name TEXT PRIMARY KEY, content TEXT NOT NULL) STRICT, WITHOUT ROWID;
      CREATE TABLE resident (
        id TEXT PRIMARY KEY, name TEXT NOT NULL, time_zone TEXT NOT NULL, gps_source TEXT
      ) STRICT, WITHOUT ROWID;
      CREATE TABLE zone (
        id TEXT PRIMARY KEY, resident TEXT NOT NULL, name TEXT NOT NULL, latitude REAL NOT NULL,
        longitude REAL NOT NULL, radius_meters REAL NOT NULL, exit_margin_meters REAL NOT NULL,
        is_home INTEGER NOT NULL
      ) STRICT, WITHOUT ROWID;
      CREATE TABLE bookmark (
        id TEXT PRIMARY KEY, resident TEXT NOT NULL, name TEXT NOT NULL, address TEXT NOT NULL,
        latitude REAL NOT NULL, longitude REAL NOT NULL
      ) STRICT, WITHOUT ROWID;
      CREATE TABLE setting (
        resident TEXT NOT NULL, name TEXT NOT NULL, value TEXT NOT NULL,
        PRIMARY KEY (resident, name)
      ) STRICT, WITHOUT ROWID;
      CREATE TABLE engine_state (
        engine TEXT NOT NULL, subject TEXT NOT NULL, name TEXT NOT NULL, content TEXT NOT NULL,
        PRIMARY KEY (engine, subject, name)
      ) STRICT, WITHOUT ROWID;
      CREATE TABLE location_record (
        number INTEGER PRIMARY KEY, resident TEXT NOT NULL, time INTEGER NOT NULL,
        time_quality TEXT NOT NULL, latitude REAL NOT NULL, longitude REAL NOT NULL,
        accuracy_meters REAL, minutes_at_location INTEGER NOT NULL, reason TEXT NOT NULL
      ) STRICT;
      CREATE INDEX location_record_by_time ON location_record (resident, time);
      CREATE TABLE location_sample (
        number INTEGER PRIMARY KEY, resident TEXT NOT NULL, time INTEGER NOT NULL,
        time_quality TEXT NOT NULL, latitude REAL NOT NULL, longitude REAL NOT NULL,
        accuracy_meters REAL, minutes_at_location INTEGER NOT NULL, reason TEXT NOT NULL
      ) STRICT;
      CREATE INDEX location_sample_by_time ON location_sample (resident, time);
      CREATE TABLE journal (
        sequence INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL UNIQUE, boot_id TEXT NOT NULL,
        tick INTEGER NOT NULL, time INTEGER NOT NULL, time_quality TEXT NOT NULL,
        type TEXT NOT NULL, subject TEXT NOT NULL, lane TEXT NOT NULL, body TEXT NOT NULL
      ) STRICT;
      CREATE INDEX journal_alarms ON journal (sequence) WHERE lane = 'alarm';
      CREATE INDEX journal_by_time ON journal (time);
      CREATE INDEX journal_by_type ON journal (type, sequence);
      CREATE TABLE plugin_cursor (
        plugin TEXT NOT NULL, lane TEXT NOT NULL, sequence INTEGER NOT NULL,
        PRIMARY KEY (plugin, lane)
      ) STRICT, WITHOUT ROWID;
      CREATE TABLE plugin_exception (
        plugin TEXT NOT NULL, lane TEXT NOT NULL, sequence INTEGER NOT NULL, subject TEXT NOT NULL,
        attempts INTEGER NOT NULL, PRIMARY KEY (plugin, lane, sequence)
      ) STRICT, WITHOUT ROWID;
      CREATE TABLE dead_letter (
        plugin TEXT NOT NULL, lane TEXT NOT NULL, sequence INTEGER NOT NULL, event TEXT NOT NULL,
        reason TEXT NOT NULL, time INTEGER NOT NULL, PRIMARY KEY (plugin, lane, sequence)
      ) STRICT, WITHOUT ROWID;
      CREATE TABLE audit (
        number INTEGER PRIMARY KEY, time INTEGER NOT NULL, principal TEXT NOT NULL,
        command TEXT NOT NULL, action TEXT NOT NULL, target TEXT NOT NULL, outcome TEXT NOT NULL
      ) STRICT;
      CREATE TABLE erasure (resident TEXT PRIMARY KEY) STRICT, WITHOUT ROWID;
      CREATE VIEW events AS SELECT sequence,
        strftime('%Y-%m-%dT%H:%M:%fZ', time / 1000.0, 'unixepoch') AS time, time_quality, lane,
        type, subject, id, body FROM journal;
      """)
}

extension Schema {
  /// `care.db`; its letters are `Home`.
  static let care = Schema(
    applicationID: 0x486F_6D65,
    migrations: [.care1, .care2, .care3, .care4, .care5, .care6, .care7, .care8],
    newestShape: "f222dc78c2112f9a1d105bb13a1340b0a73c8d0275dbdc93158664b7e3b21d08")
}
