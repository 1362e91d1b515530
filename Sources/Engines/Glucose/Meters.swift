import Bytes
import Care
import GlucoseValues
import JSON
import Texts

/// The meters of the residents, and how far each has been fetched.
///
/// Its rows are those of engine `bluetooth` named `meter:` and `bookmark:` with the address; what else that engine has is
/// somebody else's.
struct Meters: Hashable, Sendable {
  static let engine = "bluetooth"
  /// Meters of one gateway.
  static let atMost = 16
  private static let meterName = "meter:"
  private static let bookmarkName = "bookmark:"

  private var meters: [BluetoothAddress: GlucoseMeter] = [:]
  private var bookmarks: [BluetoothAddress: JSONValue] = [:]
  /// Rows that cannot be read are kept, so that a later version may.
  private var unreadable: [EngineRow] = []

  init(rows: [EngineRow]) {
    for row in rows where Self.owns(row) {
      do throws(DecodeError) { try read(row) } catch { unreadable.append(row) }
    }
  }

  private static func owns(_ row: EngineRow) -> Bool {
    row.engine == engine && (row.name.hasPrefix(meterName) || row.name.hasPrefix(bookmarkName))
  }

  private mutating func read(_ row: EngineRow) throws(DecodeError) {
    if row.name.hasPrefix(Self.meterName) {
      let meter = try GlucoseMeter(json: row.content)
      meters[meter.address] = meter
    } else if let address = BluetoothAddress(
      written: row.name.dropFirst(Self.bookmarkName.count))
    {
      bookmarks[address] = row.content
    } else {
      throw DecodeError(.unknownWord, at: 0, field: "name")
    }
  }

  // MARK: Views

  /// Every meter with how far it has been fetched, by address.
  var all: [(meter: GlucoseMeter, bookmark: JSONValue?)] {
    meters.sorted { $0.key < $1.key }.map { ($0.value, bookmarks[$0.key]) }
  }

  /// The meter of an address; nil when it is nobody's.
  subscript(address: BluetoothAddress) -> GlucoseMeter? { meters[address] }

  /// The rows as they are stored.
  var rows: [EngineRow] {
    all.map { row(of: $0.meter) }
      + all.compactMap { meter, bookmark in bookmark.map { row(of: meter, at: $0) } } + unreadable
  }

  /// Whom a request about meters concerns; nil when it names a meter that is nobody's.
  func resident(concernedBy request: BluetoothRequest) -> ResidentID? {
    switch request {
    case .putMeter(let meter): meter.resident
    case .removeMeter(let address): meters[address]?.resident
    case .pairMeter(let meter): meter.resident
    case .answerPairing(_, let resident, _): resident
    default: nil
    }
  }

  // MARK: What people ask

  /// Does what somebody asks; nil where it is not about meters.
  ///
  /// - Throws: why not; nothing changed then.
  mutating func perform(
    _ request: BluetoothRequest, by principal: Principal, in house: House
  ) throws(CommandReply.Refusal) -> Outcome? {
    var outcome = Outcome()
    switch request {
    case .putMeter(let meter):
      try house.requireResident(meter.resident)
      try Validation.name(meter.name)
      outcome.changes += try put(meter)
      outcome.events.append(
        .note("meter.put", meter.address.written, of: meter.resident, by: principal, meter.json))
      outcome.reply = ["id": .string(meter.address.written)]
    case .removeMeter(let address):
      let (meter, changes) = try remove(address)
      outcome.changes += changes
      outcome.events.append(
        .note("meter.remove", address.written, of: meter.resident, by: principal, meter.json))
      outcome.reply = ["removed": .string(address.written)]
    case .pairMeter(let meter):
      // The radio pairs it; once it is paired, it is put.
      try house.requireResident(meter.resident)
      try Validation.name(meter.name)
      try requirePlace(for: meter)
      outcome.events.append(
        .note("meter.pair", meter.address.written, of: meter.resident, by: principal, meter.json))
      outcome.reply = ["id": .string(meter.address.written)]
    case .answerPairing(let address, let resident, _):
      // What a pairing waits for is given by the radio; nothing of it is kept.
      try house.requireResident(resident)
      outcome.reply = ["id": .string(address.written)]
    default: return nil
    }
    return outcome
  }

  private func requirePlace(for meter: GlucoseMeter) throws(CommandReply.Refusal) {
    guard meters[meter.address] != nil || meters.count < Self.atMost else {
      throw CommandReply.Refusal(
        .conflict,
        Message(
          "One gateway fetches from at most {most} meters. Remove one first.",
          ["most": Self.atMost]))
    }
  }

  private mutating func put(_ meter: GlucoseMeter) throws(CommandReply.Refusal) -> [StateChange] {
    try requirePlace(for: meter)
    var changes: [StateChange] = []
    // Another resident's readings are not theirs: what they measure is fetched from here on.
    if let old = meters[meter.address], old.resident != meter.resident {
      changes = removals(of: old)
      bookmarks[meter.address] = nil
    }
    meters[meter.address] = meter
    return changes + [.putEngineRow(row(of: meter))]
  }

  private mutating func remove(
    _ address: BluetoothAddress
  ) throws(CommandReply.Refusal) -> (GlucoseMeter, [StateChange]) {
    guard let meter = meters.removeValue(forKey: address) else {
      throw CommandReply.Refusal(
        .unknownTarget,
        Message(
          "There is no meter {address}. List them with: homeward bluetooth status",
          ["address": address.written]))
    }
    bookmarks[address] = nil
    return (meter, removals(of: meter))
  }

  // MARK: Changes

  /// Notes how far a meter has been fetched.
  mutating func setBookmark(_ bookmark: JSONValue, of meter: GlucoseMeter) -> StateChange {
    bookmarks[meter.address] = bookmark
    return .putEngineRow(row(of: meter, at: bookmark))
  }

  /// Forgets a resident; the rows go with the rest of what is stored about them.
  mutating func erase(_ resident: ResidentID) {
    for meter in meters.values where meter.resident == resident {
      meters[meter.address] = nil
      bookmarks[meter.address] = nil
    }
    unreadable.removeAll { $0.subject == resident.rawValue }
  }

  // MARK: Rows

  private func row(of meter: GlucoseMeter) -> EngineRow {
    row(of: meter.resident, Self.meterName + meter.address.written, meter.json)
  }

  private func row(of meter: GlucoseMeter, at bookmark: JSONValue) -> EngineRow {
    row(of: meter.resident, Self.bookmarkName + meter.address.written, bookmark)
  }

  private func row(of resident: ResidentID, _ name: String, _ content: JSONValue) -> EngineRow {
    EngineRow(engine: Self.engine, subject: resident.rawValue, name: name, content: content)
  }

  private func removals(of meter: GlucoseMeter) -> [StateChange] {
    [Self.meterName, Self.bookmarkName].map {
      .removeEngineRow(
        engine: Self.engine, subject: meter.resident.rawValue, name: $0 + meter.address.written)
    }
  }
}
