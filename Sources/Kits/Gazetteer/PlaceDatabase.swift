import CSQLite
import Care

/// Why a file of places cannot be used, in SQLite's words.
struct PlaceFault: Error, Hashable { var reason: String }

/// A file that is only read, and never changed by anybody; used by one thread at a time.
final class PlaceDatabase {
  private let handle: OpaquePointer
  private var statements: [String: OpaquePointer] = [:]

  /// Opens a file; nil for a database in memory, to work with.
  init(_ path: String?) throws(PlaceFault) {
    var opened: OpaquePointer?
    let flags = path == nil ? SQLITE_OPEN_READWRITE : SQLITE_OPEN_READONLY
    let answer = sqlite3_open_v2(path ?? ":memory:", &opened, flags | SQLITE_OPEN_NOMUTEX, nil)
    guard let opened, answer == SQLITE_OK else {
      let reason = opened.map { String(cString: sqlite3_errmsg($0)) } ?? "out of memory"
      sqlite3_close_v2(opened)
      throw PlaceFault(reason: reason)
    }
    handle = opened
  }

  deinit {
    for statement in statements.values { sqlite3_finalize(statement) }
    sqlite3_close_v2(handle)
  }

  /// Calls `body` with each row.
  func rows(
    _ sql: String, _ values: [ColumnValue] = [], _ body: (PlaceRow) -> Void
  ) throws(PlaceFault) {
    let statement = try prepared(sql)
    defer {
      sqlite3_reset(statement)
      sqlite3_clear_bindings(statement)
    }
    for (index, value) in values.enumerated() { bind(value, to: statement, at: Int32(index + 1)) }
    while true {
      switch sqlite3_step(statement) {
      case SQLITE_ROW: body(PlaceRow(handle: statement))
      case SQLITE_DONE: return
      default: throw fault
      }
    }
  }

  private var fault: PlaceFault { PlaceFault(reason: String(cString: sqlite3_errmsg(handle))) }

  private func prepared(_ sql: String) throws(PlaceFault) -> OpaquePointer {
    if let known = statements[sql] { return known }
    var statement: OpaquePointer?
    guard sqlite3_prepare_v2(handle, sql, -1, &statement, nil) == SQLITE_OK, let statement else {
      throw fault
    }
    statements[sql] = statement
    return statement
  }

  private func bind(_ value: ColumnValue, to statement: OpaquePointer, at index: Int32) {
    switch value {
    case .null: sqlite3_bind_null(statement, index)
    case .integer(let number): sqlite3_bind_int64(statement, index, number)
    case .real(let number): sqlite3_bind_double(statement, index, number)
    case .text(let text):
      sqlite3_bind_text(statement, index, text, -1, homeward_sqlite_transient())
    case .textBytes(let bytes), .bytes(let bytes):
      sqlite3_bind_blob64(
        statement, index, bytes, UInt64(bytes.count), homeward_sqlite_transient())
    }
  }
}

/// The current row; columns count from 0.
struct PlaceRow: ColumnReader {
  let handle: OpaquePointer

  func isNull(_ column: Int) -> Bool {
    sqlite3_column_type(handle, Int32(truncatingIfNeeded: column)) == SQLITE_NULL
  }

  func integer(_ column: Int) -> Int64 {
    sqlite3_column_int64(handle, Int32(truncatingIfNeeded: column))
  }

  func real(_ column: Int) -> Double {
    sqlite3_column_double(handle, Int32(truncatingIfNeeded: column))
  }

  func bytes(_ column: Int) -> [UInt8] {
    let place = Int32(truncatingIfNeeded: column)
    guard let start = sqlite3_column_blob(handle, place) else { return [] }
    return Array(
      UnsafeRawBufferPointer(start: start, count: Int(sqlite3_column_bytes(handle, place))))
  }

  func text(_ column: Int) -> String { String(decoding: bytes(column), as: UTF8.self) }
}
