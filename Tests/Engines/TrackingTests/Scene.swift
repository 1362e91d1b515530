import Bytes
import Care
import JSON
import Moments

@testable import Tracking

extension SplitMix64 {
  mutating func number(_ range: ClosedRange<Double>) -> Double {
    Double.random(in: range, using: &self)
  }
}

/// A resident, a home in the middle of nowhere, an engine, and the time.
struct Scene {
  static let home = place(10, 20)
  static let mary = Resident(
    id: "mary", name: "Mary", timeZone: "Etc/UTC", gpsSource: SourceID("gps"))
  static let start = Moment(
    tick: .seconds(1000), utc: .seconds(1_800_000_000), quality: .synchronised)

  var engine: Tracker
  var now: Moment
  var events: [(second: Double, draft: EventDraft)] = []
  var changes: [StateChange] = []
  var actions: [Action] = []
  let origin: Moment
  var isReceiverClockSet = true

  init(
    zones: [SafeZone] = [Scene.zone()], settings: TrackingSettings = TrackingSettings(),
    at start: Moment = Scene.start, resident: Resident = Scene.mary
  ) {
    engine = Tracker(
      resident: resident, settings: settings, zones: zones, rows: [], boot: "boot-1", at: start)
    now = start
    origin = start
  }

  /// Somewhere on Earth; the tests only name places that exist.
  static func place(_ latitude: Double, _ longitude: Double) -> Coordinate {
    guard
      let found = Coordinate(latitudeDegrees: latitude, longitudeDegrees: longitude)
    else { preconditionFailure("no such place") }
    return found
  }

  static func zone(
    _ id: ZoneID = "home", name: String = "Home", at center: Coordinate = home,
    radius: Double = 25, margin: Double = 50, isHome: Bool = true
  ) -> SafeZone {
    SafeZone(
      id: id, resident: "mary", name: name, center: center, radiusMeters: radius,
      exitMarginMeters: margin, isHome: isHome)
  }

  var second: Double { Double(now.tick.milliseconds(since: origin.tick)) / 1000 }

  /// Lives through time up to a second of the scene, waking the engine whenever it wants.
  mutating func wait(until second: Double) {
    let end = origin.advanced(byMilliseconds: Int64((second * 1000).rounded()))
    while let wake = engine.nextWake, wake < end.tick {
      let step = max(0, wake.milliseconds(since: now.tick))
      now = now.advanced(byMilliseconds: step)
      if now.tick < wake { now = now.advanced(byMilliseconds: 1) }
      handle(.time)
    }
    now = Moment(
      tick: end.tick, utc: now.utc.advanced(byMilliseconds: end.tick.milliseconds(since: now.tick)),
      quality: now.quality)
  }

  mutating func handle(_ input: TrackerInput) {
    let outcome = engine.handle(input, at: now)
    events += outcome.events.map { (second, $0) }
    changes += outcome.changes
    actions += outcome.actions
  }

  /// A report at a second of the scene.
  mutating func report(_ second: Double, _ report: FixReport) {
    wait(until: second)
    handle(.fix(report))
  }

  /// A fix so many metres east of home at a second of the scene.
  mutating func fix(
    _ second: Double, east: Double, accuracy: Double? = 4, speed: Double? = nil
  ) {
    fix(second, at: Self.home.moved(meters: east, bearingDegrees: 90), accuracy, speed)
  }

  mutating func fix(
    _ second: Double, at position: Coordinate, _ accuracy: Double? = 4, _ speed: Double? = nil
  ) {
    wait(until: second)
    let time = isReceiverClockSet ? now.utc : nil
    handle(.fix(Self.report(position, accuracy: accuracy, speed: speed, time: time)))
  }

  static func report(
    _ position: Coordinate, accuracy: Double? = 4, speed: Double? = nil, time: Timestamp? = nil
  ) -> FixReport {
    FixReport(
      source: "gps", mode: .threeDimensional, latitudeDegrees: position.latitudeDegrees,
      longitudeDegrees: position.longitudeDegrees, accuracyMeters: accuracy,
      speedMetersPerSecond: speed, receiverTime: time)
  }

  /// A new engine from the old one's full rows, as if the daemon had been restarted at once.
  mutating func restart(boot: BootID = "boot-1") {
    restart(rows: engine.rows, boot: boot)
  }

  mutating func restart(rows: [EngineRow], boot: BootID = "boot-1") {
    engine = Tracker(
      resident: engine.resident, settings: engine.settings, zones: engine.zones.zones,
      rows: rows, boot: boot, at: now)
  }

  /// The events of the given lanes, without those of faults.
  func types(_ lanes: [Lane] = [.alarm]) -> [String] {
    events.filter { lanes.contains($0.draft.lane) }.map(\.draft.type.rawValue)
  }

  func all(_ type: EventType) -> [(second: Double, draft: EventDraft)] {
    events.filter { $0.draft.type == type }
  }

  /// What a store would hold after all changes.
  var storedRows: [EngineRow] {
    var rows: [String: EngineRow] = [:]
    for change in changes {
      switch change {
      case .putEngineRow(let row): rows[row.name] = row
      case .removeEngineRow(_, _, let name): rows[name] = nil
      default: continue
      }
    }
    return rows.values.sorted { $0.name < $1.name }
  }
}

extension EventDraft {
  func text(_ name: String) -> String? { facts[name]?.stringContent }
  func number(_ name: String) -> Double? { facts[name]?.doubleContent }
  var explanation: String { text("explanation") ?? "" }
}
