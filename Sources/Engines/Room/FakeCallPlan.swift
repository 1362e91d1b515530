import Bytes
import Care
import JSON
import Moments
import Texts

/// A call that was asked for, as it is stored until it is answered or ended.
struct FakeCallPlan: Hashable, Sendable {
  static let engine = "fake-call"
  static let row = "call"

  var resident: ResidentID
  var country: String
  var language: String
  var recording: String?
  /// How often it has rung already.
  var rings: Int64 = 0
  /// When it rings, or began to ring.
  var dueTick: Tick
  /// The boot that ``dueTick`` belongs to.
  var boot: BootID
  /// The same in UTC; nil when the clock was not trusted.
  var dueTime: Timestamp?

  /// Sets when it rings next.
  mutating func ring(atMilliseconds later: Int64, from now: Moment, boot: BootID) {
    self.boot = boot
    dueTick = now.tick.advanced(byMilliseconds: later)
    dueTime = now.quality.isTrusted ? now.utc.advanced(byMilliseconds: later) : nil
  }
}

extension FakeCallPlan {
  init(row: EngineRow) throws(DecodeError) {
    let reader = try JSONReader(row.content)
    resident = ResidentID(row.subject)
    country = try reader.string("country")
    language = try reader.string("language")
    recording = try reader.optionalString("recording")
    rings = try reader.count("rings")
    dueTick = Tick(nanoseconds: try reader.integer("dueTick"))
    boot = BootID(try reader.string("boot"))
    dueTime = try reader.optionalTimestamp("dueTime")
  }

  var stored: EngineRow {
    EngineRow(
      engine: Self.engine, subject: resident.rawValue, name: Self.row,
      content: .object([
        "country": .string(country), "language": .string(language),
        "recording": recording.map { .string($0) }, "rings": .integer(rings),
        "dueTick": .integer(dueTick.nanoseconds), "boot": .string(boot.rawValue),
        "dueTime": dueTime.map { .string($0.iso8601) },
      ]))
  }
}

extension FakeCallPlan {
  /// A call as a resident's settings want it, to ring now.
  init(for resident: ResidentID, in world: World) {
    let alarms = world.people[resident]?.alarms ?? AlarmSettings()
    let countries = [alarms.fakeCallCountry, alarms.country]
    let script = alarms.fakeCallScript
    self.init(
      resident: resident, country: countries.first { !$0.isEmpty } ?? "GB",
      language: world.language(of: resident).rawValue, recording: script.isEmpty ? nil : script,
      dueTick: world.now.tick, boot: world.boot)
  }
}
