import Care

/// Removes whoever is erased.
struct ResidentErasure {
  let care: Connection

  /// Removes every row about a resident from `care.db` and notes that traces, inputs and backups are still to be done.
  ///
  /// - Parameter lastSequence: the journal's head before the step; the events of its own step are spared.
  func erase(_ id: ResidentID, after lastSequence: Int64) throws(SQLiteFailure) {
    // Whose a part is can be told only as long as what it belongs to is there.
    for table in Table.declared where table.isPart { try erase(id, from: table) }
    for table in Table.declared where !table.isPart { try erase(id, from: table) }
    // What was told of lost rows names people.
    try care.run("DELETE FROM engine_state WHERE engine = 'core' AND name = 'fault:store'")
    try eraseEvents(of: id, after: lastSequence)
    try care.put(.erasure, .text(id.rawValue))
  }

  private func erase(_ id: ResidentID, from table: Table) throws(SQLiteFailure) {
    guard let rows = table.rows(of: id) else { return }
    try care.rows("DELETE FROM \(table.name) WHERE \(rows.condition)", rows.bindings) { _ in true }
  }

  /// Removes a resident's events, what was told of lost rows, and letters with either.
  private func eraseEvents(
    of id: ResidentID, after lastSequence: Int64
  ) throws(SQLiteFailure) {
    let subject = Binding.text("resident/\(id)")
    try care.run(
      """
      DELETE FROM journal WHERE subject = 'gateway' AND type IN ('fault.raised', 'fault.cleared')
        AND sequence <= ? AND instr(body, '"component":"store"') > 0
      """, .integer(lastSequence))
    try care.run(
      """
      DELETE FROM dead_letter WHERE lane = 'trace'
        OR event IN (SELECT id FROM journal WHERE subject = ?)
      """, subject)
    try care.run(
      "DELETE FROM journal WHERE subject = ? AND sequence <= ?", subject, .integer(lastSequence))
  }
}

extension Table {
  /// Whether its rows are somebody's by a row of another table.
  fileprivate var isPart: Bool {
    if case .row = belonging { true } else { false }
  }

  /// What a statement says to mean the rows that go with a resident; nil for none.
  fileprivate func rows(of id: ResidentID) -> (condition: String, bindings: [Binding])? {
    let (resident, subject) = (Binding.text(id.rawValue), Binding.text("resident/\(id)"))
    switch belonging {
    case .resident(let column): return ("\(column) = ?", [resident])
    case .subject(let column): return ("\(column) = ?", [subject])
    case .residentOrSubject(let column): return ("\(column) IN (?, ?)", [resident, subject])
    case .row(let name, let column):
      guard let whole = Table.declared.first(where: { $0.name == name }),
        let rows = whole.rows(of: id), let key = whole.columns.first
      else { return nil }
      let keys = "SELECT \(key.name) FROM \(name) WHERE \(rows.condition)"
      return ("\(column) IN (\(keys))", rows.bindings)
    case .anybody: return ("TRUE", [])
    case .nobody: return nil
    }
  }
}
