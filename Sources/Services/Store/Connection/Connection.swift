import CSQLite
import Care
import Ports

/// One SQLite connection with its prepared statements, used by one thread at a time.
final class Connection {
  /// How a file is opened.
  enum Mode {
    /// Made when it does not exist.
    case create
    /// Read and write, must exist.
    case readWrite
    /// Read only.
    case readOnly
    /// Read only, without locks or a look at the write-ahead log: for files that nobody writes.
    case immutable
    /// Read only, with the write-ahead log and nothing of SQLite's own on the disk: see ``Connection/frozen(path:)``.
    case frozen
  }

  let path: String
  /// Whether it sees the database as it was when nobody could write it.
  let isFrozen: Bool
  /// What it was when it was opened for writing; nil when it was not.
  var finding: Schema.Finding?
  /// What was in use of its log then, before anything was written; nil when that could not be told.
  var logAtOpening: LogIndex?
  /// Whether the database has checksums of rows; one from before them, which cannot be brought forward, has none.
  var hasChecksums = true
  private let handle: OpaquePointer
  private var statements: [String: Statement] = [:]
  /// By the table, of which there is one for ever.
  private var tables: [ObjectIdentifier: TableStatements] = [:]
  /// Statements that nobody steps, of those that go on side by side.
  private var idle: [String: [Statement]] = [:]

  init(
    path: String, mode: Mode, vfs: String? = nil, busyMilliseconds: Int32 = 5000
  ) throws(SQLiteFailure) {
    self.path = path
    isFrozen = mode == .frozen || mode == .immutable
    if let other = Files.databaseSuffixes.first(where: { Files.isOther(path + $0) }) {
      logPageCount.deallocate()
      throw SQLiteFailure(SQLITE_CORRUPT, detail: "\(lastComponent(path))\(other) is no file")
    }
    var opened: OpaquePointer?
    let answer = sqlite3_open_v2(
      Self.uri(path, isImmutable: mode == .immutable), &opened, Self.flags(mode),
      mode == .frozen ? "unix-none" : vfs)
    guard let opened, answer == SQLITE_OK else {
      let detail = opened.map { String(cString: sqlite3_errmsg($0)) } ?? "out of memory"
      let code = opened.map { sqlite3_extended_errcode($0) } ?? SQLITE_NOMEM
      sqlite3_close_v2(opened)
      logPageCount.deallocate()
      throw SQLiteFailure(code, detail: "\(lastComponent(path)): \(detail)")
    }
    handle = opened
    IndexDescriptors.connectionOpened(path)
    sqlite3_extended_result_codes(handle, 1)
    sqlite3_busy_timeout(handle, busyMilliseconds)
    let registered = RowChecksum.register(on: handle)
    guard registered == SQLITE_OK else { throw failure(registered) }
  }

  deinit {
    close()
    logPageCount.deallocate()
  }

  private static func flags(_ mode: Mode) -> Int32 {
    let common = SQLITE_OPEN_URI | SQLITE_OPEN_NOMUTEX
    switch mode {
    case .create: return common | SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE
    case .readWrite: return common | SQLITE_OPEN_READWRITE
    case .readOnly, .immutable, .frozen: return common | SQLITE_OPEN_READONLY
    }
  }

  /// Opens a database where no file can be made or grow, so that the index of its log stays in memory.
  ///
  /// Nobody may write the database meanwhile: there are no locks. Closing leaves database and log as they are.
  static func frozen(path: String) throws(SQLiteFailure) -> Connection {
    guard Files.size(path + "-wal") > 0 else { return try Connection(path: path, mode: .immutable) }
    let connection = try Connection(path: path, mode: .frozen)
    homeward_sqlite_db_config(connection.handle, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1)
    // Before the first look at the database: only then does SQLite keep the index of the log to itself.
    try connection.script("PRAGMA locking_mode = EXCLUSIVE")
    return connection
  }

  /// The path as a URI, with what has a meaning there escaped.
  private static func uri(_ path: String, isImmutable: Bool) -> String {
    var escaped = "file:"
    for scalar in path.unicodeScalars {
      switch scalar {
      case "%": escaped += "%25"
      case "?": escaped += "%3f"
      case "#": escaped += "%23"
      default: escaped.unicodeScalars.append(scalar)
      }
    }
    return isImmutable ? escaped + "?immutable=1" : escaped
  }

  /// Whether the file could be opened for reading only.
  var isReadOnly: Bool { sqlite3_db_readonly(handle, "main") == 1 }

  private var isClosed = false

  /// Finalises all statements and closes; may be called again.
  func close() {
    guard !isClosed else { return }
    isClosed = true
    statements.removeAll()
    tables.removeAll()
    idle.removeAll()
    sqlite3_close_v2(handle)
    IndexDescriptors.connectionClosed(path)
  }

  // MARK: Statements

  /// The statement of that text, prepared at its first use.
  func statement(_ sql: String) throws(SQLiteFailure) -> Statement {
    if let known = statements[sql] { return known }
    let prepared = try prepare(sql)
    statements[sql] = prepared
    return prepared
  }

  /// The texts of the statements that are kept prepared, for whoever asks how they are carried out.
  var preparedTexts: [String] { Array(statements.keys) + idle.keys }

  /// What SQL says of a table, made at its first use.
  func statements(of table: Table) -> TableStatements {
    if let known = tables[ObjectIdentifier(table)] { return known }
    let made = TableStatements(table)
    tables[ObjectIdentifier(table)] = made
    return made
  }

  /// A statement of its own, for steps that go on side by side.
  func prepare(_ sql: String) throws(SQLiteFailure) -> Statement {
    var prepared: OpaquePointer?
    let answer = sqlite3_prepare_v3(
      handle, sql, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &prepared, nil)
    guard answer == SQLITE_OK, let prepared else { throw failure(answer) }
    return Statement(prepared)
  }

  /// A statement for whoever steps it beside others of the same text; ``giveBack(_:_:)`` ends that.
  func borrow(_ sql: String) throws(SQLiteFailure) -> Statement {
    if let statement = idle[sql]?.popLast() { return statement }
    return try prepare(sql)
  }

  /// Keeps a statement that was borrowed for the next who asks; few of a kind, for a merge of many is rare.
  func giveBack(_ statement: Statement, _ sql: String) {
    guard !isClosed, idle[sql, default: []].count < 8 else { return }
    statement.reset()
    idle[sql, default: []].append(statement)
  }

  /// Runs one statement to its end and forgets its rows.
  func run(_ sql: String, _ bindings: Binding...) throws(SQLiteFailure) {
    try rows(sql, bindings) { _ in true }
  }

  /// Runs statements that are not worth keeping prepared, such as a schema.
  func script(_ sql: String) throws(SQLiteFailure) {
    let answer = sqlite3_exec(handle, sql, nil, nil, nil)
    guard answer == SQLITE_OK else { throw failure(answer) }
  }

  /// Calls `body` with each row until it answers false.
  func rows(
    _ sql: String, _ bindings: [Binding] = [], each body: (Row) -> Bool
  ) throws(SQLiteFailure) {
    try rows(of: try statement(sql), bindings, each: body)
  }

  /// Calls `body` with each row of a statement until it answers false.
  func rows(
    of statement: Statement, _ bindings: [Binding], each body: (Row) -> Bool
  ) throws(SQLiteFailure) {
    defer { statement.reset() }
    let bound = statement.bind(bindings)
    guard bound == SQLITE_OK else { throw failure(bound) }
    while try step(statement) {
      guard body(Row(handle: statement.handle)) else { return }
    }
  }

  /// The first row, converted; nil when there is none.
  func first<Answer>(
    _ sql: String, _ bindings: Binding..., convert: (Row) -> Answer
  ) throws(SQLiteFailure) -> Answer? {
    var answer: Answer?
    try rows(sql, bindings) { row in
      answer = convert(row)
      return false
    }
    return answer
  }

  /// The first column of the first row as a whole number; nil when there is no row or it holds NULL.
  func integer(_ sql: String, _ bindings: Binding...) throws(SQLiteFailure) -> Int64? {
    var answer: Int64?
    try rows(sql, bindings) { row in
      answer = row.isNull(0) ? nil : row.integer(0)
      return false
    }
    return answer
  }

  /// Goes to the next row; false at the end.
  func step(_ statement: Statement) throws(SQLiteFailure) -> Bool {
    switch sqlite3_step(statement.handle) {
    case SQLITE_ROW: return true
    case SQLITE_DONE: return false
    case let answer: throw failure(answer)
    }
  }

  // MARK: Transactions and the write-ahead log

  /// Row id of the last insert.
  var lastInsertedRow: Int64 { sqlite3_last_insert_rowid(handle) }

  /// Rows changed by the last statement.
  var changedRows: Int { Int(sqlite3_changes(handle)) }

  /// Runs `body` in one transaction; rolls everything back when it or the commit fails.
  func transaction(_ body: () throws(SQLiteFailure) -> Void) throws(SQLiteFailure) {
    do {
      try run("BEGIN IMMEDIATE")
      try body()
      try run("COMMIT")
    } catch {
      rollBack()
      throw error
    }
  }

  /// Runs `body`; undoes what it did when it fails and leaves the transaction open.
  func savepoint(_ body: () throws(SQLiteFailure) -> Void) throws(SQLiteFailure) {
    try run("SAVEPOINT one_record")
    do {
      try body()
    } catch {
      if sqlite3_get_autocommit(handle) == 0 {
        try run("ROLLBACK TO one_record")
        try run("RELEASE one_record")
      }
      throw error
    }
    try run("RELEASE one_record")
  }

  /// Whether a transaction is open; SQLite ends one by itself after some errors.
  var isInTransaction: Bool { sqlite3_get_autocommit(handle) == 0 }

  private func rollBack() {
    guard isInTransaction else { return }
    sqlite3_exec(handle, "ROLLBACK", nil, nil, nil)
  }

  /// Moves the write-ahead log into the database as far as readers allow; answers the pages that it holds.
  @discardableResult
  func checkpoint(truncating: Bool = false) throws(SQLiteFailure) -> Int {
    // A connection that has read nothing yet does not know that there is a log, and would answer that all is well.
    _ = try integer("PRAGMA user_version")
    var pages: Int32 = 0
    var moved: Int32 = 0
    let answer = sqlite3_wal_checkpoint_v2(
      handle, nil, truncating ? SQLITE_CHECKPOINT_TRUNCATE : SQLITE_CHECKPOINT_PASSIVE, &pages,
      &moved)
    guard answer == SQLITE_OK else { throw failure(answer) }
    return Int(pages)
  }

  /// Pages in the write-ahead log after the last commit; counted only after ``watchLog()``.
  var logPages: Int { Int(logPageCount.pointee) }

  private let logPageCount: UnsafeMutablePointer<Int32> = {
    let count = UnsafeMutablePointer<Int32>.allocate(capacity: 1)
    count.initialize(to: 0)
    return count
  }()

  /// Counts pages instead of moving the log at some commit: whoever waits for a commit never waits for that.
  func watchLog() {
    sqlite3_wal_hook(
      handle,
      { @Sendable count, _, _, pages in
        count?.assumingMemoryBound(to: Int32.self).pointee = pages
        return SQLITE_OK
      }, logPageCount)
  }

  /// Copies the whole database as of now into an open, empty one.
  func copy(into target: Connection) throws(SQLiteFailure) {
    guard let backup = sqlite3_backup_init(target.handle, "main", handle, "main") else {
      throw target.failure(sqlite3_extended_errcode(target.handle))
    }
    let stepped = sqlite3_backup_step(backup, -1)
    let finished = sqlite3_backup_finish(backup)
    guard stepped == SQLITE_DONE else { throw failure(stepped) }
    guard finished == SQLITE_OK else { throw target.failure(finished) }
  }

  func failure(_ code: Int32) -> SQLiteFailure {
    let extended = sqlite3_extended_errcode(handle)
    let told = extended & 0xFF == code & 0xFF ? extended : code
    return SQLiteFailure(
      told, detail: "\(lastComponent(path)): \(String(cString: sqlite3_errmsg(handle)))")
  }
}

/// The part of a path after its last slash.
func lastComponent(_ path: String) -> String {
  path.split(separator: "/").last.map(String.init) ?? path
}
