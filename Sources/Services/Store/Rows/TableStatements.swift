import Care
import Ports

/// What SQL says of a declared table, made once for each connection, and each text when it is needed: a start only reads.
final class TableStatements {
  /// Held, so that nobody else is taken for it.
  private let table: Table
  /// All columns and at last whether the row is sound.
  let selection: String
  /// ``insertion``, prepared at its first use.
  var preparedInsertion: Statement?

  /// Adds a row, in the place of the one with the same key; one value for each column.
  private(set) lazy var insertion = Self.insertion(into: table)
  /// Removes the row with a key.
  private(set) lazy var removal = Self.removal(
    from: table.name, by: table.columns.prefix(table.keyColumns).map(\.name))
  /// Removes the rows that go with one, by what they are known by.
  private(set) lazy var partRemoval =
    table.part.map { Self.removal(from: $0.table.name, by: $0.columns.map(\.name)) } ?? ""
  /// ``selection`` in a database from before the checksums, where all rows are believed.
  private(set) lazy var uncheckedSelection = "\(table.qualifiedColumns), 1"

  init(_ table: Table) {
    self.table = table
    let columns = table.qualifiedColumns
    let soundness = table.isChecked ? table.soundness(of: columns) : "1"
    selection = "\(columns), \(soundness)"
  }

  private static func insertion(into table: Table) -> String {
    let (name, columns) = (table.name, table.columns.map(\.name))
    let places = columns.indices.map { "?\($0 + 1)" }.joined(separator: ", ")
    let verb = table.keyColumns == 0 ? "INSERT" : "INSERT OR REPLACE"
    let list = columns.joined(separator: ", ")
    return table.isChecked
      ? """
      \(verb) INTO \(name) (\(list), checksum)
        VALUES (\(places), homeward_checksum('\(name)', \(places)))
      """ : "\(verb) INTO \(name) (\(list)) VALUES (\(places))"
  }

  private static func removal(from table: String, by columns: some Sequence<String>) -> String {
    "DELETE FROM \(table) WHERE \(columns.map { "\($0) = ?" }.joined(separator: " AND "))"
  }
}

extension Table {
  /// All columns, each with the table's name.
  fileprivate var qualifiedColumns: String {
    var list = ""
    for column in columns {
      if !list.isEmpty { list += ", " }
      list += name
      list += "."
      list += column.name
    }
    return list
  }

  /// Whether a row is as it was written; 0 or 1.
  var soundness: String { soundness(of: qualifiedColumns) }

  fileprivate func soundness(of columns: String) -> String {
    "\(name).checksum IS homeward_checksum('\(name)', \(columns))"
  }

  /// The column behind all of its own, which says whether a row is sound.
  var soundnessColumn: Int { columns.count }
}

extension Connection {
  /// Adds a row with its checksum, in the place of the one with the same key.
  func put(_ table: Table, _ values: Binding...) throws(SQLiteFailure) {
    try put(table, values)
  }

  /// Adds a row with its checksum, in the place of the one with the same key.
  func put(_ table: Table, _ values: [Binding]) throws(SQLiteFailure) {
    try rows(of: try insertion(into: table), values) { _ in true }
  }

  private func insertion(into table: Table) throws(SQLiteFailure) -> Statement {
    let statements = statements(of: table)
    if let prepared = statements.preparedInsertion { return prepared }
    let prepared = try prepare(statements.insertion)
    statements.preparedInsertion = prepared
    return prepared
  }

  /// Calls `take` with the sound rows of a table, all of its columns in order, and notes the others and those that it
  /// cannot read.
  ///
  /// - Parameters:
  ///   - source: the tables to select from, when it is not the table alone.
  ///   - rest: what follows them: conditions, order.
  func checkedRows(
    _ table: Table, from source: String? = nil, _ rest: String = "", _ bindings: [Binding] = [],
    unread: inout UnreadRows, take: (Row) -> Bool
  ) throws(SQLiteFailure) {
    try rows(select(table, from: source, rest), bindings) { row in
      if row.integer(table.soundnessColumn) == 1, take(row) { return true }
      unread.note(row, of: table)
      return true
    }
  }

  /// Calls `body` with the sound rows of a table, all of its columns in order, until it answers false.
  ///
  /// The others are told of by whoever looks through the whole database.
  func soundRows(
    _ table: Table, from source: String? = nil, _ rest: String = "", _ bindings: [Binding] = [],
    each body: (Row) -> Bool
  ) throws(SQLiteFailure) {
    try rows(select(table, from: source, rest), bindings) { row in
      row.integer(table.soundnessColumn) != 1 || body(row)
    }
  }

  private func select(_ table: Table, from source: String?, _ rest: String) -> String {
    let statements = statements(of: table)
    let selection = hasChecksums ? statements.selection : statements.uncheckedSelection
    return "SELECT \(selection) FROM \(source ?? table.name) \(rest)"
  }
}

extension Connection {
  /// What a run starts with of a table: its sound rows as values; the others and those that say nothing are noted.
  func read<Content: ReadableRow>(
    _ table: Table, from source: String? = nil, _ rest: String = "", _ bindings: [Binding] = [],
    unread: inout UnreadRows
  ) throws(SQLiteFailure) -> [Content] {
    var found: [Content] = []
    try checkedRows(table, from: source, rest, bindings, unread: &unread) { row in
      guard let content = Content(row) else { return false }
      found.append(content)
      return true
    }
    return found
  }

  /// The sound rows of a table as values.
  func find<Content: ReadableRow>(
    _ table: Table, from source: String? = nil, _ rest: String, _ bindings: [Binding]
  ) throws(SQLiteFailure) -> [Content] {
    var found: [Content] = []
    try soundRows(table, from: source, rest, bindings) { row in
      if let content = Content(row) { found.append(content) }
      return true
    }
    return found
  }

  /// Part of the sound rows of a table as values, and where the rest begins.
  ///
  /// - Parameters:
  ///   - rest: conditions and order, without a limit: what is damaged does not count.
  ///   - place: where in the list a value is.
  func page<Content: ReadableRow>(
    of table: Table, from source: String? = nil, _ rest: String, _ bindings: [Binding],
    limit: Int, place: (Content) -> ListPlace
  ) throws(SQLiteFailure) -> ListPage<Content> {
    var page = PageOfRows<Content>(limit: limit)
    try soundRows(table, from: source, rest, bindings) { row in
      Content(row).map { page.take($0, at: place($0)) } ?? true
    }
    return page.page
  }

  /// The row of a table with this id; nil when there is none.
  func find<Content: ReadableRow>(
    _ table: Table, id: String
  ) throws(SQLiteFailure) -> Content? {
    let found: [Content] = try find(table, "WHERE id = ?", [.text(id)])
    return found.first
  }
}
