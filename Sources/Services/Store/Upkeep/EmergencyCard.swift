import Bytes
import Care
import GlucoseValues
import JSON
import Moments
import Ports

/// The part of what is stored without which nobody can be called: who lives here, who is told how, which buttons and
/// PINs there are, and which alarms are open.
///
/// As a file it has two lines of JSON, the second one covered by the digest in the first:
///
///     {"format":"homeward-emergency-card","version":1,"sha256":"9f86…"}
///     {"number":17,"isAhead":false,"time":"2026-11-20T03:00:00.000Z","state":{…}}
struct EmergencyCard: Hashable, Sendable {
  /// Counts the changes of the card since the first; the database holds the number of the last that it has.
  var number: Int64
  /// Whether the card was written while the disk took nothing, so that it may know more than the database.
  var isAhead = false
  /// When it was written, by a clock that nobody vouches for.
  var time: Timestamp
  /// What it holds; everything else is empty.
  private(set) var state: StoredState

  private static let format = "homeward-emergency-card"
  private static let version: Int64 = 1

  /// Engines whose rows are on the card: open alarms and PINs, tags and buttons, consent, the gateway's own secrets.
  ///
  /// Planned absences are not: they only keep an alarm back, so one that is lost errs on the safe side.
  private static let engines: Set<String> = ["alarms", "bluetooth", "consent", "gateway"]

  /// Tables whose rows are on the card.
  private static let tables: Set<Table> = [.resident, .zone, .guardian, .setting]

  /// A card of what the store holds, in the order of ids and names.
  init(number: Int64, of stored: StoredState, at time: Timestamp) {
    self.number = number
    self.time = time
    state = Self.part(of: stored)
  }

  private static func part(of stored: StoredState) -> StoredState {
    StoredState(
      residents: stored.residents.sorted { $0.id < $1.id },
      zones: stored.zones.sorted { $0.id < $1.id },
      guardians: stored.guardians.sorted { $0.id < $1.id },
      settings: stored.settings.sorted { ($0.resident, $0.name) < ($1.resident, $1.name) },
      engineRows: stored.engineRows.filter { engines.contains($0.engine) }
        .sorted { ($0.engine, $0.subject, $0.name) < ($1.engine, $1.subject, $1.name) })
  }

  // MARK: Changes

  /// Makes a change that concerns the card; answers whether it did.
  mutating func apply(_ change: StateChange) -> Bool {
    switch change {
    case .put(let row): return put(row)
    case .remove(let key): return remove(key)
    case .eraseResident(let id): return erase(id)
    case .putEngineRow(let row):
      guard Self.engines.contains(row.engine) else { return false }
      return Self.put(row, in: &state.engineRows) { Self.isSame($0, row) }
    case .removeEngineRow(let engine, let subject, let name):
      return Self.remove(from: &state.engineRows) {
        $0.engine == engine && $0.subject == subject && $0.name == name
      }
    case .addAudit: return false
    }
  }

  private mutating func put(_ row: TableRow) -> Bool {
    guard Self.tables.contains(row.table) else { return false }
    return switch row.content {
    case let resident as Resident:
      Self.put(resident, in: &state.residents) { $0.id == resident.id }
    case let zone as SafeZone: Self.put(zone, in: &state.zones) { $0.id == zone.id }
    case let guardian as Guardian:
      Self.put(guardian, in: &state.guardians) { $0.id == guardian.id }
    case let setting as StoredState.Setting:
      Self.put(setting, in: &state.settings) {
        $0.resident == setting.resident && $0.name == setting.name
      }
    default: false
    }
  }

  private mutating func remove(_ key: TableKey) -> Bool {
    let values = key.values
    return switch key.table {
    case .zone: Self.remove(from: &state.zones) { [$0.id.rawValue] == values }
    case .guardian: Self.remove(from: &state.guardians) { [$0.id.rawValue] == values }
    case .setting:
      Self.remove(from: &state.settings) { [$0.resident.rawValue, $0.name] == values }
    default: false
    }
  }

  private static func isSame(_ row: EngineRow, _ other: EngineRow) -> Bool {
    row.name == other.name && row.subject == other.subject && row.engine == other.engine
  }

  private static func put<Element: Equatable>(
    _ element: Element, in list: inout [Element], where isSame: (Element) -> Bool
  ) -> Bool {
    guard let index = list.firstIndex(where: isSame) else {
      list.append(element)
      return true
    }
    guard list[index] != element else { return false }
    list[index] = element
    return true
  }

  private static func remove<Element>(
    from list: inout [Element], where isMeant: (Element) -> Bool
  ) -> Bool {
    let count = list.count
    list.removeAll(where: isMeant)
    return list.count != count
  }

  private mutating func erase(_ id: ResidentID) -> Bool {
    let before = state
    state.residents.removeAll { $0.id == id }
    state.zones.removeAll { $0.resident == id }
    state.guardians.removeAll { $0.resident == id }
    state.settings.removeAll { $0.resident == id }
    state.engineRows.removeAll { $0.subject == id.rawValue || $0.subject == "resident/\(id)" }
    return state != before
  }

  // MARK: Over a database

  /// What makes a database that is older than the card agree with it.
  func changes(from stored: StoredState) -> [StateChange] {
    let old = Self.part(of: stored)
    var changes: [StateChange] = []
    let residents = Set(state.residents.map(\.id))
    changes += old.residents.filter { !residents.contains($0.id) }.map { .eraseResident($0.id) }
    let zones = Set(state.zones.map(\.id))
    changes += old.zones.filter { !zones.contains($0.id) }.map { .removeZone($0.id) }
    let guardians = Set(state.guardians.map(\.id))
    changes += old.guardians.filter { !guardians.contains($0.id) }.map { .removeGuardian($0.id) }
    for setting in old.settings
    where !state.settings.contains(where: {
      $0.resident == setting.resident && $0.name == setting.name
    }) {
      changes.append(.removeSetting(resident: setting.resident, name: setting.name))
    }
    for row in old.engineRows where !state.engineRows.contains(where: { Self.isSame($0, row) }) {
      changes.append(row.removal)
    }
    return changes + puts(over: old)
  }

  private func puts(over old: StoredState) -> [StateChange] {
    state.residents.filter { !old.residents.contains($0) }.map { .putResident($0) }
      + state.zones.filter { !old.zones.contains($0) }.map { .putZone($0) }
      + state.guardians.filter { !old.guardians.contains($0) }.map { .putGuardian($0) }
      + state.settings.filter { !old.settings.contains($0) }
      .map { .putSetting(resident: $0.resident, name: $0.name, value: $0.value) }
      + state.engineRows.filter { !old.engineRows.contains($0) }.map { .putEngineRow($0) }
  }

  /// What a run starts from where the database can be read and is older than the card.
  func state(over stored: StoredState) -> StoredState {
    let residents = Set(state.residents.map(\.id))
    var merged = stored
    merged.residents = state.residents
    merged.zones = state.zones
    merged.guardians = state.guardians
    merged.settings = state.settings
    merged.bookmarks.removeAll { !residents.contains($0.resident) }
    merged.routineItems.removeAll { !residents.contains($0.resident) }
    merged.occurrences.removeAll { !residents.contains($0.resident) }
    merged.notes.removeAll { !residents.contains($0.resident) }
    merged.messages.removeAll { !residents.contains($0.resident) }
    merged.pictures.removeAll { !residents.contains($0.resident) }
    merged.recordings.removeAll { !residents.contains($0.resident) }
    merged.glucoseReadings = merged.readings.filter { residents.contains($0.resident) }
      .map { FeatureValue($0) }
    merged.engineRows.removeAll { Self.engines.contains($0.engine) }
    merged.engineRows += state.engineRows
    return merged
  }

  // MARK: As a file

  /// Reads a card.
  ///
  /// - Throws: ``DecodeError`` for a file that is cut off, changed or of another version.
  init(file: [UInt8]) throws(DecodeError) {
    let lines = file.split(separator: 0x0A, maxSplits: 2, omittingEmptySubsequences: false)
    let head = try JSONReader(JSONValue(parsing: Array(lines[0])))
    guard try head.string("format") == Self.format, try head.integer("version") == Self.version
    else { throw head.error(.unknownWord, "format") }
    let body = lines.count > 1 ? Array(lines[1]) : []
    guard try head.string("sha256") == Hexadecimal.text(SHA256.hash(body)) else {
      throw head.error(.outOfRange, "sha256")
    }
    let reader = try JSONReader(
      JSONValue(parsing: body, limits: JSONValue.Limits(maximumBytes: Self.maximumBytes)))
    number = try reader.integer("number")
    isAhead = try reader.bool("isAhead")
    time = try Timestamp(iso8601: reader.string("time"))
    state = Self.part(of: try StoredState(json: reader.required("state")))
  }

  /// The largest file that is read.
  static let maximumBytes = 4 << 20

  /// The card as a file.
  var file: [UInt8] {
    let body: JSONValue = [
      "number": .integer(number), "isAhead": .bool(isAhead), "time": .string(time.iso8601),
      "state": state.json,
    ]
    let bytes = body.serializedBytes
    let head: JSONValue = [
      "format": .string(Self.format), "version": .integer(Self.version),
      "sha256": .string(Hexadecimal.text(SHA256.hash(bytes))),
    ]
    return head.serializedBytes + [0x0A] + bytes + [0x0A]
  }
}
