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
}
