public import Care
import JSON
public import Moments
import Recurrence

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

  var household: Household
  /// The zone that each resident lived by when somebody last changed them, so that a move is noticed.
  var homeZones: [ResidentID: String]
  var courses: [RoutineItemID: Course] = [:]
  /// How many items each resident has.
  var counts: [ResidentID: Int] = [:]
  /// Zones that residents were asked about: the zone before.
  var zoneQuestions: [ResidentID: String] = [:]
  var room = Room()
  let boot: BootID
  var wakes: Wakes
  private var writtenRoom = Room()
  private var unreadable: [EngineRow] = []
  /// Open due times of items that are gone, or more than one of an item; closed at the start.
  private var leftovers: [Occurrence] = []
  private var startTick: Tick?
  /// Items whose marks followed a clock that was set while nobody looked; written at the start.
  private var resumed: Set<RoutineItemID> = []
  var listing: Listing

  static let roomRow = "room"
  static let zoneRow = "zone"

  /// An engine over the items, their due times and the rows of engine `reminders`; nothing of it is drawn by lot.
  ///
  /// Of each item the due times that are not final, and the newest final ones, have to be there.
  public init(stored: StoredState, seed: UInt64, in world: World) {
    let now = world.now
    household = Household(world.house)
    boot = world.boot
    homeZones = world.house.residents.mapValues(\.timeZone)
    listing = Listing(at: now)
    wakes = Wakes(at: now)
    for item in stored.routineItems {
      var course = Course(item, in: household, since: Mark(now))
      course.beQuiet(in: household)
      courses[item.id] = course
      counts[item.resident, default: 0] += 1
    }
    restore(stored.engineRows, stored.occurrences, at: now)
    for id in courses.keys.sorted() {
      guard let item = courses[id]?.item else { continue }
      let wake = courses[id]?.plan(household.timing(of: item), at: now)
      if let wake { wakes.set(wake) }
    }
    if !unreadable.isEmpty || !leftovers.isEmpty { startTick = now.tick }
  }

  /// When ``Input/time`` is due; nil when nothing is waited for.
  public var nextWake: Tick? {
    [wakes.next, room.deadline, startTick].compactMap { $0 }.min()
  }

  /// Adds the items, what is remembered of their due times, and the rows of engine `reminders`.
  public func store(in state: inout StoredState) {
    state.routineItems += items
    state.occurrences += occurrences
    state.engineRows += rows
  }

  private var rows: [EngineRow] {
    var rows = courses.keys.sorted().compactMap { courses[$0]?.row(boot: boot) }
    if let row = room.row(boot: boot) { rows.append(row) }
    for id in zoneQuestions.keys.sorted() {
      if let zone = zoneQuestions[id] { rows.append(Self.zoneRow(id, zone)) }
    }
    return rows + unreadable
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
      return Self.isDone(press.meaning) == nil || room.heard.isEmpty ? [] : [.need, .call, .sound]
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
      for item in ids(of: id) { change(item, &step) { $0.giveWay(&$1) } }
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
      refusal.events = attempt.conflict(request, by: person).map { [$0] } ?? []
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
    writeRoom(&step)
    return step.outcome
  }

  /// After a step of the clock, or new trust in it, marks follow and due times are looked for anew.
  private mutating func noteClock(_ step: inout Step) {
    guard wakes.note(step.now) else { return }
    for id in courses.keys.sorted() {
      change(id, &step) {
        $0.followClock(&$1)
        $0.plan(&$1)
      }
    }
  }

  private mutating func runDue(_ step: inout Step) {
    for id in inOrder(wakes.takeDue(at: step.now)) {
      change(id, &step) {
        $0.judge(&$1)
        $0.plan(&$1)
      }
    }
    for id in inOrder(wakes.takeWaits(at: step.now)) {
      change(id, &step) {
        $0.runWaits(&$1)
        $0.plan(&$1)
      }
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
      step.outcome.changes.append(row.removal)
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
        change(id, &step) {
          $0.withdrawFuture(&$1)
          $0.plan(&$1)
        }
      }
    }
    restartRoom(&step)
  }

  /// The resident leaves home: what is due within its notice is said once more.
  private mutating func announceLeaving(_ resident: ResidentID, _ step: inout Step) {
    guard step.now.quality.isTrusted else { return }
    for id in inOrder(ids(of: resident)) { change(id, &step) { $0.announceLeaving(&$1) } }
  }

  // MARK: Carrying out

  /// Lets an item do something, and carries out what it asks for.
  mutating func change(
    _ id: RoutineItemID, _ step: inout Step, _ body: (inout Course, inout Step) -> Void
  ) {
    guard var course = courses.removeValue(forKey: id) else { return }
    body(&course, &step)
    courses[id] = course
    for wake in step.wakes { wakes.set(wake) }
    step.wakes = []
    for news in step.room { hear(news, &step) }
    step.room = []
  }

  /// Lets the room know what is to be heard of an item; what sounds stops when nothing is left of it.
  mutating func hear(_ news: RoomNews, _ step: inout Step) {
    if let sound = room.take(news) { step.outcome.actions.append(.stopSound(sound)) }
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
        courses[id]?.restore(closed: occurrence, at: now)
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
    for (id, occurrence) in open { courses[id]?.restore(open: occurrence, at: now) }
    for id in courses.keys where !known.contains(id) { courses[id]?.restoreLast(at: now) }
  }

  private mutating func read(
    _ row: EngineRow, _ open: [RoutineItemID: Occurrence], at now: Moment
  ) -> RoutineItemID? {
    let id = RoutineItemID(String(row.name.dropFirst(Course.prefix.count)))
    guard row.name.hasPrefix(Course.prefix), var course = courses[id],
      course.item.resident.rawValue == row.subject,
      let isOther = try? course.restore(row.content, open: open[id], boot: boot, at: now)
    else { return nil }
    if isOther { resumed.insert(id) }
    courses[id] = course
    return id
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

  /// The rules of a zone became known, or cannot be read.
  private mutating func takeZone(_ name: String, _ step: inout Step) {
    for id in courses.keys.sorted() { change(id, &step) { $0.takeZone(name, &$1) } }
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
