import Care
import JSON
import Moments

/// What is stored of the routine, as it is when the engine begins.
struct Restored {
  private(set) var courses = Courses()
  private(set) var room = Room()
  private(set) var roomRecord = RoomRecord()
  /// The zone before, of residents who were asked about theirs.
  private(set) var zoneQuestions: [ResidentID: String] = [:]
  private(set) var leftovers: Leftovers

  private let boot: BootID
  private let now: Moment

  init(_ stored: StoredState, in household: Household, boot: BootID, at now: Moment) {
    self.boot = boot
    self.now = now
    leftovers = Leftovers(at: now.tick)
    for item in stored.routineItems {
      var course = Course(item, in: household, since: Mark(now))
      course.takeQuietTimes(in: household)
      courses.insert(course)
    }
    let open = take(stored.occurrences)
    var known: Set<RoutineItemID> = []
    for row in stored.engineRows where row.engine == Course.engine {
      if row.name == Room.rowName {
        takeRoom(row)
      } else if row.name == ZoneQuestions.rowName {
        zoneQuestions[ResidentID(row.subject)] = row.content["from"]?.stringContent
      } else if let id = takeItem(row, open) {
        known.insert(id)
      } else {
        leftovers.add(row)
      }
    }
    for (id, occurrence) in open { courses.change(id) { $0.restore(open: occurrence, at: now) } }
    for id in courses.ids where !known.contains(id) {
      courses.change(id) { $0.restoreLast(at: now) }
    }
  }

  /// Takes the due times that are closed; answers those that are open.
  private mutating func take(_ occurrences: [Occurrence]) -> [RoutineItemID: Occurrence] {
    let now = now
    var open: [RoutineItemID: Occurrence] = [:]
    for occurrence in occurrences.sorted(by: { ($0.due, $0.slot) < ($1.due, $1.slot) }) {
      let id = occurrence.item
      guard courses[id]?.item.resident == occurrence.resident else {
        if !occurrence.state.isFinal { leftovers.add(occurrence) }
        continue
      }
      if occurrence.state.isFinal {
        courses.change(id) { $0.restore(closed: occurrence, at: now) }
      } else if let older = open.updateValue(occurrence, forKey: id) {
        leftovers.add(older)
      }
    }
    return open
  }

  /// Takes what a row remembers of an item; nil where it cannot be read, or there is no such item.
  private mutating func takeItem(
    _ row: EngineRow, _ open: [RoutineItemID: Occurrence]
  ) -> RoutineItemID? {
    let id = RoutineItemID(String(row.name.dropFirst(Course.prefix.count)))
    guard row.name.hasPrefix(Course.prefix), var course = courses[id],
      course.item.resident.rawValue == row.subject,
      let isOther = try? course.restore(row.content, open: open[id], boot: boot, at: now)
    else { return nil }
    if isOther { leftovers.addRow(of: id) }
    courses.insert(course)
    return id
  }

  private mutating func takeRoom(_ row: EngineRow) {
    guard let found = try? Room(row: row, boot: boot) else { return leftovers.add(row) }
    room = found
    // What another boot heard is not what is stored any more.
    let isOfThisBoot = row.content["boot"]?.stringContent == boot.rawValue
    roomRecord = RoomRecord(isOfThisBoot ? found : nil)
  }
}

/// What does not hold any more of what is stored, to be put right at the start.
struct Leftovers: Sendable {
  /// Rows that cannot be read.
  private(set) var rows: [EngineRow] = []
  /// Open due times of items that are gone, or more than one of an item.
  private var occurrences: [Occurrence] = []
  /// Items whose marks followed a clock that was set while nobody looked.
  private var resumed: Set<RoutineItemID> = []
  private var begin: Tick?

  init(at begin: Tick) { self.begin = begin }

  /// When they have to be put right; nil when there is nothing that cannot wait.
  var due: Tick? { rows.isEmpty && occurrences.isEmpty ? nil : begin }

  mutating func add(_ row: EngineRow) { rows.append(row) }
  mutating func add(_ occurrence: Occurrence) { occurrences.append(occurrence) }
  mutating func addRow(of item: RoutineItemID) { resumed.insert(item) }

  /// Puts them right in a step.
  mutating func clear(_ courses: Courses, _ step: inout Step) {
    begin = nil
    for row in rows { step.outcome.changes.append(row.removal) }
    rows = []
    for var occurrence in occurrences {
      occurrence.state = courses[occurrence.item] == nil ? .cancelled : .missed
      occurrence.reason = "restart"
      step.outcome.changes.append(.putOccurrence(occurrence))
    }
    occurrences = []
    step.touched.formUnion(resumed)
    resumed = []
  }
}

/// The room as it was stored last.
struct RoomRecord: Sendable {
  /// Nil where what is stored is none of this boot.
  private var written: Room?

  init(_ written: Room? = Room()) { self.written = written }

  /// What has to be stored of the room as it is now; nil for nothing.
  mutating func follow(_ room: Room, boot: BootID) -> StateChange? {
    guard room != written else { return nil }
    written = room
    if let row = room.row(boot: boot) { return .putEngineRow(row) }
    return .removeEngineRow(engine: Course.engine, subject: Room.subject, name: Room.rowName)
  }
}
