public import Care
public import CivilTime
public import JSON
public import Moments
import Recurrence
import Texts

/// Reminds residents of their routine, and sees to it that somebody knows when nobody answers.
///
/// Pure: the same inputs give the same outcomes. Every due time has one stored row, by item and slot; what waits count
/// from is in rows of engine `reminders`. An engine over both goes on where another one was, in another boot as well.
/// Waits within a boot go by ticks, what is due goes by the wall clock, and only while it is trusted.
public struct ReminderEngine: Sendable {
  var residents: [ResidentID: Resident] = [:]
  var zones: [String: CivilTimeZone]
  var settings: [ResidentID: ReminderSettings] = [:]
  var languages: [ResidentID: Language] = [:]
  var courses: [RoutineItemID: Course] = [:]
  /// How many items each resident has.
  var counts: [ResidentID: Int] = [:]
  /// Zones that residents were asked about: the zone before.
  var zoneQuestions: [ResidentID: String] = [:]
  var room = Room()
  let boot: BootID
  /// When items are due, by the wall clock.
  private var dueQueue = WakeQueue<Timestamp>()
  /// When waits of open due times end.
  private var waitQueue = WakeQueue<Tick>()
  private var isClockTrusted = false
  /// The wall clock less the ticks, in milliseconds, as it was last.
  private var clockOffset: Int64 = 0
  private var writtenRoom = Room()
  private var unreadable: [EngineRow] = []
  /// Open due times of items that are gone, or more than one of an item; closed at the start.
  private var leftovers: [Occurrence] = []
  private var startTick: Tick?
  /// Items whose marks followed a clock that was set while nobody looked; written at the start.
  private var resumed: Set<RoutineItemID> = []

  static let roomRow = "room"
  static let zoneRow = "zone"
  /// Items that one step looks at; the rest follows in a step of its own at once.
  private static let itemsAStep = 2_000

  /// An engine over what is stored.
  ///
  /// - Parameters:
  ///   - occurrences: of each item those that are not final, and the newest final ones.
  ///   - settings: those of each resident that differ from the default, by name.
  ///   - rows: the stored rows of engine `reminders`.
  public init(
    residents: [Resident], items: [RoutineItem], occurrences: [Occurrence],
    settings: [ResidentID: [String: JSONValue]], zones: [String: CivilTimeZone],
    rows: [EngineRow], boot: BootID, at now: Moment
  ) {
    self.boot = boot
    self.zones = zones
    for resident in residents { self.residents[resident.id] = resident }
    for (id, contents) in settings { take(contents, of: id) }
    for item in items {
      courses[item.id] = Course(
        item, times: ItemTimes(item.schedule, zones: zones), since: Mark(now))
      counts[item.resident, default: 0] += 1
      let quiet = quietTimes(of: item)
      courses[item.id]?.quiet = quiet
    }
    restore(rows, occurrences, at: now)
    clockOffset = Self.offset(now)
    isClockTrusted = now.quality.isTrusted
    for id in courses.keys.sorted() { plan(id, at: now) }
    if !unreadable.isEmpty || !leftovers.isEmpty { startTick = now.tick }
  }

  /// When ``ReminderInput/time`` is due; nil when nothing is waited for.
  public var nextWake: Tick? {
    var due: Tick?
    if isClockTrusted, let first = dueQueue.first {
      let (milliseconds, overflows) = first.milliseconds.subtractingReportingOverflow(clockOffset)
      due = overflows ? nil : Tick(nanoseconds: 0).advanced(byMilliseconds: milliseconds)
    }
    return [due, waitQueue.first, room.deadline, startTick].compactMap { $0 }.min()
  }

  /// The rows of engine `reminders` as they are stored.
  public var rows: [EngineRow] {
    var rows = courses.keys.sorted().compactMap { courses[$0]?.row(boot: boot) }
    if let row = room.row(boot: boot) { rows.append(row) }
    for id in zoneQuestions.keys.sorted() {
      if let zone = zoneQuestions[id] { rows.append(Self.zoneRow(id, zone)) }
    }
    return rows + unreadable
  }

  /// Takes one input and says what follows; what was due before happens first.
  public mutating func handle(_ input: ReminderInput, at now: Moment) -> Outcome {
    var step = Step(now)
    begin(&step)
    switch input {
    case .started: start(&step)
    case .time, .clockChanged: break
    case .sound(let report): take(report, &step)
    case .alarmBegan: makeWay(&step)
    case .leftHome(let id): announceAhead(id, &step)
    case .residentsChanged(let list): change(residents: list, &step)
    case .settingsChanged(let id, let contents):
      take(contents, of: id)
      for item in ids(of: id) { requiet(item, &step) }
    case .timeZone(let name, let zone): take(zone, name, &step)
    }
    return finish(&step)
  }

  /// Does what somebody asks.
  ///
  /// - Parameter person: who asks, as a word such as `local:anna`.
  /// - Throws: why not; the engine is of no use then, and the copy from before is to be kept.
  public mutating func perform(
    _ request: RoutineRequest, by person: String, at now: Moment
  ) throws(CommandReply.Refusal) -> Outcome {
    var step = Step(now)
    begin(&step)
    do throws(CommandReply.Refusal) { try carryOut(request, by: person, &step) } catch {
      var refusal = error
      refusal.events = conflict(request, by: person).map { [$0] } ?? []
      throw refusal
    }
    return finish(&step)
  }

  /// Answers what sounds in the room, or sounded within the last two minutes.
  ///
  /// - Parameter person: which button, as a word such as `button/wired`.
  /// - Returns: what follows; nil when nothing asks for an answer, and the press means something else.
  public mutating func answerHere(
    isDone: Bool, by person: String, at now: Moment
  ) -> Outcome? {
    var step = Step(now)
    begin(&step)
    guard !heardNow(at: now).isEmpty else { return nil }
    answerHeard(isDone: isDone, by: person, &step)
    return finish(&step)
  }

  // MARK: One step

  mutating func begin(_ step: inout Step) {
    noteClock(&step)
    runDue(&step)
  }

  mutating func finish(_ step: inout Step) -> Outcome {
    runDue(&step)
    settleRoom(&step)
    for id in step.touched.sorted() {
      if let course = courses[id] {
        step.outcome.changes.append(.putEngineRow(course.row(boot: boot)))
      }
    }
    writeRoom(&step)
    return step.outcome
  }

  private static func offset(_ now: Moment) -> Int64 {
    let ticks = now.tick.milliseconds(since: Tick(nanoseconds: 0))
    let (difference, overflows) = now.utc.milliseconds.subtractingReportingOverflow(ticks)
    return overflows ? 0 : difference
  }

  /// After a step of the clock, or new trust in it, marks follow and due times are looked for anew.
  private mutating func noteClock(_ step: inout Step) {
    let offset = Self.offset(step.now)
    defer {
      clockOffset = offset
      isClockTrusted = step.now.quality.isTrusted
    }
    guard step.now.quality.isTrusted else { return }
    // Slewing moves a clock by far less between two steps.
    if isClockTrusted, (clockOffset &- offset).magnitude <= 1_000 { return }
    for id in courses.keys.sorted() {
      courses[id]?.mapMarks { mark in
        let before = mark
        mark.follow(clockAt: step.now)
        if mark != before { step.touched.insert(id) }
      }
      withdrawFuture(id, &step)
      plan(id, at: step.now)
    }
  }

  private mutating func runDue(_ step: inout Step) {
    if isClockTrusted {
      let due = dueQueue.take(through: step.now.utc, limit: Self.itemsAStep)
      for id in inOrder(due) {
        judge(id, &step)
        plan(id, at: step.now)
      }
    }
    let waits = waitQueue.take(through: step.now.tick, limit: Self.itemsAStep)
    for id in inOrder(waits) {
      runWaits(id, &step)
      plan(id, at: step.now)
    }
  }

  /// What is critical comes first, then what has been due longer.
  func inOrder(_ ids: [RoutineItemID]) -> [RoutineItemID] {
    guard ids.count > 1 else { return ids }
    return ids.compactMap { courses[$0] }.sorted { left, right in
      if left.item.isCritical != right.item.isCritical { return left.item.isCritical }
      let leftDue = left.open?.occurrence.due ?? left.next?.instant ?? .seconds(0)
      let rightDue = right.open?.occurrence.due ?? right.next?.instant ?? .seconds(0)
      return (leftDue, left.id) < (rightDue, right.id)
    }.map(\.id)
  }

  private mutating func start(_ step: inout Step) {
    startTick = nil
    for row in unreadable {
      step.outcome.changes.append(
        .removeEngineRow(engine: row.engine, subject: row.subject, name: row.name))
    }
    unreadable = []
    for var occurrence in leftovers {
      occurrence.state = courses[occurrence.item] == nil ? .cancelled : .missed
      occurrence.reason = "restart"
      step.outcome.changes.append(.putOccurrence(occurrence))
    }
    leftovers = []
    step.touched.formUnion(resumed)
    resumed = []
    if step.now.quality.isTrusted {
      // The clock may have been set back while nobody looked.
      for id in courses.keys.sorted() {
        withdrawFuture(id, &step)
        plan(id, at: step.now)
      }
    }
    restartRoom(&step)
  }

  // MARK: What wakes the engine

  /// Sets when an item wants to be looked at next, from where it stands.
  mutating func plan(_ id: RoutineItemID, at now: Moment) {
    guard var course = courses[id] else {
      dueQueue.set(id, nil)
      waitQueue.set(id, nil)
      return
    }
    if now.quality.isTrusted {
      if case .calendar = course.times {
        let judged = course.judged(at: now.utc)
        if course.upcoming?.after != judged {
          course.upcoming = Upcoming(after: judged, slot: course.nextDue(after: judged))
        }
      }
      course.next = nextSlot(course, at: now)
    }
    courses[id] = course
    dueQueue.set(id, dueTime(course, at: now))
    waitQueue.set(id, waitEnd(course))
  }

  /// When the wall clock brings something: the notice or the due time itself.
  private func dueTime(_ course: Course, at now: Moment) -> Timestamp? {
    guard let next = course.next else { return nil }
    let notice = timing(course).noticeMinutes
    guard notice > 0, course.announced != next.key else { return next.instant }
    return next.instant.advanced(byMilliseconds: -notice * 60_000)
  }

  /// The settings that hold for an item.
  func timing(_ course: Course) -> ReminderSettings {
    (settings[course.item.resident] ?? ReminderSettings()).timing(of: course.item)
  }

  // MARK: Reading what is stored

  private mutating func restore(
    _ rows: [EngineRow], _ occurrences: [Occurrence], at now: Moment
  ) {
    var open: [RoutineItemID: Occurrence] = [:]
    for occurrence in occurrences.sorted(by: { ($0.due, $0.slot) < ($1.due, $1.slot) }) {
      let id = occurrence.item
      guard courses[id]?.item.resident == occurrence.resident else {
        if !occurrence.state.isFinal { leftovers.append(occurrence) }
        continue
      }
      if occurrence.state.isFinal {
        courses[id]?.remember(occurrence, at: now.utc)
      } else if let older = open.updateValue(occurrence, forKey: id) {
        leftovers.append(older)
      }
    }
    var known: Set<RoutineItemID> = []
    for row in rows where row.engine == Course.engine {
      if row.name == Self.roomRow {
        takeRoom(row)
      } else if row.name == Self.zoneRow {
        zoneQuestions[ResidentID(row.subject)] = row.content["from"]?.stringContent
      } else if let id = read(row, open, at: now) {
        known.insert(id)
      } else {
        unreadable.append(row)
      }
    }
    for (id, occurrence) in open.sorted(by: { $0.key < $1.key }) where courses[id]?.open == nil {
      courses[id]?.open = Self.opened(occurrence, at: now)
    }
    // Without a row nobody knows from when on an item is judged; what is known of it says enough.
    for id in courses.keys.sorted() where !known.contains(id) {
      if let newest = courses[id]?.closed.last {
        courses[id]?.last = Mark(utc: newest.changedAt, at: now)
      }
    }
  }

  private mutating func read(
    _ row: EngineRow, _ open: [RoutineItemID: Occurrence], at now: Moment
  ) -> RoutineItemID? {
    let id = RoutineItemID(String(row.name.dropFirst(Course.prefix.count)))
    guard row.name.hasPrefix(Course.prefix), var course = courses[id],
      course.item.resident.rawValue == row.subject,
      (try? course.take(row.content, open: open[id])) != nil
    else { return nil }
    let isOfThisBoot = row.content["boot"]?.stringContent == boot.rawValue
    course.mapMarks { mark in
      guard isOfThisBoot else { return mark.rebase(to: now) }
      let before = mark
      mark.resume(at: now)
      if mark != before { resumed.insert(id) }
    }
    courses[id] = course
    return id
  }

  /// An open due time of which only the occurrence is known, as after a restored backup.
  private static func opened(_ occurrence: Occurrence, at now: Moment) -> OpenDue {
    let due = Mark(utc: occurrence.due, at: now)
    let changed = Mark(utc: occurrence.changedAt, at: now)
    return OpenDue(occurrence: occurrence, due: due, opened: due, changed: changed)
  }

  private mutating func take(_ contents: [String: JSONValue], of id: ResidentID) {
    settings[id] = ReminderSettings(contents)
    languages[id] = contents["language"]?.stringContent.map { Language($0) }
  }

  // MARK: The room's row

  private mutating func takeRoom(_ row: EngineRow) {
    guard let found = try? Room(row: row, boot: boot) else { return unreadable.append(row) }
    room = found
    writtenRoom = found
    // What another boot heard is not what is stored any more.
    if row.content["boot"]?.stringContent != boot.rawValue { writtenRoom.number = -1 }
  }

  private mutating func writeRoom(_ step: inout Step) {
    guard room != writtenRoom else { return }
    writtenRoom = room
    if let row = room.row(boot: boot) {
      step.outcome.changes.append(.putEngineRow(row))
    } else {
      step.outcome.changes.append(
        .removeEngineRow(engine: Course.engine, subject: "gateway", name: Self.roomRow))
    }
  }

  // MARK: Residents and zones

  private mutating func take(_ zone: CivilTimeZone?, _ name: String, _ step: inout Step) {
    zones[name] = zone
    for id in courses.keys.sorted() {
      guard let item = courses[id]?.item,
        item.schedule.timeZone == name || residents[item.resident]?.timeZone == name
      else { continue }
      if item.schedule.timeZone == name {
        courses[id]?.times = ItemTimes(item.schedule, zones: zones)
      }
      requiet(id, &step)
    }
  }

  /// The items of a resident, by id.
  func ids(of resident: ResidentID) -> [RoutineItemID] {
    guard counts[resident, default: 0] > 0 else { return [] }
    return courses.values.filter { $0.item.resident == resident }.map(\.id).sorted()
  }

  static func zoneRow(_ resident: ResidentID, _ zone: String) -> EngineRow {
    EngineRow(
      engine: Course.engine, subject: resident.rawValue, name: zoneRow,
      content: ["from": .string(zone)])
  }
}
