import CSQLite
import Care
import Ports

/// What is wrong with a database, without putting it right.
struct DatabaseCheck {
  let care: Connection

  /// What is wrong with the database's structure; nil when it is sound.
  func damage() throws(SQLiteFailure) -> String? {
    let answer = try care.first("PRAGMA quick_check(1)") { $0.text(0) } ?? "no answer"
    return answer == "ok" ? nil : answer
  }

  /// Finds damage of the structure of what decides who is called: rows of it would be missing without a word.
  func requireSoundTables() throws(StoreError) {
    do throws(SQLiteFailure) {
      for table in ["resident", "guardian", "zone", "setting", "engine_state", "routine_item"] {
        var damage: String?
        try care.rows("PRAGMA quick_check(\(table))") { row in
          let answer = row.text(0)
          // What is wrong with a single row its checksum tells as well, and it can be brought back alone.
          if answer != "ok", !answer.contains(" value in "), !answer.hasPrefix("row ") {
            damage = answer
          }
          return damage == nil
        }
        if let damage { throw SQLiteFailure(SQLITE_CORRUPT, detail: "care.db: \(damage)") }
      }
      try requireRoom()
    } catch { throw error.storeError }
  }

  /// Finds a database that can be read and not grow: its list of free pages shows when one is taken, and nothing is written.
  private func requireRoom() throws(SQLiteFailure) {
    defer { if care.isInTransaction { _ = try? care.script("ROLLBACK") } }
    do {
      try care.script("BEGIN IMMEDIATE; CREATE TABLE probe (number INTEGER)")
    } catch {
      guard error.primary != SQLITE_BUSY else { return }
      throw error
    }
  }

  /// Whether the indexes of small tables say the same as the tables; the journal's are many times longer.
  func damageOfIndexes() throws(SQLiteFailure) -> String? {
    for table in Table.checked {
      let answer = try care.first("PRAGMA integrity_check(\(table.name))") { $0.text(0) }
      if let answer, answer != "ok" { return answer }
    }
    return nil
  }

  /// How many rows are not as they were written.
  func unsoundRows() throws(SQLiteFailure) -> Int64 {
    var count: Int64 = 0
    for table in Table.checked {
      count +=
        try care.integer("SELECT count(*) FROM \(table.name) WHERE NOT (\(table.soundness))") ?? 0
    }
    return count
  }

  /// How many events of the journal are not as they were written.
  func unsoundEvents() throws(SQLiteFailure) -> Int64 {
    let journal = try care.journal()
    var reader = EventReader(journal)
    var count: Int64 = 0
    try care.rows("SELECT \(journal.columns) FROM \(journal.name)") { row in
      if reader.event(row) == nil { count += 1 }
      return true
    }
    return count
  }
}
