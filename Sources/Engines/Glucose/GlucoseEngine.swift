public import Care
public import JSON
public import Moments
import Texts

/// Glucose readings: the log, what lies beyond a resident's limits, and the means of the current month.
///
/// Pure: the same inputs give the same outcomes. A fresh reading beyond a limit becomes `glucose.low`,
/// `glucose.very-low` or `glucose.high`, from which the alarm engine raises an alarm where the severity says so; a
/// later one within becomes `glucose.settled`. At the end of each local day the means of the month are told.
public struct GlucoseEngine: Sendable {
  var logs: [ResidentID: GlucoseLog] = [:]
  var states: [ResidentID: GlucoseState] = [:]
  var settings: [ResidentID: GlucoseSettings] = [:]
  private var written: [ResidentID: GlucoseState] = [:]
  private var staleRows: [EngineRow] = []
  private var wake: Tick?

  /// An engine over what is stored.
  ///
  /// - Parameters:
  ///   - readings: of each resident the newest ``GlucoseLog/atMost``, in any order.
  ///   - rows: the stored rows of engine `glucose`.
  public init(
    readings: [GlucoseReading], rows: [EngineRow], settings: [ResidentID: [String: JSONValue]],
    in world: World
  ) {
    logs = Dictionary(grouping: readings, by: \.resident).mapValues { GlucoseLog($0) }
    self.settings = settings.mapValues { GlucoseSettings($0) }
    for row in rows where row.engine == GlucoseState.engine {
      guard row.name == GlucoseState.rowName, let state = try? GlucoseState(json: row.content)
      else {
        staleRows.append(row)
        continue
      }
      states[ResidentID(row.subject)] = state
    }
    written = states
    wake = staleRows.isEmpty ? nextMidnight(in: world) : world.now.tick
  }

  // MARK: Views

  /// The readings of a resident that are in memory.
  public func log(of resident: ResidentID) -> GlucoseLog { logs[resident] ?? GlucoseLog() }

  /// Whose a reading is; nil when it is not in memory.
  public func resident(of id: GlucoseReadingID) -> ResidentID? {
    logs.keys.sorted().first { logs[$0]?.reading(id) != nil }
  }

  /// The settings of a resident.
  public func settings(of resident: ResidentID) -> GlucoseSettings {
    settings[resident] ?? GlucoseSettings()
  }

  /// When ``GlucoseInput/time`` is due; nil when nothing is waited for.
  public var nextWake: Tick? { wake }

  /// The rows of engine `glucose` as they are stored.
  public var rows: [EngineRow] {
    written.keys.sorted().compactMap { written[$0]?.row(of: $0) } + staleRows
  }

  // MARK: Inputs

  /// Takes one input and says what follows.
  public mutating func handle(
    _ input: GlucoseInput, in world: World
  ) -> Outcome {
    var outcome = Outcome()
    switch input {
    case .received(let readings): take(readings, in: world, &outcome)
    case .beyondRange(let end, let resident, let time, let origin):
      take(end, of: resident, at: time, from: origin, in: world, &outcome)
    case .settingsChanged(let resident, let contents):
      settings[resident] = GlucoseSettings(contents)
    case .circumstancesChanged: break
    case .time: forgetStale(&outcome)
    }
    finish(in: world, &outcome)
    return outcome
  }

  /// Does what somebody asks.
  ///
  /// - Parameter stored: what the store holds under the id that the request names; nil for nothing.
  /// - Throws: why not; nothing has happened then.
  public mutating func perform(
    _ request: GlucoseRequest, by principal: Principal, stored: GlucoseReading? = nil,
    in world: World
  ) throws(CommandReply.Refusal) -> Outcome {
    var attempt = self
    var outcome = Outcome()
    switch request {
    case .put(let reading, let seen):
      try attempt.put(reading, seen: seen, by: principal, stored, in: world, &outcome)
    case .remove(let id, let seen):
      try attempt.remove(id, seen: seen, by: principal, stored, in: world, &outcome)
    case .showing(let end, let resident, let time, let by):
      try attempt.show(end, of: resident, at: time, by: by, in: world, &outcome)
    case .add(let readings, let resident):
      try attempt.add(readings, to: resident, by: principal, in: world, &outcome)
    }
    attempt.finish(in: world, &outcome)
    self = attempt
    return outcome
  }

  /// Forgets everything of a resident; their rows go with the rest of what is stored about them.
  public mutating func erase(_ resident: ResidentID) {
    logs[resident] = nil
    states[resident] = nil
    written[resident] = nil
    settings[resident] = nil
    staleRows.removeAll { $0.subject == resident.rawValue }
  }

  // MARK: The end of a step

  private mutating func finish(in world: World, _ outcome: inout Outcome) {
    tellMonths(in: world, &outcome)
    for resident in Set(states.keys).union(written.keys).sorted() {
      let state = states[resident].flatMap { $0.isEmpty ? nil : $0 }
      guard state != written[resident] else { continue }
      written[resident] = state
      outcome.changes.append(
        state.map { .putEngineRow($0.row(of: resident)) }
          ?? .removeEngineRow(
            engine: GlucoseState.engine, subject: resident.rawValue, name: GlucoseState.rowName))
    }
    wake = staleRows.isEmpty ? nextMidnight(in: world) : world.now.tick
  }

  private mutating func forgetStale(_ outcome: inout Outcome) {
    for row in staleRows {
      outcome.changes.append(
        .removeEngineRow(engine: row.engine, subject: row.subject, name: row.name))
    }
    staleRows = []
  }

  // MARK: Readings of meters and files

  mutating func take(
    _ readings: [GlucoseReading], by principal: Principal? = nil, in world: World,
    _ outcome: inout Outcome
  ) {
    var fresh: [ResidentID: [GlucoseReading]] = [:]
    for offered in readings where world.people[offered.resident] != nil {
      let resident = offered.resident
      if let known = logs[resident]?.reading(offered.id) {
        complete(known, from: offered, in: world, &outcome)
        continue
      }
      var reading = GlucoseRules.received(offered, at: world.now)
      reading.revision = max(1, offered.revision)
      logs[resident, default: GlucoseLog()].put(reading)
      noteChange(of: reading, in: world)
      fresh[resident, default: []].append(reading)
      outcome.changes.append(.putGlucoseReading(reading))
      outcome.events.append(news(.glucoseRecorded, of: reading, by: principal, in: world))
    }
    for resident in fresh.keys.sorted() {
      guard let new = fresh[resident]?.sorted(by: GlucoseReading.isEarlier) else { continue }
      if let doubtful = new.last(where: { !$0.isTimeCertain }) {
        judge(doubtful, in: world, &outcome)
      }
      if let newest = new.last(where: \.isTimeCertain),
        self.newest(of: resident, in: world)?.id == newest.id
      {
        judge(newest, in: world, &outcome)
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
    logs[reading.resident]?.put(reading)
    for version in [known, reading] { noteChange(of: version, in: world) }
    outcome.changes.append(.putGlucoseReading(reading))
    outcome.events.append(news(.glucoseCorrected, of: reading, previous: known, in: world))
  }
}
