import CSQLite
import GatewayPorts

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
    guard !connection.isReadOnly else {
      // SQLite takes what it gets; it would stay so when the disk can be written again.
      connection.close()
      throw SQLiteFailure(SQLITE_READONLY, detail: lastComponent(path)).storeError
    }
    _ = try schema.check(connection)
    do throws(SQLiteFailure) { try connection.configure(synchronous) } catch {
      throw error.storeError
    }
    try schema.migrate(connection) { version throws(StoreError) in try prepare(connection, version)
    }
    return connection
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
}
