import Alarms
import Care
import CivilTime
import GlucoseValues
import JSON
import Moments
import TestSupport
import Testing
import Texts

@testable import Glucose

/// A resident with an engine for glucose, one for alarms, a store that keeps what it is told to, and the time.
struct Home {
  static let start = Moment(tick: .seconds(1000), utc: GlucoseSamples.start, quality: .synchronised)

  /// What the engine is told beside what people ask of it.
  enum Told {
    /// Mary's meter was read.
    case received([GlucoseReading])
    /// Somebody's meter could not measure because the level was beyond its range.
    case beyondRange(GlucoseLevelFault.End, ResidentID, time: Timestamp)
    /// Settings of Mary changed; all that differ from the default.
    case settingsChanged([String: JSONValue])
    /// The clock was set or became trusted.
    case circumstancesChanged
    /// The tick that the engine asked for has come.
    case time
  }

  var engine: GlucoseEngine
  var alarms: AlarmEngine
  var house: House
  var language = Language.en {
    didSet { house.settings["mary", default: [:]]["language"] = .string(language.rawValue) }
  }
  var now: Moment
  var events: [EventDraft] = []
  /// Rows of the engine's own name.
  var store: [String: EngineRow] = [:]
  /// Rows of meters.
  var meterStore: [String: EngineRow] = [:]
  var readings: [GlucoseReadingID: GlucoseReading] = [:]

  init(_ settings: [String: JSONValue] = [:], at start: Moment = Home.start) {
    now = start
    house = House(
      residents: [Resident(id: "mary", name: "Mary", timeZone: "Etc/UTC")],
      settings: ["mary": settings], timeZones: ["Etc/UTC": .utc])
    let world = World(now: start, house: house, boot: "boot-1")
    let row = Samples.row(of: Samples.meter)
    meterStore["mary/\(row.name)"] = row
    engine = GlucoseEngine(stored: StoredState(engineRows: [row]), seed: 7, in: world)
    alarms = AlarmEngine(stored: StoredState(), seed: 7, in: world)
  }

  var world: World { World(now: now, house: house, boot: "boot-1") }

  var types: [String] { events.map(\.type.rawValue) }
  /// What was found beyond limits and settled, without records.
  var findings: [String] {
    let records: [EventType] = [
      .glucoseRecorded, .glucoseCorrected, .glucoseRemoved, .glucoseMonth, .recordChanged,
    ]
    return events.filter { !records.contains($0.type) }
      .map { "\($0.type.rawValue) \($0.facts["severity"]?.stringContent ?? "-")" }
  }
  var openAlarms: Int { alarms.summaries().filter { $0["kind"] == "glucose" }.count }

  // MARK: Doing

  mutating func take(_ outcome: Outcome) {
    events += outcome.events
    for change in outcome.changes {
      switch change {
      case .put(let row):
        if let reading = row.content as? GlucoseReading { readings[reading.id] = reading }
      case .remove(let key): readings[GlucoseReadingID(key.values[0])] = nil
      case .putEngineRow(let row) where row.engine == "glucose":
        store["\(row.subject)/\(row.name)"] = row
      case .putEngineRow(let row): meterStore["\(row.subject)/\(row.name)"] = row
      case .removeEngineRow("glucose", let subject, let name): store["\(subject)/\(name)"] = nil
      case .removeEngineRow(_, let subject, let name): meterStore["\(subject)/\(name)"] = nil
      default: break
      }
    }
    for draft in outcome.events {
      guard let signal = draft.signal else { continue }
      _ = try? alarms.handle(.signalled(signal), in: world)
    }
  }

  mutating func handle(_ told: Told) {
    switch told {
    case .received(let readings):
      offer(.observed(.meter(Samples.report(readings))))
    case .beyondRange(let end, let resident, let time):
      let showing = MeterReport.BeyondRange(end: end, time: time)
      offer(.observed(.meter(Samples.report(of: resident, beyondRange: [showing]))))
    case .settingsChanged(let contents):
      house.settings["mary"] = contents
      for name in contents.keys.sorted() { offer(.changed(.setting("mary", name: name))) }
    case .circumstancesChanged: offer(.observed(.clock(ClockReport(quality: now.quality))))
    case .time: offer(.time)
    }
  }

  /// Offers an input; says whether the engine took it.
  @discardableResult
  mutating func offer(_ input: Input) -> Bool {
    guard let asked = Asked(offering: input, to: &engine, in: world) else { return false }
    #expect(asked.refusal == nil)
    take(asked.outcome)
    return true
  }

  /// Mary is erased with everything known about her.
  mutating func erase() {
    house.residents["mary"] = nil
    house.settings["mary"] = nil
    offer(.changed(.erased("mary")))
  }

  /// The time so many minutes after the start, and what the engine asked for until then.
  mutating func wait(until minutes: Int) {
    let end = Home.start.advanced(byMilliseconds: Int64(minutes) * 60_000)
    while let wake = engine.nextWake, wake <= end.tick {
      let step = max(0, wake.milliseconds(since: now.tick))
      let quality = now.quality
      now = now.advanced(byMilliseconds: step)
      now.quality = quality
      handle(.time)
    }
    let quality = now.quality
    now = now.advanced(byMilliseconds: end.tick.milliseconds(since: now.tick))
    now.quality = quality
  }

  /// A meter's reading of this very moment.
  mutating func measure(
    _ level: String, at minutes: Int, sensor: GlucoseReading.Sensor = .fingerStick,
    doubts: [GlucoseReading.TimeDoubt] = []
  ) {
    wait(until: minutes)
    handle(
      .received([
        GlucoseSamples.reading(level, minutes: minutes, sensor: sensor, doubts: doubts)
      ]))
  }

  @discardableResult
  mutating func ask(
    _ request: GlucoseRequest, stored: GlucoseReading? = nil
  ) -> Asked {
    ask(.glucose(request), stored: stored)
  }

  @discardableResult
  mutating func ask(_ request: Command.Request, stored: GlucoseReading? = nil) -> Asked {
    let command = Command(
      id: "c", principal: Principal(channel: .local, name: "anna"), request: request,
      stored: stored.map { .glucose($0) })
    let input = Input.asked(command, sent: now.tick)
    let world = world
    let before = held
    let asked = Asked { () throws(CommandReply.Refusal) in
      guard let outcome = try engine.handle(input, in: world) else {
        Issue.record("a request about glucose is the engine's")
        return Outcome()
      }
      return outcome
    }
    if asked.refusal != nil { #expect(held == before) }
    take(asked.outcome)
    return asked
  }

  /// What the engine holds, as the store would.
  var held: StoredState {
    var state = StoredState()
    engine.store(in: &state)
    return state
  }

  /// The gateway stops and starts again over what is stored.
  mutating func restart() {
    engine = GlucoseEngine(
      stored: StoredState(
        glucoseReadings: readings.keys.sorted().compactMap { readings[$0] }
          .map { FeatureValue($0) },
        engineRows: [store, meterStore].flatMap { rows in
          rows.keys.sorted().compactMap { rows[$0] }
        }), seed: 7, in: world)
  }
}
