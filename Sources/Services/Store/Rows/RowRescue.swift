import Care
import JSON
import Moments
import Ports

/// Brings back rows that could not be read, from the emergency card or the newest backup that has them.
struct RowRescue {
  let care: Connection
  let options: SQLiteStore.Options
  let card: EmergencyCard?

  /// One row as it goes into a table.
  private struct Found {
    var row: UnreadRow
    var source: StoreDamage.Source
    /// The values of its table's columns; nil for one that ``change`` writes.
    var values: [Binding] = []
    var change: StateChange?
  }

  /// Looks for the rows, writes what is found, and makes the tables anew in which they stood.
  ///
  /// A damaged key stands where nobody finds it, and may hide others; so the table is written again from what can be
  /// read.
  func run(_ unread: [UnreadRow], into damage: inout StoreDamage) throws(StoreError) {
    guard !unread.isEmpty else { return }
    let backups = self.backups()
    defer { for backup in backups { backup.connection.close() } }
    var (found, missing) = search(for: unread, in: backups)
    do throws(SQLiteFailure) {
      try care.transaction { () throws(SQLiteFailure) in
        for table in Set(unread.map(\.table)) { try writeAnew(table, without: unread) }
        for copy in found where !(try write(copy)) { missing.append(copy.row) }
        for row in missing { try LostRows(care: care).note(row) }
      }
    } catch { throw error.storeError }
    found.removeAll { copy in missing.contains { $0.isSame(as: copy.row) } }
    damage.restored += found.map { ($0.source, $0.row) }
    damage.lost += missing
  }

  private func search(
    for unread: [UnreadRow], in backups: [Backup]
  ) -> (found: [Found], missing: [UnreadRow]) {
    var found: [Found] = []
    var rest: [UnreadRow] = []
    for row in unread {
      // Where another row has its key, the key is what is damaged.
      let isTaken = !row.isSound && KeyedRows(care: care).has(row)
      if !isTaken, let copy = copy(of: row, in: backups) {
        found.append(copy)
      } else {
        rest.append(row)
      }
    }
    let missing = rest.filter { row in
      guard let meant = meant(by: row, in: backups) else { return true }
      if found.contains(where: { $0.row.isSame(as: meant) }) { return false }
      guard let copy = copy(of: meant, in: backups) else { return true }
      found.append(copy)
      return false
    }
    return (found, missing)
  }

  /// The row whose key became this one by damage: one that a copy has, the database has not, and whose key differs in one
  /// character.
  private func meant(by row: UnreadRow, in backups: [Backup]) -> UnreadRow? {
    let known =
      (card?.keys ?? []).filter { $0.table == row.table }
      + backups.flatMap { (try? KeyedRows(care: $0.connection).keys(of: row.table)) ?? [] }
    return known.first { candidate in
      candidate.isNear(row) && !KeyedRows(care: care).has(candidate)
    }
  }

  /// Writes a copy; false when the database will never take it.
  private func write(_ copy: Found) throws(SQLiteFailure) -> Bool {
    do {
      try care.savepoint { () throws(SQLiteFailure) in
        if let change = copy.change {
          try ChangeWriter(care: care).apply(change, after: 0)
        } else {
          try care.put(copy.row.table, copy.values)
        }
      }
      return true
    } catch {
      guard !error.isTransient else { throw error }
      return false
    }
  }

  /// Writes a table again with the rows that are sound and known to be readable.
  private func writeAnew(
    _ table: Table, without unread: [UnreadRow]
  ) throws(SQLiteFailure) {
    let meaningless = Set(unread.filter { $0.table == table && $0.isSound }.map(\.key))
    var kept: [[Binding]] = []
    try care.soundRows(table) { row in
      if !meaningless.contains(row.key(of: table)) { kept.append(row.values(of: table)) }
      return true
    }
    try care.run("DELETE FROM \(table.name)")
    for values in kept { try care.put(table, values) }
  }

  // MARK: Copies

  private typealias Backup = (name: String, connection: Connection)

  /// Backups that can be opened, newest first.
  private func backups() -> [Backup] {
    Backups.newestFirst(in: options.backupDirectory).prefix(Self.backupsSearched).compactMap {
      name in
      let path = options.backupDirectory + "/" + name
      guard let connection = try? Connection(path: path, mode: .immutable),
        (try? Schema.care.inspect(connection).version) ?? 0 > 0
      else { return nil }
      try? connection.learnChecks()
      return (name, connection)
    }
  }

  /// Those of a week.
  private static let backupsSearched = 28

  private func copy(of row: UnreadRow, in backups: [Backup]) -> Found? {
    if let card, let (change, label) = card.copy(of: row) {
      var row = row
      row.label = label ?? row.label
      return Found(row: row, source: .card(card.time), change: change)
    }
    for backup in backups {
      guard let values = try? KeyedRows(care: backup.connection).values(of: row) else { continue }
      var row = row
      row.label = Self.label(values, of: row.table) ?? row.label
      return Found(row: row, source: .backup(backup.name), values: values)
    }
    return nil
  }

  private static func label(_ values: [Binding], of table: Table) -> String? {
    switch table.label {
    case .key: return nil
    case .column(let name):
      return bytes(values, of: name, in: table).map { String(decoding: $0, as: UTF8.self) }
    case .member(let member, let name):
      let json = bytes(values, of: name, in: table).flatMap { try? JSONValue(parsing: $0) }
      return json?[member]?.stringContent
    }
  }

  private static func bytes(
    _ values: [Binding], of column: String, in table: Table
  ) -> [UInt8]? {
    guard let place = table.columns.firstIndex(where: { $0.name == column }),
      case .textBytes(let bytes) = values[place]
    else { return nil }
    return bytes
  }
}

extension EmergencyCard {
  /// The change that writes what the card has of a row, and what people call it; nil when it has nothing.
  func copy(of row: UnreadRow) -> (StateChange, String?)? {
    let key = row.key
    switch row.table {
    case .resident:
      return state.residents.first { $0.id.rawValue == key[0] }.map { (.putResident($0), $0.name) }
    case .zone:
      return state.zones.first { $0.id.rawValue == key[0] }.map { (.putZone($0), $0.name) }
    case .guardian:
      return state.guardians.first { $0.id.rawValue == key[0] }.map { (.putGuardian($0), $0.name) }
    case .setting:
      let found = state.settings.first { [$0.resident.rawValue, $0.name] == key }
      return found.map {
        (.putSetting(resident: $0.resident, name: $0.name, value: $0.value), nil)
      }
    case .engineState:
      if key[0] == "places" {
        let zone = state.zones.first { "leaving:\($0.id)" == key[2] }
        return zone.map { (.putZone($0), nil) }
      }
      let found = state.engineRows.first { [$0.engine, $0.subject, $0.name] == key }
      return found.map { (.putEngineRow($0), nil) }
    default: return nil
    }
  }

  /// Rows that the card has and a state has not, though both are of the same number: they vanished from the database.
  func rowsMissing(in stored: StoredState) -> [UnreadRow] {
    let old = Set(EmergencyCard(number: 0, of: stored, at: time).keys)
    return keys.filter { !old.contains($0) }
  }

  fileprivate var keys: [UnreadRow] {
    state.residents.map { UnreadRow(.resident, key: [$0.id.rawValue]) }
      + state.guardians.map { UnreadRow(.guardian, key: [$0.id.rawValue]) }
      + state.zones.map { UnreadRow(.zone, key: [$0.id.rawValue]) }
      + state.settings.map { UnreadRow(.setting, key: [$0.resident.rawValue, $0.name]) }
      + state.engineRows.map { UnreadRow(.engineState, key: [$0.engine, $0.subject, $0.name]) }
  }
}
