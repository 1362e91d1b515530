import Care
import Ports

/// What a database notes of the emergency card that belongs to it.
struct CardNote {
  private static let name = "card"

  let care: Connection

  /// The number of the last change of the emergency card in this database.
  func number() throws(StoreError) -> Int64? {
    do throws(SQLiteFailure) { return try content().flatMap { Int64($0) } } catch {
      throw error.storeError
    }
  }

  /// Notes the number of the last change of the emergency card, in the transaction of that change.
  func put(_ number: Int64) throws(SQLiteFailure) {
    try care.put(.meta, .text(Self.name), .text(String(number)))
  }

  /// Forgets which card belongs to this database: the database is right, whatever a card says.
  func forget() throws(SQLiteFailure) {
    try care.run("DELETE FROM meta WHERE name = ?", .text(Self.name))
  }

  private func content() throws(SQLiteFailure) -> String? {
    var content: String?
    try care.soundRows(.meta, "WHERE name = ?", [.text(Self.name)]) { row in
      content = row.text(1)
      return false
    }
    return content
  }
}
