import CSQLite
import Foundation

/// What the journal of a stopped gateway holds, read with SQLite alone.
struct Journal {
  struct Row: Equatable {
    var sequence: Int64
    var id: String
    var lane: String
    var type: String
    var body: String
  }

  let rows: [Row]
  let integrity: String

  init(stateDirectory: String) throws {
    let path = "\(stateDirectory)/care.db"
    integrity = try Self.select(path, "PRAGMA integrity_check", columns: 1).first?.first ?? "none"
    rows = try Self.select(
      path, "SELECT sequence, id, lane, type, body FROM journal ORDER BY sequence", columns: 5
    ).map {
      Row(sequence: Int64($0[0]) ?? -1, id: $0[1], lane: $0[2], type: $0[3], body: $0[4])
    }
  }

  /// Rows of one lane, in order.
  func rows(lane: String) -> [Row] { rows.filter { $0.lane == lane } }

  private static func select(_ path: String, _ query: String, columns: Int32) throws -> [[String]] {
    var database: OpaquePointer?
    defer { sqlite3_close(database) }
    guard sqlite3_open_v2(path, &database, SQLITE_OPEN_READWRITE, nil) == SQLITE_OK else {
      throw Unreadable(path: path)
    }
    var statement: OpaquePointer?
    defer { sqlite3_finalize(statement) }
    guard sqlite3_prepare_v2(database, query, -1, &statement, nil) == SQLITE_OK else {
      throw Unreadable(path: path)
    }
    var rows: [[String]] = []
    while sqlite3_step(statement) == SQLITE_ROW {
      rows.append(
        (0..<columns).map { column in
          sqlite3_column_text(statement, column).map { String(cString: $0) } ?? ""
        })
    }
    return rows
  }

  struct Unreadable: Error { var path: String }
}
