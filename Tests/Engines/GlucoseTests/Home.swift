import Alarms
import Care
import CivilTime
import JSON
import Moments
import TestSupport
import Texts

@testable import Glucose

/// A resident with an engine for glucose, one for alarms, a store that keeps what it is told to, and the time.
struct Home {
  static let start = Moment(tick: .seconds(1000), utc: Samples.start, quality: .synchronised)

  var engine: GlucoseEngine
  var alarms: AlarmEngine
  var settings: [String: JSONValue]
  var language = Language.en
  var zone: CivilTimeZone? = .utc
  var now: Moment
  var events: [EventDraft] = []
  var store: [String: EngineRow] = [:]
  var readings: [GlucoseReadingID: GlucoseReading] = [:]

  init(_ settings: [String: JSONValue] = [:], at start: Moment = Home.start) {
    self.settings = settings
    now = start
    let mary = Resident(id: "mary", name: "Mary", timeZone: "Etc/UTC")
    engine = GlucoseEngine(
      readings: [], rows: [], settings: ["mary": settings],
      in: World(now: start, people: ["mary": .init(name: "Mary", zone: .utc)]))
    alarms = AlarmEngine(
      residents: [mary], guardians: [], settings: [:], rows: [], seed: 7, boot: "boot-1",
      in: World(now: start))
  }

  var world: World {
    World(now: now, people: ["mary": .init(name: "Mary", language: language, zone: zone)])
  }

  var types: [String] { events.map(\.type.rawValue) }
  /// What was found beyond limits and settled, without records.
  var findings: [String] {
    let records: [EventType] = [
      .glucoseRecorded, .glucoseCorrected, .glucoseRemoved, .glucoseMonth,
    ]
    return events.filter { !records.contains($0.type) }
      .map { "\($0.type.rawValue) \($0.facts["severity"]?.stringContent ?? "-")" }
  }
  var openAlarms: Int { alarms.summaries.filter { $0["kind"] == "glucose" }.count }

  // MARK: Doing

  mutating func take(_ outcome: Outcome) {
    events += outcome.events
    for change in outcome.changes {
      switch change {
      case .putGlucoseReading(let reading): readings[reading.id] = reading
      case .removeGlucoseReading(let id): readings[id] = nil
      case .putEngineRow(let row): store["\(row.subject)/\(row.name)"] = row
      case .removeEngineRow(_, let subject, let name): store["\(subject)/\(name)"] = nil
      default: break
      }
    }
    for draft in outcome.events {
      guard let signal = draft.signal else { continue }
      _ = alarms.handle(.signalled(signal), in: World(now: now))
    }
  }

  mutating func handle(_ input: GlucoseInput) { take(engine.handle(input, in: world)) }

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
        Samples.reading(level, minutes: minutes, sensor: sensor, doubts: doubts)
      ]))
  }

  @discardableResult
  mutating func ask(
    _ request: GlucoseRequest, stored: GlucoseReading? = nil
  ) -> Asked {
    let world = world
    let asked = Asked { () throws(CommandReply.Refusal) in
      try engine.perform(
        request, by: Principal(channel: .local, name: "anna"), stored: stored, in: world)
    }
    take(asked.outcome)
    return asked
  }

  /// The gateway stops and starts again over what is stored.
  mutating func restart() {
    engine = GlucoseEngine(
      readings: readings.keys.sorted().compactMap { readings[$0] },
      rows: store.keys.sorted().compactMap { store[$0] }, settings: ["mary": settings],
      in: world)
  }
}
