import CSQLite
import Ports

extension Connection {
  /// Opens a database for writing: made for its owner alone, brought to the newest schema, in WAL mode.
  ///
  /// - Throws: `notOurs`, `newerVersion`, `readOnly`, `corrupt` and what else SQLite or the system says.
  static func writable(
    path: String, schema: Schema, synchronous: String, options: SQLiteStore.Options,
    prepare: (Connection, Int64) throws(StoreError) -> Void = { _, _ in }
  ) throws(StoreError) -> Connection {
    try Files.makeFile(path)
    let connection: Connection
    do throws(SQLiteFailure) {
      connection = try Connection(
        path: path, mode: .readWrite, vfs: options.vfs, busyMilliseconds: options.busyMilliseconds)
    } catch { throw error.storeError }
    try connection.requireWritable()
    _ = try schema.inspect(connection)
    // Now its header is known, which can forbid it as well.
    try connection.requireWritable()
    connection.logAtOpening = IndexDescriptors.index(of: path)
    do throws(SQLiteFailure) { try connection.configure(synchronous) } catch {
      throw error.storeError
    }
    connection.finding = try schema.migrate(connection) { version throws(StoreError) in
      try prepare(connection, version)
    }
    return connection
  }

  /// SQLite takes what it gets; it would stay so when the disk can be written again.
  private func requireWritable() throws(StoreError) {
    guard isReadOnly else { return }
    close()
    throw SQLiteFailure(SQLITE_READONLY, detail: lastComponent(path)).storeError
  }

  private func configure(_ synchronous: String) throws(SQLiteFailure) {
    let mode = try first("PRAGMA journal_mode = WAL") { $0.text(0) }
    guard mode == "wal" else {
      throw SQLiteFailure(
        SQLITE_READONLY, detail: "\(lastComponent(path)) cannot keep a write-ahead log")
    }
    try script(
      """
      PRAGMA synchronous = \(synchronous); PRAGMA secure_delete = ON; PRAGMA foreign_keys = OFF;
      PRAGMA cache_size = -2000; PRAGMA temp_store = MEMORY; PRAGMA journal_size_limit = 16777216;
      """)
    watchLog()
  }

  /// What is wrong with the database's structure; nil when it is sound.
  func damage() throws(SQLiteFailure) -> String? {
    let answer = try first("PRAGMA quick_check(1)") { $0.text(0) } ?? "no answer"
    return answer == "ok" ? nil : answer
  }

  /// Finds damage of the structure of what decides who is called: rows of it would be missing without a word.
  func requireSoundTables() throws(StoreError) {
    do throws(SQLiteFailure) {
      for table in ["resident", "guardian", "zone", "setting", "engine_state", "routine_item"] {
        var damage: String?
        try rows("PRAGMA quick_check(\(table))") { row in
          let answer = row.text(0)
          // What is wrong with a single row its checksum tells as well, and it can be brought back alone.
          if answer != "ok", !answer.contains(" value in "), !answer.hasPrefix("row ") {
            damage = answer
          }
          return damage == nil
        }
        if let damage { throw SQLiteFailure(SQLITE_CORRUPT, detail: "care.db: \(damage)") }
      }
      try requireRoom()
    } catch { throw error.storeError }
  }

  /// Finds a database that can be read and not grow: its list of free pages shows when one is taken, and nothing is written.
  private func requireRoom() throws(SQLiteFailure) {
    defer { if isInTransaction { _ = try? script("ROLLBACK") } }
    do {
      try script("BEGIN IMMEDIATE; CREATE TABLE probe (number INTEGER)")
    } catch {
      guard error.primary != SQLITE_BUSY else { return }
      throw error
    }
  }
}
