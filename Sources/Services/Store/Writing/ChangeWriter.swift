import Care

/// Writes changes of what is stored.
struct ChangeWriter {
  let care: Connection

  /// Writes one change of what is stored, inside the transaction of its step.
  ///
  /// - Parameter lastSequence: the journal's head before the step; an erasure spares the events of its own step.
  func apply(_ change: StateChange, after lastSequence: Int64) throws(SQLiteFailure) {
    switch change {
    case .put(let row): try put(row)
    case .remove(let key): try remove(key)
    case .eraseResident(let id): try ResidentErasure(care: care).erase(id, after: lastSequence)
    case .putEngineRow(let row): try care.put(.engineState, row.columnValues)
    case .removeEngineRow(let engine, let subject, let name):
      try remove(TableKey(.engineState, [engine, subject, name]))
    case .addAudit(let entry): try care.put(.audit, entry.columnValues)
    }
  }

  private func put(_ row: TableRow) throws(SQLiteFailure) {
    let values = row.content.columnValues
    try care.put(row.table, values)
    guard let part = row.table.part, case .text(let key)? = values.first else { return }
    try remove(part, of: row.table, key)
    for values in row.content.partValues { try care.put(part.table, values) }
  }

  private func remove(_ key: TableKey) throws(SQLiteFailure) {
    let removal = care.statements(of: key.table).removal
    try care.rows(removal, key.values.map { .text($0) }) { _ in true }
    if let part = key.table.part, let id = key.values.first {
      try remove(part, of: key.table, id)
    }
  }

  /// Removes the rows that go with the one that has a key.
  private func remove(
    _ part: Table.Part, of table: Table, _ key: String
  ) throws(SQLiteFailure) {
    let values = part.columns.map { column -> Binding in
      switch column.match {
      case .text(let text): .text(text)
      case .key(let prefix): .text(prefix + key)
      }
    }
    try care.rows(care.statements(of: table).partRemoval, values) { _ in true }
  }
}
