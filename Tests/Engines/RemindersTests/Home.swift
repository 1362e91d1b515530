import Care
import CivilTime
import JSON
import Moments
import Recurrence
import Reminders
import Testing
import Texts

/// A reminder engine with its clock and its store, played by a test.
struct Home {
  var engine: ReminderEngine
  var now: Moment
  /// Whether the engine is made anew from what is stored after each step.
  var isForgetful = false
  private(set) var rows: [EngineRow] = []
  private(set) var items: [RoutineItemID: RoutineItem] = [:]
  private(set) var occurrences: [String: Occurrence] = [:]
  private(set) var events: [EventDraft] = []
  private(set) var actions: [Action] = []
  /// What happened, as `08:00 reminder.due pill`.
  private(set) var story: [String] = []
  var house: House
  var boot: BootID = "boot-1"
  /// Why nothing can be heard in the room.
  var silence: Message?
  var isAlarmSounding = false
  var isCallOn = false
  /// Pictures that the notebook keeps.
  var pictures: Set<PictureID> = []

  /// What happens, in the words of the tests.
  enum Happening {
    case started, time, clockChanged, alarmBegan
    case sound(SoundReport)
    case leftHome(ResidentID)
    case residentsChanged([Resident])
    case settingsChanged(ResidentID, House.Settings)
    case timeZone(name: String, CivilTimeZone?)
  }

  static let ada = Resident(id: "ada", name: "Ada", timeZone: "Europe/Madrid")
  static let madrid = zone("Europe/Madrid")
  static let zones = [
    "Europe/Madrid": madrid, "UTC": zone("UTC"), "Europe/London": zone("Europe/London"),
  ]

  static func zone(_ name: String) -> CivilTimeZone {
    do { return try TimeZoneFile.load(name: name) } catch {
      preconditionFailure("the package tzdata is needed: \(error)")
    }
  }

  static func local(_ text: String, _ zone: CivilTimeZone = madrid) -> Timestamp {
    do { return zone.instant(of: try CivilDateTime(localText: text)) } catch {
      preconditionFailure("no local time: \(text)")
    }
  }

  /// A home at a local time in Madrid.
  init(
    at local: String = "2026-03-02T07:00", quality: TimeQuality = .synchronised,
    settings: [String: JSONValue] = [:]
  ) {
    self.init(
      moment: Moment(tick: .seconds(1_000), utc: Home.local(local), quality: quality),
      settings: settings)
  }

  init(moment: Moment, settings: [String: JSONValue] = [:]) {
    now = moment
    house = House(residents: [Home.ada], settings: ["ada": settings], timeZones: Home.zones)
    engine = ReminderEngine(
      stored: StoredState(), seed: 0, in: World(now: moment, house: house, boot: "boot-1"))
  }

  var residents: [Resident] {
    get { house.sortedResidents }
    set { house.residents = Dictionary(uniqueKeysWithValues: newValue.map { ($0.id, $0) }) }
  }

  var settings: [ResidentID: House.Settings] {
    get { house.settings }
    set { house.settings = newValue }
  }

  var world: World {
    var world = World(now: now, house: house, boot: boot)
    world.silence = silence
    world.need.isSounding = isAlarmSounding
    world.isCallOn = isCallOn
    world.pictures = pictures
    return world
  }

  // MARK: Items

  static func daily(
    _ times: String..., from start: String = "2026-01-01", zone: String = "Europe/Madrid"
  )
    -> Schedule
  {
    let parsed = times.compactMap { TimeOfDay(text: $0) }
    precondition(parsed.count == times.count)
    return .calendar(
      CalendarSchedule(
        start: date(start + "T00:00"), rule: rule("FREQ=DAILY"), times: parsed, timeZone: zone))
  }

  static func rule(_ text: String) -> RecurrenceRule {
    do { return try RecurrenceRule(text: text) } catch { preconditionFailure("\(error)") }
  }

  static func date(_ text: String) -> CivilDateTime {
    do { return try CivilDateTime(localText: text) } catch { preconditionFailure("\(error)") }
  }

  static func pill(
    _ id: RoutineItemID = "pill", title: String = "blood pressure pill",
    schedule: Schedule = Home.daily("08:00"), isCritical: Bool = false
  ) -> RoutineItem {
    RoutineItem(
      id: id, resident: "ada", kind: .medicine, title: title, dose: "1 tablet",
      isCritical: isCritical, schedule: schedule)
  }

  // MARK: What is done to it

  @discardableResult
  mutating func ask(
    _ request: RoutineRequest
  ) throws(CommandReply.Refusal) -> JSONValue {
    guard let outcome = try engine.handle(asked(request), in: world) else {
      Issue.record("nobody answers \(request)")
      return .null
    }
    take(outcome)
    return outcome.reply
  }

  /// A request as it comes in.
  func asked(_ request: RoutineRequest) -> Input {
    .asked(
      Command(
        id: "1", principal: Principal(channel: .local, name: "anna"), request: .routine(request)),
      sent: now.tick)
  }

  mutating func add(_ item: RoutineItem) throws(CommandReply.Refusal) {
    try ask(.put(item, revision: nil))
  }

  mutating func answer(
    _ id: RoutineItemID, _ answer: RoutineRequest.Answer, slot: String? = nil
  ) throws(CommandReply.Refusal) {
    try ask(.answer(id, slot: slot, answer))
  }

  /// Why a request is refused; nil when it is done.
  func refusal(_ request: RoutineRequest) -> CommandReply.Refusal? {
    var attempt = engine
    do throws(CommandReply.Refusal) {
      _ = try attempt.handle(asked(request), in: world)
      return nil
    } catch { return error }
  }

  mutating func tell(_ happening: Happening) {
    for input in inputs(happening) { hear(input) }
  }

  private mutating func inputs(_ happening: Happening) -> [Input] {
    switch happening {
    case .started: return [.started(version: "1")]
    case .time: return [.time]
    case .clockChanged: return [.observed(.clock(ClockReport(quality: now.quality)))]
    case .alarmBegan: return [.signalled(.alarmBegan)]
    case .sound(let report): return [.observed(.sound(report))]
    case .leftHome(let id):
      return [
        .signalled(.zone(ZoneNews(.left(Self.zone, isExpected: false), isOutside: true), of: id))
      ]
    case .residentsChanged(let list):
      residents = list
      return list.map { .changed(.resident($0.id)) }
    case .settingsChanged(let id, let contents):
      settings[id] = contents
      return contents.keys.sorted().map { .changed(.setting(id, name: $0)) }
    case .timeZone(let name, let zone):
      house.timeZones[name] = zone
      return [.changed(.timeZone(name))]
    }
  }

  /// Ada's home, as news of it tell it.
  static let zone: ZoneNews.Zone = {
    guard let center = Coordinate(latitudeDegrees: 40.4, longitudeDegrees: -3.7) else {
      preconditionFailure("no place")
    }
    return ZoneNews.Zone(
      SafeZone(
        id: "home", resident: "ada", name: "Home", center: center, radiusMeters: 100, isHome: true))
  }()

  /// Gives the engine anything but a request, of which it refuses none; answers what follows, nil where it takes it not.
  @discardableResult
  mutating func hear(_ input: Input) -> Outcome? {
    do {
      guard let outcome = try engine.handle(input, in: world) else { return nil }
      take(outcome)
      return outcome
    } catch {
      Issue.record("refused: \(error)")
      return nil
    }
  }

  /// Presses the button, once for "yes" and twice for "no"; says whether it answered anything.
  @discardableResult
  mutating func press(isDone: Bool = true) -> Bool {
    guard let press = Self.press(isDone: isDone, in: house) else {
      Issue.record("a press means nothing")
      return false
    }
    return hear(.pressed(press)) != nil
  }

  /// The first that a press may mean.
  static func press(isDone: Bool, in house: House) -> Press? {
    let gesture: ButtonGesture = isDone ? .press : .double
    let report = ButtonReport(button: "wired", gesture: gesture, edge: .seconds(0))
    return Press.meanings(of: report, in: house).first
  }

  mutating func expectPress(isDone: Bool = true, _ place: SourceLocation = #_sourceLocation) {
    let isAnswer = press(isDone: isDone)
    #expect(isAnswer, sourceLocation: place)
  }

  mutating func expectNoPress(_ place: SourceLocation = #_sourceLocation) {
    let isAnswer = press()
    #expect(!isAnswer, sourceLocation: place)
  }

  /// Lets time pass and wakes the engine at each tick that it asked for; the last sound ends at once if wanted.
  mutating func pass(minutes: Double, endingSounds: Bool = true) {
    let end = now.advanced(byMilliseconds: Int64(minutes * 60_000))
    var wakes = 0
    while let due = engine.nextWake, due <= end.tick {
      wakes += 1
      guard wakes <= 20_000 else {
        Issue.record("the engine never sleeps")
        return
      }
      now = now.advanced(byMilliseconds: max(0, due.milliseconds(since: now.tick)))
      tell(.time)
      if endingSounds { endSounds() }
    }
    now = end
  }

  mutating func pass(until local: String) {
    pass(minutes: Double(Home.local(local).milliseconds(since: now.utc)) / 60_000)
  }

  mutating func noteEnd(of sound: SoundID) { actions.append(.stopSound(sound)) }

  mutating func endSounds() {
    while let sound = sounding.last {
      actions.append(.stopSound(sound.id))
      tell(.sound(SoundReport(sound: sound.id, outcome: .finished)))
    }
  }

  /// Power is cut, and comes back after some minutes in another boot.
  mutating func cutPower(minutes: Double, quality: TimeQuality = .synchronised) {
    boot = BootID("\(boot)+")
    now = Moment(
      tick: .seconds(20), utc: now.utc.advanced(byMilliseconds: Int64(minutes * 60_000)),
      quality: quality)
    for sound in sounding { actions.append(.stopSound(sound.id)) }
    rebuild()
    tell(.started)
  }

  /// The clock is set; ticks go on.
  mutating func setClock(_ utc: Timestamp, quality: TimeQuality = .synchronised) {
    now = Moment(tick: now.tick, utc: utc, quality: quality)
    tell(.clockChanged)
  }

  mutating func rebuild() {
    engine = ReminderEngine(
      stored: StoredState(
        routineItems: items.values.sorted { $0.id < $1.id }, occurrences: loaded, engineRows: rows),
      seed: 0, in: world)
  }

  /// What the store hands out: of each item what is not final, and the sixteen newest that are.
  private var loaded: [Occurrence] {
    let closed = Dictionary(grouping: occurrences.values.filter(\.state.isFinal), by: \.item)
    return occurrences.values.filter { !$0.state.isFinal }
      + closed.values.flatMap { $0.sorted { $0.due > $1.due }.prefix(16) }
  }

  // MARK: What came of it

  /// All that the engine holds.
  var stored: StoredState {
    var state = StoredState()
    engine.store(in: &state)
    return state
  }

  /// Sounds that were begun and neither ended nor stopped.
  var sounding: [SoundRequest] {
    actions.reduce(into: []) { sounding, action in
      switch action {
      case .play(let request): sounding.append(request)
      case .stopSound(let id): sounding.removeAll { $0.id == id }
      default: break
      }
    }
  }

  var played: [SoundRequest] {
    actions.compactMap { if case .play(let request) = $0 { request } else { nil } }
  }

  /// What was said, without the greeting and the time.
  var said: [String] { played.map(\.words) }

  func state(_ id: RoutineItemID, _ slot: String) -> Occurrence.State? {
    occurrences["\(id)|\(slot)"]?.state
  }

  func occurrence(_ id: RoutineItemID, _ slot: String) -> Occurrence? {
    occurrences["\(id)|\(slot)"]
  }

  func summary(_ id: RoutineItemID) -> JSONValue? {
    engine.summaries(of: "ada", at: now).first { $0["id"]?.stringContent == id.rawValue }
  }

  func events(_ type: EventType) -> [EventDraft] { events.filter { $0.type == type } }

  mutating func forgetStory() {
    story = []
    events = []
    actions = []
  }

  private mutating func take(_ outcome: Outcome) {
    events += outcome.events
    actions += outcome.actions
    let time = Home.madrid.local(at: now.utc).civil.iso8601Time.prefix(5)
    for event in outcome.events {
      let item = event.facts["item"]?.stringContent ?? event.facts["target"]?.stringContent ?? ""
      story.append("\(time) \(event.type.rawValue) \(item)")
    }
    for action in outcome.actions {
      if case .play(let request) = action { story.append("\(time) says \(request.words)") }
    }
    for change in outcome.changes { store(change) }
    if rows.count < 50 { checkRows() }
    if isForgetful { rebuild() }
  }

  /// What is stored is what the engine says; rows of an earlier boot are written when something changes.
  private func checkRows() {
    let said = stored.engineRows
    #expect(Set(rows.map(\.place)) == Set(said.map(\.place)))
    for row in rows where row.content["boot"]?.stringContent == boot.rawValue {
      #expect(said.contains(row))
    }
    #expect(stored.routineItems == items.values.sorted { $0.id < $1.id })
  }

  private mutating func store(_ change: StateChange) {
    switch change {
    case .putEngineRow(let row):
      rows.removeAll { $0.subject == row.subject && $0.name == row.name }
      rows.append(row)
    case .removeEngineRow(_, let subject, let name):
      rows.removeAll { $0.subject == subject && $0.name == name }
    case .put(let row): store(row)
    case .remove(let key) where key.table == .routineItem:
      items[RoutineItemID(key.values[0])] = nil
    default: Issue.record("reminders change nothing of this kind: \(change)")
    }
  }

  private mutating func store(_ row: TableRow) {
    switch row.content {
    case let item as RoutineItem: items[item.id] = item
    case let occurrence as Occurrence:
      occurrences["\(occurrence.item)|\(occurrence.slot)"] = occurrence
    default: Issue.record("reminders have no rows of this kind: \(row)")
    }
  }
}

extension SoundRequest {
  /// The sentences after the greeting, and files.
  var words: String {
    parts.compactMap { part -> String? in
      switch part {
      case .speech(let sentence): sentence.text == "Ada," ? nil : sentence.text
      case .file(let path): path
      case .pattern, .clock, .recording, .pause: nil
      }
    }.joined(separator: " ")
  }
}

extension EngineRow {
  fileprivate var place: String { "\(subject)/\(name)" }
}
