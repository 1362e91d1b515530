/// A table whose rows carry a ``RowChecksum``: what decides who is called, by what, and when.
struct CheckedTable: Hashable, Sendable {
  let name: String
  /// Its columns but the checksum: first those of the key.
  let columns: [String]
  let keyColumns: Int
  /// Puts a row in the place of the one with the same key; one value for each of ``columns``.
  let insertion: String
  /// Whether a row is as it was written; 0 or 1.
  let soundness: String

  private init(_ name: String, key: [String], _ others: [String]) {
    self.name = name
    columns = key + others
    keyColumns = key.count
    let places = columns.indices.map { "?\($0 + 1)" }.joined(separator: ", ")
    insertion = """
      INSERT OR REPLACE INTO \(name) (\(columns.joined(separator: ", ")), checksum)
        VALUES (\(places), homeward_checksum('\(name)', \(places)))
      """
    let qualified = columns.map { "\(name).\($0)" }.joined(separator: ", ")
    soundness = "\(name).checksum IS homeward_checksum('\(name)', \(qualified))"
  }

  /// All columns and at last whether the row is sound; in a database from before the checksums all are.
  func selection(isChecked: Bool) -> String {
    "\(columns.map { "\(name).\($0)" }.joined(separator: ", ")), \(isChecked ? soundness : "1")"
  }

  /// The column that ``soundness`` has in a ``selection``.
  var soundnessColumn: Int32 { Int32(columns.count) }

  static func == (left: CheckedTable, right: CheckedTable) -> Bool { left.name == right.name }
  func hash(into hasher: inout Hasher) { hasher.combine(name) }

  static let meta = CheckedTable("meta", key: ["name"], ["content"])
  static let resident = CheckedTable("resident", key: ["id"], ["name", "time_zone", "gps_source"])
  static let zone = CheckedTable(
    "zone", key: ["id"],
    [
      "resident", "name", "latitude", "longitude", "radius_meters", "exit_margin_meters", "is_home",
    ])
  static let bookmark = CheckedTable(
    "bookmark", key: ["id"], ["resident", "name", "address", "latitude", "longitude"])
  static let guardian = CheckedTable("guardian", key: ["id"], ["resident", "content"])
  static let setting = CheckedTable("setting", key: ["resident", "name"], ["value"])
  static let engineState = CheckedTable(
    "engine_state", key: ["engine", "subject", "name"], ["content"])
  static let routineItem = CheckedTable(
    "routine_item", key: ["id"], ["resident", "kind", "title", "is_on", "content"])
  static let occurrence = CheckedTable(
    "occurrence", key: ["item", "slot"],
    [
      "resident", "due", "state", "prompts", "snoozes", "is_told", "changed_at", "answered_by",
      "reason", "is_late",
    ])
  static let note = CheckedTable(
    "note", key: ["id"],
    ["resident", "kind", "title", "text", "tags", "time", "author", "changed_at", "revision"])
  static let notePicture = CheckedTable("note_picture", key: ["note", "position"], ["picture"])
  static let picture = CheckedTable(
    "picture", key: ["id"], ["resident", "media_type", "bytes", "width", "height"])
  static let message = CheckedTable(
    "message", key: ["id"],
    ["resident", "direction", "sender", "text", "sent_at", "spoken_at", "read_at", "read_by"])
  static let glucoseReading = CheckedTable(
    "glucose_reading", key: ["id"], ["resident", "time", "content"])
  static let pluginCursor = CheckedTable("plugin_cursor", key: ["plugin", "lane"], ["sequence"])
  static let pluginException = CheckedTable(
    "plugin_exception", key: ["plugin", "lane", "sequence"], ["subject", "attempts"])

  /// All of them, those first without whose rows others mean nothing.
  static let all: [CheckedTable] = [
    .meta, .resident, .guardian, .zone, .setting, .engineState, .bookmark, .routineItem,
    .occurrence, .note, .notePicture, .picture, .message, .glucoseReading, .pluginCursor,
    .pluginException,
  ]
}

extension Connection {
  /// Writes a row with its checksum.
  func put(_ table: CheckedTable, _ values: Binding...) throws(SQLiteFailure) {
    try put(table, values)
  }

  /// Writes a row with its checksum.
  func put(_ table: CheckedTable, _ values: [Binding]) throws(SQLiteFailure) {
    try rows(table.insertion, values) { _ in true }
  }

  /// Calls `take` with the sound rows of a table, all of its columns in order, and notes the others and those that it
  /// cannot read.
  ///
  /// - Parameters:
  ///   - source: the tables to select from, when it is not the table alone.
  ///   - rest: what follows them: conditions, order.
  func checkedRows(
    _ table: CheckedTable, from source: String? = nil, _ rest: String = "",
    _ bindings: [Binding] = [], unread: inout UnreadRows, take: (Row) -> Bool
  ) throws(SQLiteFailure) {
    let selection = table.selection(isChecked: hasChecksums)
    try rows("SELECT \(selection) FROM \(source ?? table.name) \(rest)", bindings) { row in
      if row.integer(table.soundnessColumn) == 1, take(row) { return true }
      unread.note(row, of: table)
      return true
    }
  }

  /// Calls `body` with the sound rows of a table, all of its columns in order, until it answers false.
  ///
  /// The others are told of by whoever looks through the whole database.
  func soundRows(
    _ table: CheckedTable, from source: String? = nil, _ rest: String = "",
    _ bindings: [Binding] = [], each body: (Row) -> Bool
  ) throws(SQLiteFailure) {
    let selection = table.selection(isChecked: hasChecksums)
    try rows("SELECT \(selection) FROM \(source ?? table.name) \(rest)", bindings) { row in
      row.integer(table.soundnessColumn) != 1 || body(row)
    }
  }
}
