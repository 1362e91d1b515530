import CSQLite
import GatewayPorts
import Texts

/// One numbered step of a database's schema.
struct Migration: Sendable {
  /// The schema's version once the step is done.
  let version: Int64
  /// What the step does.
  let statements: String
}

/// The steps of one kind of database and what marks its files.
struct Schema: Sendable {
  /// `application_id` of the file: four letters.
  let applicationID: Int64
  /// Steps in order; a released one never changes.
  let migrations: [Migration]

  /// The version that this program writes.
  var newest: Int64 { migrations.last?.version ?? 0 }

  /// Brings a database to the newest version, each step in a transaction of its own.
  ///
  /// - Parameter prepare: called once before the first step with the version found, 0 for a new database, to keep a copy.
  /// - Throws: `notOurs`, `newerVersion`, or what SQLite says.
  func migrate(
    _ connection: Connection, prepare: (Int64) throws(StoreError) -> Void = { _ in }
  ) throws(StoreError) {
    let version = try check(connection)
    guard version < newest else { return }
    try prepare(version)
    do throws(SQLiteFailure) {
      for migration in migrations where migration.version > version {
        try apply(migration, to: connection)
      }
    } catch { throw error.storeError }
  }

  /// The database's version, 0 for an empty one.
  ///
  /// - Throws: `notOurs`, `newerVersion`, or what SQLite says.
  func check(_ connection: Connection) throws(StoreError) -> Int64 {
    let application: Int64
    let version: Int64
    let objects: Int64
    do throws(SQLiteFailure) {
      application = try connection.integer("PRAGMA application_id") ?? 0
      version = try connection.integer("PRAGMA user_version") ?? 0
      objects = try connection.integer("SELECT count(*) FROM sqlite_schema") ?? 0
    } catch { throw error.storeError }
    if application == 0, version == 0, objects == 0 { return 0 }
    let name = lastComponent(connection.path)
    guard application == applicationID else {
      throw StoreError(
        .notOurs,
        Message(
          "{name} belongs to another program: choose another directory for Homeward.",
          ["name": name]))
    }
    guard version <= newest else {
      throw StoreError(
        .newerVersion,
        Message(
          "{name} was written by a newer Homeward (schema {version}, this one knows {newest}): "
            + "install that version again, or run `homeward restore` with a backup from before the upgrade.",
          ["name": name, "version": version, "newest": newest])
      )
    }
    return version
  }

  private func apply(_ migration: Migration, to connection: Connection) throws(SQLiteFailure) {
    try connection.transaction { () throws(SQLiteFailure) in
      try connection.script(migration.statements)
      try connection.script("PRAGMA application_id = \(applicationID)")
      try connection.script("PRAGMA user_version = \(migration.version)")
    }
  }
}
