public import Care
public import JSON
public import Moments

/// Reminds residents of their routine, and sees to it that somebody knows when nobody answers.
///
/// Pure: the same inputs give the same outcomes. Every due time has one stored row, by item and slot; what waits count
/// from is in rows of engine `reminders`. An engine over both goes on where another one was, in another boot as well.
/// Waits within a boot go by ticks, what is due goes by the wall clock, and only while it is trusted.
public struct ReminderEngine: Engine {
  /// Time, what was heard, comings and goings, and what people ask or press.
  public static var hears: InputKinds {
    [.started, .time, .clock, .sound, .zone, .signals, .changed, .asked, .pressed]
  }

  /// The settings that it owns.
  public static let settings: (any NamedSettings.Type)? = ReminderSettings.self

  private(set) var household: Household
  private(set) var courses: Courses
  private(set) var zoneQuestions: ZoneQuestions
  private var room: Room
  private var roomRecord: RoomRecord
  private var wakes: Wakes
  private var leftovers: Leftovers
  private var listing: Listing
  private let boot: BootID

  /// An engine over the items, their due times and the rows of engine `reminders`; nothing of it is drawn by lot.
  ///
  /// Of each item the due times that are not final, and the newest final ones, have to be there.
  public init(stored: StoredState, seed: UInt64, in world: World) {
    let now = world.now
    let household = Household(world.house)
    let restored = Restored(stored, in: household, boot: world.boot, at: now)
    self.household = household
    boot = world.boot
    courses = restored.courses
    zoneQuestions = ZoneQuestions(restored.zoneQuestions, in: household)
    room = restored.room
    roomRecord = restored.roomRecord
    leftovers = restored.leftovers
    wakes = Wakes(at: now)
    listing = Listing(at: now)
    for id in courses.ids {
      let wake = courses.change(id) { $0.plan(household.timing(of: $0.item), at: now) }
      if let wake { wakes.set(wake) }
    }
  }

  /// When ``Input/time`` is due; nil when nothing is waited for.
  public var nextWake: Tick? {
    .soonest(wakes.next, .soonest(room.deadline, leftovers.due))
  }

  /// Adds the items, what is remembered of their due times, and the rows of engine `reminders`.
  public func store(in state: inout StoredState) {
    state.routineItems += items
    state.occurrences += occurrences
    state.engineRows += rows
  }

  private var rows: [EngineRow] {
    var rows = courses.ids.compactMap { courses[$0]?.row(boot: boot) }
    if let row = room.row(boot: boot) { rows.append(row) }
    return rows + zoneQuestions.rows + leftovers.rows
  }

  /// The routine for a heartbeat, so that a plugin without a history learns all of it; nothing where it is not its turn.
  ///
  /// What is due comes first; `routineIsComplete` tells whether there is no more.
  public mutating func heartbeatMembers(in world: World) -> [JSONMember] {
    guard listing.takeTurn(at: world.now.tick) else { return [] }
    return Listing.members(summaries(of: nil, at: world.now))
  }

  // MARK: The way in

  /// Takes one input and says what follows; what was due before happens first, in the house as it was then.
  ///
  /// - Throws: why a request is refused; nothing changed then, and whoever changed something at the same time is told.
  public mutating func handle(
    _ input: Input, in world: World
  ) throws(CommandReply.Refusal) -> Outcome? {
    switch input {
    case .asked(let command, _):
      guard case .routine(let request) = command.request else { return nil }
      return try perform(request, by: command.principal.description, in: world)
    case .pressed(let press): return answer(press, in: world)
    case .signalled(.planned(let resident, let times)):
      // It is added to the answer, and waits for nothing.
      return dueOutcome(during: times, of: resident, in: world)
    default: return isTaken(input) ? take(input, in: world) : nil
    }
  }

  /// Whether anything is heard, for whatever may have something said; and who needs the room, for a press.
  public func sees(for input: Input) -> World.Views {
    switch input {
    case .asked(let command, _):
      guard case .routine(let request) = command.request else { return [] }
      return request.namesPicture ? [.sound, .pictures] : [.sound]
    case .pressed(let press):
      return Self.isDone(press.meaning) == nil || !room.hasNamed ? [] : [.need, .call, .sound]
    default: return isTaken(input) ? [.sound] : []
    }
  }

  /// Whether an input that is neither a request nor a press is the engine's business.
  private func isTaken(_ input: Input) -> Bool {
    switch input {
    case .started, .time, .observed(.clock), .observed(.sound), .signalled(.alarmBegan),
      .changed(.resident), .changed(.erased), .changed(.setting), .changed(.timeZone):
      true
    case .signalled(.zone(let news, _)): news.leftHome != nil
    default: false
    }
  }

  private mutating func take(_ input: Input, in world: World) -> Outcome {
    var step = Step(world, household)
    begin(&step)
    meet(world.house, &step)
    switch input {
    case .started:
      start(&step)
      watchZones(&step)
    case .observed(.clock(let report)): listing.note(report, at: world.now.tick)
    case .observed(.sound(let report)): take(report, &step)
    case .signalled(.alarmBegan): makeWay(&step)
    case .signalled(.zone(_, let resident)): announceLeaving(resident, &step)
    case .changed(.resident(let id)): noticeMove(of: id, &step)
    case .changed(.erased(let id)): erase(id, &step)
    case .changed(.setting(let id, _)):
      for item in courses.ids(of: id) { change(item, &step) { $0.giveWay(&$1) } }
    case .changed(.timeZone(let name)):
      takeZone(name, &step)
      watchZones(&step)
    default: break
    }
    return finish(&step)
  }

  private mutating func perform(
    _ request: RoutineRequest, by person: String, in world: World
  ) throws(CommandReply.Refusal) -> Outcome {
    var attempt = self
    var step = Step(world, household)
    attempt.begin(&step)
    attempt.meet(world.house, &step)
    do throws(CommandReply.Refusal) { try attempt.carryOut(request, by: person, &step) } catch {
      var refusal = error
      refusal.events = attempt.changeRules(step).conflict(request, by: person).map { [$0] } ?? []
      throw refusal
    }
    switch request {
    case .put, .remove, .replace, .answerZone: attempt.watchZones(&step)
    case .setOn, .answer, .restock: break
    }
    let outcome = attempt.finish(&step)
    self = attempt
    return outcome
  }

  /// Whether a press means that it was done; nil where it means something else.
  private static func isDone(_ meaning: Press.Meaning) -> Bool? {
    switch meaning {
    case .yes: true
    case .no: false
    case .state, .help, .command: nil
    }
  }

  /// Takes a press as the answer to what sounds in the room, or sounded within the last two minutes; nil when nothing asks.
  private mutating func answer(_ press: Press, in world: World) -> Outcome? {
    // Whoever cares has a button for other things; and an alarm or a call goes first.
    guard let isDone = Self.isDone(press.meaning), press.binding.caregiver == nil,
      !world.need.isSounding, !world.isCallOn, !heardNow(at: world.now).isEmpty
    else { return nil }
    var attempt = self
    var step = Step(world, household)
    attempt.begin(&step)
    attempt.meet(world.house, &step)
    // What asked may be over by what was due before.
    guard !attempt.heardNow(at: world.now).isEmpty else { return nil }
    attempt.answerHeard(isDone: isDone, by: press.principal.name, &step)
    let outcome = attempt.finish(&step)
    self = attempt
    return outcome
  }

  // MARK: One step

  /// Knows the house as it is now.
  private mutating func meet(_ house: House, _ step: inout Step) {
    household.meet(house)
    step.household = household
  }

  private mutating func begin(_ step: inout Step) {
    noteClock(&step)
    runDue(&step)
  }

  private mutating func finish(_ step: inout Step) -> Outcome {
    runDue(&step)
    settleRoom(&step)
    for id in step.touched.sorted() {
      if let course = courses[id] {
        step.outcome.changes.append(.putEngineRow(course.row(boot: boot)))
      }
    }
    if let change = roomRecord.follow(room, boot: boot) { step.outcome.changes.append(change) }
    return step.outcome
  }

  /// After a step of the clock, or new trust in it, marks follow and due times are looked for anew.
  private mutating func noteClock(_ step: inout Step) {
    guard wakes.note(step.now) else { return }
    for id in courses.ids {
      change(id, &step) {
        $0.followClock(&$1)
        $0.plan(&$1)
      }
    }
  }

  private mutating func runDue(_ step: inout Step) {
    for id in courses.inOrder(wakes.takeDue(at: step.now)) {
      change(id, &step) {
        $0.judge(&$1)
        $0.plan(&$1)
      }
    }
    for id in courses.inOrder(wakes.takeWaits(at: step.now)) {
      change(id, &step) {
        $0.runWaits(&$1)
        $0.plan(&$1)
      }
    }
  }

  private mutating func start(_ step: inout Step) {
    leftovers.clear(courses, &step)
    if step.now.quality.isTrusted {
      // The clock may have been set back while nobody looked.
      for id in courses.ids {
        change(id, &step) {
          $0.withdrawFuture(&$1)
          $0.plan(&$1)
        }
      }
    }
    room.restart()
  }

  /// The resident leaves home: what is due within its notice is said once more.
  private mutating func announceLeaving(_ resident: ResidentID, _ step: inout Step) {
    guard step.now.quality.isTrusted else { return }
    for id in courses.inOrder(courses.ids(of: resident)) {
      change(id, &step) { $0.announceLeaving(&$1) }
    }
  }

  // MARK: Carrying out

  /// Lets an item do something, and carries out what it asks for.
  mutating func change(
    _ id: RoutineItemID, _ step: inout Step, _ body: (inout Course, inout Step) -> Void
  ) {
    courses.change(id) { body(&$0, &step) }
    for wake in step.wakes { wakes.set(wake) }
    step.wakes = []
    for news in step.room { hear(news, &step) }
    step.room = []
  }

  /// Lets the room know what is to be heard of an item; what sounds stops when nothing is left of it.
  private mutating func hear(_ news: RoomNews, _ step: inout Step) {
    if let sound = room.take(news) { step.outcome.actions.append(.stopSound(sound)) }
  }

  // MARK: Items

  /// Inserts or replaces a checked item, and tells of it.
  mutating func place(_ wanted: RoutineItem, by person: String, _ step: inout Step) {
    var item = wanted
    let old = courses[item.id]?.item
    item.revision = (old?.revision ?? 0) + 1
    if old == nil { courses.insert(Course(item, in: household, since: Mark(step.now))) }
    change(item.id, &step) { $0.change(to: item, from: old, by: person, &$1) }
    let next = courses[item.id]?.trustedNext(at: step.now)
    step.tellChange("routine.put", item, from: old, next: next, by: person)
  }

  /// Removes an item, and tells of it.
  mutating func drop(_ id: RoutineItemID, by person: String, _ step: inout Step) {
    guard let item = courses[id]?.item else { return }
    change(id, &step) { $0.end(by: person, &$1) }
    forget(id)
    step.outcome.changes += [
      .removeRoutineItem(id),
      .removeEngineRow(
        engine: Course.engine, subject: item.resident.rawValue,
        name: Course.prefix + id.rawValue),
    ]
    step.tellChange("routine.remove", item, by: person)
  }

  private mutating func forget(_ id: RoutineItemID) {
    guard courses.remove(id) != nil else { return }
    room.forget(id)
    wakes.set(Wake(item: id))
  }

  // MARK: Residents and zones

  /// Asks what becomes of the routine of somebody who moved to another zone.
  private mutating func noticeMove(of id: ResidentID, _ step: inout Step) {
    guard let resident = household.residents[id],
      let old = zoneQuestions.noticeMove(of: resident)
    else { return }
    zoneQuestions.ask(resident, from: old, about: courses, &step)
    // Quiet hours go by the clock of the new home.
    for item in courses.ids(of: id) { change(item, &step) { $0.giveWay(&$1) } }
  }

  /// The store erases the rest; what is remembered here and what sounds goes at once.
  private mutating func erase(_ id: ResidentID, _ step: inout Step) {
    for item in courses.ids(of: id) {
      hear(.over(item), &step)
      forget(item)
    }
    zoneQuestions.forget(id)
  }

  /// Somebody said what becomes of the routine of a resident who moved.
  mutating func endZoneQuestion(of id: ResidentID, _ step: inout Step) {
    zoneQuestions.end(id, &step)
  }

  /// The rules of a zone became known, or cannot be read.
  private mutating func takeZone(_ name: String, _ step: inout Step) {
    for id in courses.ids { change(id, &step) { $0.takeZone(name, &$1) } }
  }
}

// MARK: The room

/// What is heard: one sound at a time, in order, stopped when it is answered.
extension ReminderEngine {
  private var speech: RoomSpeech { RoomSpeech(courses: courses, household: household) }

  /// Says what waits, if nothing of the routine sounds.
  private mutating func settleRoom(_ step: inout Step) {
    if let action = room.settle(speech, at: step.now) { step.outcome.actions.append(action) }
  }

  private mutating func take(_ report: SoundReport, _ step: inout Step) {
    let action = room.take(report, speech, at: step.now.tick)
    if let action { step.outcome.actions.append(action) }
  }

  /// A real alarm has the room for itself.
  private mutating func makeWay(_ step: inout Step) {
    if let sound = room.makeWay(at: step.now.tick) {
      step.outcome.actions.append(.stopSound(sound))
    }
  }

  // MARK: A press

  /// Whether a press answers a reminder now, so that it means nothing else.
  public func isAnswerable(at now: Moment) -> Bool { !heardNow(at: now).isEmpty }

  /// What a press answers now.
  private func heardNow(at now: Moment) -> [RoutineItemID] {
    room.answerable(in: courses, at: now.tick)
  }

  /// Answers what was heard, and says what was answered.
  private mutating func answerHeard(isDone: Bool, by person: String, _ step: inout Step) {
    let ids = heardNow(at: step.now)
    let items = ids.compactMap { courses[$0]?.item }
    guard let resident = items.first?.resident else { return }
    room.queueRest()
    let words = household.sentences(of: resident)
    if isDone {
      for id in ids { try? answer(id, slot: nil, .done, by: person, &step) }
      return confirm([words.praise, words.noted(items)], &step)
    }
    var declined: [RoutineItem] = []
    var putOff: [RoutineItem] = []
    var refused: [RoutineItem] = []
    for item in items {
      do throws(CommandReply.Refusal) {
        try answer(item.id, slot: nil, .notNow, by: person, &step)
        if item.isCritical { putOff.append(item) } else { declined.append(item) }
      } catch { refused.append(item) }
    }
    var sentences: [Sentence] = []
    if !declined.isEmpty { sentences.append(words.declined(declined)) }
    if let first = putOff.first.flatMap({ courses[$0.id] }) {
      sentences.append(
        words.putOff(putOff, minutes: household.timing(of: first.item).snoozeMinutes))
    }
    if !refused.isEmpty { sentences.append(words.notAgain(refused)) }
    confirm(sentences, &step)
  }

  private mutating func confirm(_ sentences: [Sentence], _ step: inout Step) {
    step.outcome.actions += room.confirm(sentences, at: step.now.tick)
  }
}

extension RoutineRequest {
  /// Whether it brings an item with a picture, which has to be stored.
  fileprivate var namesPicture: Bool {
    switch self {
    case .put(let item, _): item.picture != nil
    case .replace(_, _, let items): items.contains { $0.picture != nil }
    case .remove, .setOn, .answer, .restock, .answerZone: false
    }
  }
}
