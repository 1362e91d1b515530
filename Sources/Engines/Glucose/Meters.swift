import Bytes
public import Care
public import CivilTime
import GlucoseValues
public import JSON
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

  // MARK: Changes

  func requirePlace(for meter: GlucoseMeter) throws(CommandReply.Refusal) {
    guard meters[meter.address] != nil || meters.count < Self.atMost else {
      throw CommandReply.Refusal(
        .conflict,
        Message(
          "One gateway fetches from at most {most} meters. Remove one first.",
          ["most": Self.atMost]))
    }
  }

  mutating func put(_ meter: GlucoseMeter) throws(CommandReply.Refusal) -> [StateChange] {
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

  mutating func remove(
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

extension GlucoseEngine {
  // MARK: What people see of meters

  /// Every meter, how far it has been fetched, and the zone that its resident lives by.
  public var knownMeters: [(meter: GlucoseMeter, bookmark: JSONValue?, zone: CivilTimeZone?)] {
    meters.all.compactMap { meter, bookmark in
      house.people[meter.resident].map { (meter, bookmark, $0.zone) }
    }
  }

  /// Whose a meter is; nil when it is nobody's.
  public func resident(of meter: BluetoothAddress) -> ResidentID? { meters[meter]?.resident }

  // MARK: What people ask of meters

  mutating func put(
    _ meter: GlucoseMeter, by principal: Principal, _ outcome: inout Outcome
  ) throws(CommandReply.Refusal) {
    try house.requireResident(meter.resident)
    try Validation.name(meter.name)
    outcome.changes += try meters.put(meter)
    outcome.events.append(
      .note("meter.put", meter.address.written, of: meter.resident, by: principal, meter.json))
    outcome.reply = ["id": .string(meter.address.written)]
  }

  /// That a meter is about to be paired, which the radio does; once it is, it is put.
  func pair(
    _ meter: GlucoseMeter, by principal: Principal, _ outcome: inout Outcome
  ) throws(CommandReply.Refusal) {
    try house.requireResident(meter.resident)
    try Validation.name(meter.name)
    try meters.requirePlace(for: meter)
    outcome.events.append(
      .note("meter.pair", meter.address.written, of: meter.resident, by: principal, meter.json))
    outcome.reply = ["id": .string(meter.address.written)]
  }

  /// What a pairing waits for is given by the radio; nothing of it is kept.
  func admitAnswer(
    to address: BluetoothAddress, of resident: ResidentID, _ outcome: inout Outcome
  ) throws(CommandReply.Refusal) {
    try house.requireResident(resident)
    outcome.reply = ["id": .string(address.written)]
  }

  mutating func removeMeter(
    _ address: BluetoothAddress, by principal: Principal, _ outcome: inout Outcome
  ) throws(CommandReply.Refusal) {
    let (meter, changes) = try meters.remove(address)
    outcome.changes += changes
    outcome.events.append(
      .note("meter.remove", address.written, of: meter.resident, by: principal, meter.json))
    outcome.reply = ["removed": .string(address.written)]
  }

  // MARK: What meters say

  /// Takes what was fetched from a meter: its own resident's readings, what it could not measure, and how far it has
  /// been fetched; nil when it is nobody's.
  mutating func takeReport(_ report: MeterReport, in world: World) -> Outcome? {
    guard let meter = meters[report.meter] else { return nil }
    var outcome = Outcome()
    let mine = report.readings.filter { $0.resident == meter.resident && $0.source == .meter }
    if !mine.isEmpty {
      take(mine, in: world, &outcome)
      finish(in: world, &outcome)
    }
    for showing in report.beyondRange {
      take(
        showing.end, of: meter.resident, at: showing.time, from: meter.name, in: world, &outcome)
      finish(in: world, &outcome)
    }
    outcome.changes.append(meters.setBookmark(report.bookmark, of: meter))
    return outcome
  }
}
