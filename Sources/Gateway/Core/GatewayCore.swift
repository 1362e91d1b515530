import Absences
import Alarms
public import Care
import CivilTime
import FakeCall
import Glucose
import JSON
public import Moments
import Notebook
import Proximity
import Reminders
import Texts
import Tracking

/// All engines of the gateway, composed into one step.
///
/// A pure value: the same inputs at the same moments give the same events, changes and actions, bit for bit on the same
/// build. It never asks for the time and does nothing outside.
public struct GatewayCore: Sendable {
  /// Settings from the configuration.
  public internal(set) var configuration: CoreConfiguration
  /// The boot that all ticks of this run belong to.
  public let boot: BootID

  var directory: Directory
  var consents: ConsentBook
  var bluetooth: BluetoothBook
  var trackers: [ResidentID: TrackingEngine] = [:]
  var proximities: [ResidentID: ProximityEngine] = [:]
  private var distantAlarms: Distant<AlarmEngine>
  private var distantFakeCall: Distant<FakeCallEngine>
  private var distantReminders: Distant<ReminderEngine>
  private var distantNotebook: Distant<NotebookEngine>
  private var distantGlucose: Distant<GlucoseEngine>
  var absences: AbsenceEngine
  private var identifiers: IdentifierGenerator
  private var faultWatch: FaultWatch
  var ledger: CommandLedger
  /// What was taken away of the residents' protection and is to be told.
  var guardBook: GuardBook
  var homes: HomeBook
  /// What guardians must hear without an alarm.
  var notices: NoticeDesk
  /// When a heartbeat is due; nil where none is wanted.
  private var nextHeartbeat: Tick?
  /// When a heartbeat holds the routine next: the first after a start, then one each day.
  var nextRoutineList: Tick
  private var quality: TimeQuality
  /// How the loudspeaker does; nil as long as nobody has said.
  var soundReport: HealthReport?
  /// How the sentences do; nil as long as nobody has said.
  var speechReport: HealthReport?
  /// What plugins offer; nil as long as nobody has said.
  var ways: WaysReport?
  /// Whether guardians can be told, as a part of the gateway; nil until it is known what plugins offer.
  public internal(set) var reachReport: HealthReport?
  /// Whether it is known whose the buttons are; nil until the first look.
  var ownersReport: HealthReport?
  /// Buttons of plugins that were held and are nobody's.
  var unownedButtons: Set<SourceID> = []

  /// A core over what the store holds.
  public init(
    stored: StoredState, configuration: CoreConfiguration, seed: UInt64, boot: BootID,
    at now: Moment
  ) {
    self.configuration = configuration
    self.boot = boot
    directory = Directory(stored)
    consents = ConsentBook(rows: stored.engineRows)
    bluetooth = BluetoothBook(rows: stored.engineRows)
    identifiers = IdentifierGenerator(seed: seed)
    let coreRows = stored.engineRows.filter { $0.engine == "core" }
    faultWatch = FaultWatch(
      delaySeconds: configuration.faultAfterSeconds, rows: coreRows,
      language: configuration.language, at: now.tick)
    ledger = CommandLedger(rows: coreRows)
    guardBook = GuardBook(rows: stored.engineRows, boot: boot, at: now)
    homes = HomeBook(rows: stored.engineRows)
    notices = NoticeDesk(rows: stored.engineRows, boot: boot, at: now)
    nextHeartbeat = configuration.heartbeatSeconds > 0 ? now.tick : nil
    nextRoutineList = now.tick
    quality = now.quality
    for (name, file) in configuration.timeZoneFiles.sorted(by: { $0.key < $1.key }) {
      directory.timeZones[name] = try? CivilTimeZone(name: name, tzif: file)
    }
    distantReminders = Distant(
      ReminderEngine(
        residents: directory.sortedResidents, items: stored.routineItems,
        occurrences: stored.occurrences, settings: directory.settings, zones: directory.timeZones,
        rows: stored.engineRows.filter { $0.engine == "reminders" }, boot: boot, at: now))
    distantFakeCall = Distant(
      FakeCallEngine(
        rows: stored.engineRows.filter { $0.engine == "fake-call" }, boot: boot, at: now))
    distantNotebook = Distant(
      NotebookEngine(
        notes: stored.notes, messages: stored.messages, pictures: stored.pictures,
        rows: stored.engineRows.filter { $0.engine == "notebook" }, boot: boot, at: now))
    absences = AbsenceEngine(rows: stored.engineRows, at: now)
    let world = World(now: now, language: configuration.language, people: directory.people)
    distantGlucose = Distant(
      GlucoseEngine(
        readings: stored.glucoseReadings,
        rows: stored.engineRows.filter { $0.engine == "glucose" }, settings: directory.settings,
        in: world))
    distantAlarms = Distant(
      AlarmEngine(
        residents: directory.sortedResidents, guardians: directory.sortedGuardians,
        settings: directory.settings, rows: stored.engineRows.filter { $0.engine == "alarms" },
        seed: ~seed, boot: boot, in: world))
    for resident in directory.sortedResidents {
      let rows = stored.engineRows.filter { $0.subject == resident.id.rawValue }
      trackers[resident.id] = makeTracker(for: resident, rows: rows, at: now)
      proximities[resident.id] = makeProximity(for: resident, rows: rows, at: now)
    }
  }

  var alarms: AlarmEngine {
    get { distantAlarms.content }
    _modify { yield &distantAlarms.content }
  }

  var fakeCall: FakeCallEngine {
    get { distantFakeCall.content }
    _modify { yield &distantFakeCall.content }
  }

  var reminders: ReminderEngine {
    get { distantReminders.content }
    _modify { yield &distantReminders.content }
  }

  var notebook: NotebookEngine {
    get { distantNotebook.content }
    _modify { yield &distantNotebook.content }
  }

  var glucose: GlucoseEngine {
    get { distantGlucose.content }
    _modify { yield &distantGlucose.content }
  }

  /// When the core wants the input ``CoreInput/wake`` next; nil for never.
  public var nextWake: Tick? {
    let engines =
      trackers.values.compactMap(\.nextWake) + proximities.values.compactMap(\.nextWake)
    let others = [
      nextHeartbeat, faultWatch.nextWake, alarms.nextWake, fakeCall.nextWake, notebook.nextWake,
      reminders.nextWake, glucose.nextWake, absences.nextWake, guardBook.nextWake,
      notices.nextWake,
    ]
    return (engines + others.compactMap { $0 }).min()
  }

  /// Takes one input at a moment and answers everything that follows from it.
  public mutating func step(_ input: CoreInput, at now: Moment) -> StepResult {
    var step = Step()
    let guards = guardsBefore(input)
    switch input {
    case .observation(let observation): handle(observation, at: now, in: &step)
    case .command(let command): handle(command, at: now, in: &step)
    case .wake: break
    case .started(let version): start(version: version, at: now, in: &step)
    case .timeZone(let name, let file):
      take(timeZone: name, file: file, at: now, in: &step)
      advanceAbsences(at: now, in: &step)
      advanceNotebook(.circumstancesChanged, at: now, in: &step)
      advanceGlucose(.circumstancesChanged, at: now, in: &step)
      advanceAlarms(.time, at: now, in: &step)
    }
    if let guards { compareGuards(with: guards, input, at: now, in: &step) }
    runDueWork(at: now, in: &step)
    if Self.concernsReach(input) { judgeReach(at: now, in: &step) }
    switch input {
    case .command, .started: judgeOwners(at: now, in: &step)
    case .observation, .wake, .timeZone: break
    }
    spread(&step, at: now)
    withholdRefused(&step, at: now)
    return finish(step, at: now)
  }

  var currentFaults: [HealthReport] { faultWatch.faults }

  /// What the core itself finds of the gateway's parts.
  public var ownReports: [HealthReport] { [reachReport, ownersReport].compactMap { $0 } }

  /// Everything that the core holds, as the store would hold it; a core made from it goes on in the same way.
  public var storedState: StoredState {
    let engineRows =
      trackers.keys.sorted().flatMap { trackers[$0]?.rows ?? [] }
      + proximities.keys.sorted().flatMap { proximities[$0]?.rows ?? [] }
    return StoredState(
      residents: directory.sortedResidents, zones: zones(of: nil), bookmarks: bookmarks(of: nil),
      guardians: directory.sortedGuardians, routineItems: reminders.items,
      occurrences: reminders.occurrences, notes: notebook.noteHeads,
      messages: notebook.unreadMessages, pictures: notebook.storedPictures,
      glucoseReadings: directory.sortedResidents.flatMap { glucose.log(of: $0.id).readings },
      settings: directory.sortedSettings,
      engineRows: engineRows + faultWatch.rows + ledger.rows + alarms.rows + fakeCall.rows
        + notebook.rows + reminders.rows + consents.rows + glucose.rows + bluetooth.rows
        + absences.rows + guardBook.rows + notices.rows + homes.rows)
  }

  /// What engines may know of the house at a moment.
  func world(at now: Moment) -> World {
    World(now: now, language: configuration.language, people: directory.people)
  }

  /// A sentence about the gateway as a fact, in its language.
  func say(_ sentence: Message) -> JSONValue {
    .string(sentence.text(in: configuration.language))
  }

  // MARK: Time

  private mutating func start(version: String, at now: Moment, in step: inout Step) {
    step.drafts.append(
      EventDraft(
        type: .gatewayStarted, lane: .record, resident: nil,
        facts: [
          "version": .string(version), "residents": .integer(Int64(directory.residents.count)),
          "explanation": say(Message("Homeward {version} started.", ["version": version])),
        ]))
    if now.quality.isTrusted { step.drafts.append(clockDraft(at: now)) }
    advanceAlarms(.started, at: now, in: &step)
    step.take(reminders.handle(.started, at: now))
    watchZones(at: now, in: &step)
    advanceGlucose(.circumstancesChanged, at: now, in: &step)
    send(notices.resume(at: now), in: &step)
  }

  private mutating func runDueWork(at now: Moment, in step: inout Step) {
    for id in trackers.keys.sorted() {
      guard let due = trackers[id]?.nextWake, due <= now.tick else { continue }
      advance(id, .time, at: now, in: &step)
    }
    for id in proximities.keys.sorted() {
      guard let due = proximities[id]?.nextWake, due <= now.tick else { continue }
      advance(proximityOf: id, .time, at: now, in: &step)
    }
    if let due = alarms.nextWake, due <= now.tick { advanceAlarms(.time, at: now, in: &step) }
    if let due = fakeCall.nextWake, due <= now.tick {
      step.take(try? fakeCall.handle(.time, at: now))
    }
    if let due = reminders.nextWake, due <= now.tick {
      step.take(reminders.handle(.time, at: now))
    }
    if let due = notebook.nextWake, due <= now.tick { advanceNotebook(.time, at: now, in: &step) }
    if let due = glucose.nextWake, due <= now.tick { advanceGlucose(.time, at: now, in: &step) }
    if let due = absences.nextWake, due <= now.tick { advanceAbsences(at: now, in: &step) }
    tellOfGuards(at: now, in: &step)
    let (drafts, changes) = faultWatch.raiseDue(at: now.tick)
    step.drafts += drafts
    step.changes += changes
    guard let due = nextHeartbeat, due <= now.tick else { return }
    step.drafts.append(heartbeatDraft(at: now))
    nextHeartbeat = now.tick.advanced(byMilliseconds: configuration.heartbeatSeconds * 1000)
  }

  private mutating func heartbeatDraft(at now: Moment) -> EventDraft {
    let interval = configuration.heartbeatSeconds * 1000
    let facts: JSONValue = [
      "expectedNext": .string(now.utc.advanced(byMilliseconds: interval).iso8601),
      "intervalSeconds": .integer(configuration.heartbeatSeconds),
      "faults": .array(faultWatch.faults.map { .string($0.component.rawValue) }),
      "residents": .array(
        directory.sortedResidents.map {
          ["id": .string($0.id.rawValue), "name": .string($0.name)]
        }),
      "guardians": .array(
        directory.sortedGuardians.map {
          [
            "id": .string($0.id.rawValue), "resident": .string($0.resident.rawValue),
            "name": .string($0.name),
          ]
        }),
    ]
    return EventDraft(
      type: .heartbeat, lane: .record, resident: nil,
      facts: (routineMembers(at: now) + reachMembers(at: now)).reduce(facts) {
        $0.setting($1.key, to: $1.value)
      })
  }

  private func clockDraft(at now: Moment) -> EventDraft {
    EventDraft(
      type: .clockTrusted, lane: .record, resident: nil,
      facts: [
        "boot": .string(boot.rawValue), "tick": .string(String(now.tick.nanoseconds)),
        "utc": .string(now.utc.iso8601), "quality": .string(now.quality.rawValue),
        "explanation": say(
          Message(
            "The clock is trusted now ({quality}); earlier times of this boot follow from it.",
            ["quality": now.quality.rawValue])),
      ])
  }

  // MARK: Observations

  private mutating func handle(
    _ observation: Observation, at now: Moment, in step: inout Step
  ) {
    switch observation {
    case .fix(let report):
      guard let resident = directory.resident(movingWith: report.source) else { return }
      advance(resident.id, .fix(report), at: now, in: &step)
    case .health(let report): handle(report, at: now, in: &step)
    case .clock(let report):
      let wasTrusted = quality.isTrusted
      quality = report.quality
      if quality.isTrusted && (!wasTrusted || report.stepMilliseconds != 0) {
        step.drafts.append(clockDraft(at: now))
        // What was listed without a clock had no next due times, or those of a wrong one.
        nextRoutineList = now.tick
      }
      step.take(reminders.handle(.clockChanged, at: now))
      advanceAbsences(at: now, in: &step)
      advanceNotebook(.circumstancesChanged, at: now, in: &step)
      advanceGlucose(.circumstancesChanged, at: now, in: &step)
      advanceAlarms(.time, at: now, in: &step)
    case .delivery(let report):
      guard alarms.isAwaited(report) else { return }
      step.drafts.append(
        EventDraft(
          type: .deliveryReported, lane: .record, resident: nil,
          facts: report.json.setting("explanation", to: say(words(of: report))),
          isForGuardians: alarms.isConcealed(AlarmID(report.event.rawValue))))
      advanceAlarms(.delivery(report), at: now, in: &step)
      step.changes += notices.note(report, at: now)
    case .ways(let report):
      ways = report
      notices.tryAgain(Set(report.offers.map(\.channel)), at: now)
      advanceAlarms(.ways(report), at: now, in: &step)
    case .button(let report): handle(report, at: now, in: &step)
    case .photo(let report): advanceAlarms(.photo(report), at: now, in: &step)
    case .sound(let report):
      advanceAlarms(.sound(report), at: now, in: &step)
      step.take(try? fakeCall.handle(.sound(report), at: now))
      step.take(reminders.handle(.sound(report), at: now))
      advanceNotebook(.sound(report), at: now, in: &step)
    case .sighting(let sighting): take(sighting, at: now, in: &step)
    case .listening(let hearer, let isListening):
      for id in proximities.keys.sorted() {
        advance(
          proximityOf: id, .listening(hearer, isListening: isListening), at: now, in: &step)
      }
    case .meter(let report): take(report, at: now, in: &step)
    }
  }

  private mutating func handle(_ report: HealthReport, at now: Moment, in step: inout Step) {
    noteSound(report)
    let resident = residentMovingWith(report.component)
    if resident == nil || !Self.codesJudgedByTracking.contains(report.code) {
      watch(report, at: now, in: &step)
    }
    if let resident { advance(resident.id, .sourceHealth(report), at: now, in: &step) }
  }

  mutating func watch(
    _ report: HealthReport, isCertain: Bool = false, at now: Moment, in step: inout Step
  ) {
    let (drafts, changes) = faultWatch.handle(report, isCertain: isCertain, at: now.tick)
    step.drafts += drafts
    step.changes += changes
  }

  /// What a GPS source reports and the tracking engine finds out by itself, from the fixes and the resident's settings;
  /// taken from both it would be told twice.
  private static let codesJudgedByTracking = [
    "no-report", "no-fix", "rolled-over", "receiver-clock",
  ]

  private func residentMovingWith(_ component: ComponentID) -> Resident? {
    guard component.rawValue.hasPrefix("gps/") else { return nil }
    return directory.resident(
      movingWith: SourceID(String(component.rawValue.dropFirst("gps/".count))))
  }

  // MARK: Engines

  /// A tracker for a resident, with the settings that hold for them.
  func makeTracker(for resident: Resident, rows: [EngineRow], at now: Moment) -> TrackingEngine {
    TrackingEngine(
      resident: resident, settings: settings(of: resident.id),
      zones: directory.zones(of: resident.id),
      rows: rows.filter { $0.engine == "tracking" }, boot: boot, at: now)
  }

  /// The tracking settings that hold for a resident: built-in, then the configuration's, then their own.
  func settings(of resident: ResidentID) -> TrackingSettings {
    var settings = TrackingSettings()
    // All were checked when they came; one that a later version no longer allows leaves the default in force.
    for setting in configuration.trackingDefaults {
      try? settings.set(setting.name, to: setting.value)
    }
    for (name, content) in (directory.settings[resident] ?? [:]).sorted(by: { $0.key < $1.key }) {
      try? settings.set(name, to: content)
    }
    settings.language = language(of: resident)
    settings.receivers = configuration.receivers
    return settings
  }

  mutating func advance(
    _ id: ResidentID, _ input: TrackingInput, at now: Moment, in step: inout Step
  ) {
    step.take(trackers[id]?.handle(input, at: now))
  }

  /// An identity for an event that has to be known before the step ends.
  mutating func newEventID(at now: Moment) -> EventID { EventID(identifiers.next(at: now.utc)) }

  private mutating func finish(_ step: Step, at now: Moment) -> StepResult {
    var result = StepResult()
    result.events = step.drafts.map { draft in
      Event(
        id: draft.id ?? EventID(identifiers.next(at: now.utc)), type: draft.type, lane: draft.lane,
        resident: draft.resident, moment: now, facts: draft.facts,
        isForGuardians: draft.isForGuardians)
    }
    result.changes = step.changes
    result.actions = step.actions
    result.reply = step.reply
    return result
  }
}

/// What a step has gathered so far.
struct Step {
  var drafts: [EventDraft] = []
  var changes: [StateChange] = []
  var actions: [Action] = []
  var reply: CommandReply?
  /// How many of the drafts the other engines have been told of.
  var spread = 0

  /// Gathers what follows from an input of an engine; its signals and its answer are for whoever asked.
  mutating func take(_ outcome: Outcome?) {
    guard let outcome else { return }
    drafts += outcome.events
    changes += outcome.changes
    actions += outcome.actions
  }
}
