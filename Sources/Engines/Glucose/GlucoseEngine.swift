public import Care
public import CivilTime
import GlucoseValues
public import JSON
public import Moments

/// Glucose readings: the meters that bring them, the log, what lies beyond a resident's limits, and the means of the
/// current month.
///
/// Pure: the same inputs give the same outcomes. A fresh reading beyond a limit becomes `glucose.low`,
/// `glucose.very-low` or `glucose.high`, from which the alarm engine raises an alarm where the severity says so; a
/// later one within becomes `glucose.settled`. At the end of each local day the means of the month are told.
public struct GlucoseEngine: Engine {
  /// The limits and the unit of each resident.
  public static var settings: (any NamedSettings.Type)? { GlucoseSettings.self }

  /// What meters bring, time, and what people ask.
  public static var hears: InputKinds { [.started, .time, .clock, .meter, .changed, .asked] }

  /// What is known of the house, as the last input found it.
  private(set) var house: House
  /// What ``house`` says of each resident's settings.
  private var settings: [ResidentID: GlucoseSettings]
  var logs: GlucoseLogs
  var states: [ResidentID: GlucoseState] = [:]
  private var meters: Meters
  private var stored: GlucoseRows
  private var wake: Tick?

  /// An engine over what is stored: of each resident the newest ``GlucoseLog/atMost`` readings, in any order.
  public init(stored: StoredState, seed: UInt64, in world: World) {
    house = world.house
    settings = Self.settings(in: world.house)
    logs = GlucoseLogs(stored.readings)
    meters = Meters(rows: stored.engineRows)
    self.stored = GlucoseRows(stored.engineRows)
    states = self.stored.written
    wake = self.stored.hasStale ? world.now.tick : nextMidnight(in: world)
  }

  /// Each resident's settings, taken together: a limit alone may not fit the default of another.
  private static func settings(in house: House) -> [ResidentID: GlucoseSettings] {
    house.people.keys.reduce(into: [:]) { settings, resident in
      let own = house.settings[resident] ?? [:]
      settings[resident] = GlucoseSettings(house.defaults.merging(own) { $1 })
    }
  }

  // MARK: Views

  /// The readings of a resident that are in memory.
  public func log(of resident: ResidentID) -> GlucoseLog { logs[resident] }

  /// The settings of a resident.
  public func settings(of resident: ResidentID) -> GlucoseSettings {
    settings[resident] ?? GlucoseSettings()
  }

  /// How one speaks of a resident's glucose.
  func words(about resident: ResidentID, in world: World) -> GlucoseWords {
    GlucoseWords(resident, settings(of: resident), world)
  }

  /// Whom a request about readings or meters concerns; nil when it names what is not in memory.
  public func resident(concernedBy request: Command.Request) -> ResidentID? {
    switch request {
    case .bluetooth(let request): meters.resident(concernedBy: request)
    default: (try? GlucoseRequest(request)).flatMap { resident(concernedBy: $0) }
    }
  }

  private func resident(concernedBy request: GlucoseRequest) -> ResidentID? {
    switch request {
    case .put(let reading, _): reading.resident
    case .remove(let id, _): logs.reading(id)?.resident
    case .showing(_, let resident, _, _), .add(_, let resident): resident
    }
  }

  /// Every meter, how far it has been fetched, and the zone that its resident lives by.
  public var knownMeters: [(meter: GlucoseMeter, bookmark: JSONValue?, zone: CivilTimeZone?)] {
    meters.all.compactMap { meter, bookmark in
      house.people[meter.resident].map { (meter, bookmark, $0.zone) }
    }
  }

  /// Whose a meter is; nil when it is nobody's.
  public func resident(of meter: BluetoothAddress) -> ResidentID? { meters[meter]?.resident }

  /// Whom it concerns; nil where that is not known here.
  public func resident(concernedBy observation: Observation) -> ResidentID? {
    guard case .meter(let value) = observation,
      let report = try? value.value(as: MeterReport.self)
    else { return nil }
    return resident(of: report.meter)
  }

  /// When ``Input/time`` is due; nil when nothing is waited for.
  public var nextWake: Tick? { wake }

  /// Adds readings, what is remembered of each resident, and meters.
  public func store(in state: inout StoredState) {
    state.glucoseReadings += logs.readings.map { FeatureValue($0) }
    state.engineRows += rows + meters.rows
  }

  /// The rows of engine `glucose` as they are stored.
  var rows: [EngineRow] { stored.all }

  // MARK: Inputs

  /// Takes what people ask of readings and meters, what meters say, and what the end of a day or a limit depends on.
  public mutating func handle(
    _ input: Input, in world: World
  ) throws(CommandReply.Refusal) -> Outcome? {
    if world.house.version != house.version {
      house = world.house
      settings = Self.settings(in: house)
    }
    switch input {
    case .asked(let command, _): return try perform(command, in: world)
    case .observed(.meter(let value)):
      return (try? value.value()).flatMap { takeReport($0, in: world) }
    case .observed(.clock), .started: return finished(in: world)
    case .changed(let change): return follow(change, in: world)
    case .time:
      var outcome = Outcome()
      outcome.changes += stored.dropStale()
      finish(in: world, &outcome)
      return outcome
    default: return nil
    }
  }

  private mutating func follow(_ change: HouseChange, in world: World) -> Outcome? {
    switch change {
    case .erased(let resident):
      erase(resident)
      return Outcome()
    case .setting(_, let name) where !GlucoseSettings.names.contains(name): return nil
    case .resident, .setting, .timeZone: return finished(in: world)
    case .guardians, .zones, .consent, .clock: return nil
    }
  }

  /// Does what somebody asks; nil where it is about neither readings nor meters.
  private mutating func perform(
    _ command: Command, in world: World
  ) throws(CommandReply.Refusal) -> Outcome? {
    if case .bluetooth(let request) = command.request {
      return try meters.perform(request, by: command.principal, in: house)
    }
    guard let request = try Self.asked(command.request) else { return nil }
    try check(request)
    var outcome = Outcome()
    var attempt = self
    try attempt.carryOut(request, command, in: world, &outcome)
    attempt.finish(in: world, &outcome)
    self = attempt
    return outcome
  }

  /// Forgets everything of a resident; their rows go with the rest of what is stored about them.
  private mutating func erase(_ resident: ResidentID) {
    logs.erase(resident)
    states[resident] = nil
    stored.erase(resident)
    meters.erase(resident)
  }

  // MARK: The end of a step

  private mutating func finished(in world: World) -> Outcome {
    var outcome = Outcome()
    finish(in: world, &outcome)
    return outcome
  }

  mutating func finish(in world: World, _ outcome: inout Outcome) {
    tellMonths(in: world, &outcome)
    outcome.changes += stored.changes(to: states)
    wake = stored.hasStale ? world.now.tick : nextMidnight(in: world)
  }

  // MARK: Readings of meters and files

  /// Takes what was fetched from a meter: its own resident's readings, what it could not measure, and how far it has
  /// been fetched; nil when it is nobody's.
  private mutating func takeReport(_ report: MeterReport, in world: World) -> Outcome? {
    guard let meter = meters[report.meter] else { return nil }
    var outcome = Outcome()
    let mine = report.readings.filter { $0.resident == meter.resident && $0.source == .meter }
    if !mine.isEmpty {
      take(mine, in: world, &outcome)
      finish(in: world, &outcome)
    }
    for showing in report.beyondRange {
      outcome.events += take(
        showing.end, of: meter.resident, at: showing.time, from: meter.name, in: world)
      finish(in: world, &outcome)
    }
    outcome.changes.append(meters.setBookmark(report.bookmark, of: meter))
    return outcome
  }

  mutating func take(
    _ readings: [GlucoseReading], by principal: Principal? = nil, in world: World,
    _ outcome: inout Outcome
  ) {
    var fresh: [ResidentID: [GlucoseReading]] = [:]
    for offered in readings where world.people[offered.resident] != nil {
      let resident = offered.resident
      if let known = logs[resident].reading(offered.id) {
        complete(known, from: offered, in: world, &outcome)
        continue
      }
      var reading = GlucoseRules.received(offered, at: world.now)
      reading.revision = max(1, offered.revision)
      logs.put(reading)
      noteChange(of: reading, in: world)
      fresh[resident, default: []].append(reading)
      outcome.changes.append(.putGlucoseReading(reading))
      outcome.events.append(
        ReadingNews(type: .glucoseRecorded, reading: reading, principal: principal)
          .event(in: words(about: resident, in: world)))
    }
    for resident in fresh.keys.sorted() {
      guard let new = fresh[resident]?.sorted(by: GlucoseReading.isEarlier) else { continue }
      if let doubtful = new.last(where: { !$0.isTimeCertain }) {
        outcome.events += judge(doubtful, in: world)
      }
      if let newest = new.last(where: \.isTimeCertain),
        logs[resident].newest(at: world.now)?.id == newest.id
      {
        outcome.events += judge(newest, in: world)
      }
    }
  }

  /// A meter may say only later what a reading is about. What a person changed meanwhile stays as it is.
  private mutating func complete(
    _ known: GlucoseReading, from offered: GlucoseReading, in world: World,
    _ outcome: inout Outcome
  ) {
    guard known.source == .meter, known.revision == 1, known.tag == nil, let tag = offered.tag
    else { return }
    var reading = known
    reading.tag = tag
    reading.revision += 1
    logs.put(reading)
    for version in [known, reading] { noteChange(of: version, in: world) }
    outcome.changes.append(.putGlucoseReading(reading))
    outcome.events.append(
      ReadingNews(type: .glucoseCorrected, reading: reading, previous: known).event(
        in: words(about: reading.resident, in: world)))
  }
}
