import Care

/// The sound rows of a database by their keys.
struct KeyedRows {
  let care: Connection

  /// The values of the row with the same key; nil when it is not there or not sound.
  func values(of wanted: UnreadRow) throws(SQLiteFailure) -> [Binding]? {
    let table = wanted.table
    let condition = table.columns.prefix(table.keyColumns).map { "CAST(\($0.name) AS TEXT) = ?" }
    var values: [Binding]?
    try care.soundRows(
      table, "WHERE \(condition.joined(separator: " AND "))", wanted.key.map { .text($0) }
    ) { row in
      values = row.values(of: table)
      return false
    }
    return values
  }

  /// Whether a sound row has the same key.
  func has(_ row: UnreadRow) -> Bool { ((try? values(of: row)) ?? nil) != nil }

  /// The keys of all sound rows of a table.
  func keys(of table: Table) throws(SQLiteFailure) -> [UnreadRow] {
    var keys: [UnreadRow] = []
    try care.soundRows(table) { row in
      keys.append(UnreadRow(table, key: row.key(of: table)))
      return true
    }
    return keys
  }
}

extension Row {
  /// The values of a row of a ``TableStatements/selection`` without the checksum.
  func values(of table: Table) -> [Binding] {
    table.columns.indices.map { binding($0) }
  }
}
