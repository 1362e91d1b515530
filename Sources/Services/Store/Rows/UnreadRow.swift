import Care
import JSON
import Texts

/// A row that is not as it was written, or that nobody can read.
struct UnreadRow: Hashable, Sendable {
  let table: Table
  /// The values of its key, as far as they can be told.
  let key: [String]
  /// Whether it is as it was written, and says nothing that this version understands.
  let isSound: Bool
  /// What people call it; its key where nothing else is known.
  var label: String

  init(_ table: Table, key: [String], isSound: Bool = false, label: String? = nil) {
    self.table = table
    self.key = key
    self.isSound = isSound
    self.label = label ?? key.last ?? ""
  }

  /// What it is, for people.
  var words: Message { table.words(Table.RowName(key: key, label: label)) }

  func isSame(as other: UnreadRow) -> Bool { table == other.table && key == other.key }

  /// Whether the keys differ in one character and nothing else.
  func isNear(_ other: UnreadRow) -> Bool {
    let (left, right) = (Self.scalars(key), Self.scalars(other.key))
    guard table == other.table, left.count == right.count else { return false }
    return zip(left, right).count { $0 != $1 } == 1
  }

  private static func scalars(_ key: [String]) -> [Unicode.Scalar] {
    Array(key.joined(separator: "\u{0}").unicodeScalars)
  }

  /// The key of a row in a table of its own, for ``Migration/care5``.
  var keyText: String { JSONValue.array(key.map { .string($0) }).serialized }
}

/// Rows that could not be read, each once.
struct UnreadRows: Sendable {
  private(set) var rows: [UnreadRow] = []

  var isEmpty: Bool { rows.isEmpty }

  mutating func note(_ row: Row, of table: Table) {
    note(
      UnreadRow(table, key: row.key(of: table), isSound: row.integer(table.soundnessColumn) == 1))
  }

  mutating func note(_ row: UnreadRow) {
    if !rows.contains(where: { $0.isSame(as: row) }) { rows.append(row) }
  }
}

extension Row {
  /// The key of a row of a ``TableStatements/selection``.
  func key(of table: Table) -> [String] {
    (0..<table.keyColumns).map { text($0) }
  }
}
