import Care
import JSON
import Moments
import Ports

/// Rows that were lost, as the database notes them until somebody has put them right.
struct LostRows {
  let care: Connection

  /// Notes a row of which there is no copy.
  func note(_ row: UnreadRow) throws(SQLiteFailure) {
    if row.table == .meta, row.key == ["journal_unchecked"] {
      // Nobody can enter it again; what has no checksum by now is believed.
      let last = try care.integer("SELECT max(sequence) FROM journal") ?? 0
      return try care.put(.meta, .text(row.label), .text(String(last)))
    }
    try care.run(
      "INSERT OR REPLACE INTO damaged_row (part, key, label, found_at) VALUES (?, ?, ?, ?)",
      .text(row.table.name), .text(row.keyText), .text(row.label),
      .integer(SystemTime.utc.milliseconds))
  }

  /// What was lost earlier and nobody has put right since; what is there again is forgotten.
  func openOnes() throws(StoreError) -> [UnreadRow] {
    do throws(SQLiteFailure) { return try openLosses() } catch { throw error.storeError }
  }

  private func openLosses() throws(SQLiteFailure) -> [UnreadRow] {
    var lost: [UnreadRow] = []
    try care.rows("SELECT part, key, label FROM damaged_row ORDER BY part, key") { row in
      let key = (try? JSONValue(parsing: row.bytes(1)))?.arrayContent?.compactMap(\.stringContent)
      if let table = Table.checked.first(where: { $0.name == row.text(0) }), let key,
        key.count == table.keyColumns
      {
        lost.append(UnreadRow(table, key: key, label: row.text(2)))
      }
      return true
    }
    var open: [UnreadRow] = []
    for row in lost {
      if try KeyedRows(care: care).values(of: row) == nil {
        open.append(row)
      } else {
        try care.run(
          "DELETE FROM damaged_row WHERE part = ? AND key = ?", .text(row.table.name),
          .text(row.keyText))
      }
    }
    return open
  }
}
