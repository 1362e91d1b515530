import CSQLite
import Ports
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
  /// Steps in order; a released one never changes, and each changes the ``SchemaShape``.
  let migrations: [Migration]
  /// The fingerprint of the shape after the last step, so that the usual start need not make the shapes; a test compares it.
  /// Nil for none.
  var newestShape: String?

  init(applicationID: Int64, migrations: [Migration], newestShape: String? = nil) {
    self.applicationID = applicationID
    self.migrations = migrations
    self.newestShape = newestShape
  }

  /// The version that this program writes.
  var newest: Int64 { migrations.last?.version ?? 0 }

  /// What a database is by its shape and its header.
  struct Finding {
    /// The version, 0 for an empty database.
    var version: Int64
    /// Whether the header says something else than the shape.
    var isHeaderDamaged = false
    /// What our schema does not hold, by kind and name.
    var additions: [String] = []
  }

  /// Brings a database to the newest version, all steps in one transaction: a new database waits for the disk once, and one
  /// that is upgraded is what it was or what it is to be.
  ///
  /// - Parameter prepare: called once before the first step with the version found, 0 for a new database, to keep a copy.
  /// - Returns: what the database was.
  /// - Throws: `notOurs`, `newerVersion`, `corrupt`, or what SQLite says.
  @discardableResult
  func migrate(
    _ connection: Connection, prepare: (Int64) throws(StoreError) -> Void = { _ in }
  ) throws(StoreError) -> Finding {
    let finding = try inspect(connection)
    if finding.isHeaderDamaged {
      do throws(SQLiteFailure) {
        try connection.transaction { () throws(SQLiteFailure) in
          try mark(connection, version: finding.version)
        }
      } catch { throw error.storeError }
    }
    guard finding.version < newest else { return finding }
    try prepare(finding.version)
    do throws(SQLiteFailure) {
      try connection.transaction { () throws(SQLiteFailure) in
        for migration in migrations where migration.version > finding.version {
          try connection.script(migration.statements)
        }
        try mark(connection, version: newest)
      }
    } catch { throw error.storeError }
    return finding
  }

  /// Judges a database.
  ///
  /// - Throws: `notOurs`, `newerVersion`, `corrupt`, or what SQLite says.
  func inspect(_ connection: Connection) throws(StoreError) -> Finding {
    let (application, version): (Int64, Int64)
    let (shape, isSound): (SchemaShape, Bool)
    do throws(SQLiteFailure) {
      application = try connection.integer("PRAGMA application_id") ?? 0
      version = try connection.integer("PRAGMA user_version") ?? 0
      shape = try SchemaShape(of: connection)
      isSound = try Self.hasSoundRoots(connection)
    } catch {
      // Nothing but the header and the schema was read: what SQLite cannot make sense of there is damage.
      guard error.primary == SQLITE_ERROR else { throw error.storeError }
      throw SQLiteFailure(SQLITE_CORRUPT, detail: error.detail).storeError
    }
    if application == 0, version == 0, shape.objects.isEmpty { return Finding(version: 0) }
    if isSound, application == applicationID, version == newest, shape.fingerprint == newestShape {
      return Finding(version: newest)
    }
    let shapes = SchemaShape.shapes(after: migrations)
    let known = shapes.filter { shape.holds($0.value) }.max { $0.key < $1.key }
    let additions = known.map { shape.additions(to: $0.value) } ?? []
    let isNewer = version > newest && !(known != nil && additions.isEmpty)
    guard application == applicationID || known != nil else { throw notOurs(connection) }
    guard !isNewer else { throw newerVersion(connection, version) }
    // By its number there would be more than there is.
    guard isSound, let known, known.key >= version || additions.isEmpty else {
      throw SQLiteFailure(
        SQLITE_CORRUPT,
        detail: "\(lastComponent(connection.path)) has another schema than its version"
      ).storeError
    }
    return Finding(
      version: known.key,
      isHeaderDamaged: application != applicationID || version != known.key, additions: additions)
  }

  private func notOurs(_ connection: Connection) -> StoreError {
    StoreError(
      .notOurs,
      Message(
        "{name} belongs to another program: choose another directory for Homeward.",
        ["name": lastComponent(connection.path)]))
  }

  private func newerVersion(_ connection: Connection, _ version: Int64) -> StoreError {
    StoreError(
      .newerVersion,
      Message(
        "{name} was written by a newer Homeward (schema {version}, this one knows {newest}): "
          + "install that version again, or run `homeward restore` with a backup from before the upgrade.",
        ["name": lastComponent(connection.path), "version": version, "newest": newest]))
  }

  private func mark(_ connection: Connection, version: Int64) throws(SQLiteFailure) {
    try connection.script(
      "PRAGMA application_id = \(applicationID); PRAGMA user_version = \(version)")
  }

  /// Whether each table and index has a page of its own to begin with, and the header does not ask for an upkeep of pages
  /// that no database of ours has.
  private static func hasSoundRoots(_ connection: Connection) throws(SQLiteFailure) -> Bool {
    let shared = try connection.integer(
      "SELECT count(*) - count(DISTINCT rootpage) FROM sqlite_schema WHERE rootpage > 0")
    let vacuum = try connection.integer("PRAGMA auto_vacuum")
    return shared == 0 && vacuum == 0
  }
}
