public import Care
public import JSON
public import Moments

/// What people and backends look at.
extension ReminderEngine {
  /// All items, by id.
  public var items: [RoutineItem] { courses.ids.compactMap { courses[$0]?.item } }

  /// What is remembered of due times, by item and due time: those that are open and the newest that are closed.
  public var occurrences: [Occurrence] {
    courses.ids.flatMap { courses[$0]?.occurrences ?? [] }
  }

  /// Whom a request about the routine concerns; nil when it names an item that is not there.
  public func resident(concernedBy request: Command.Request) -> ResidentID? {
    guard case .routine(let request) = request else { return nil }
    return switch request {
    case .put(let item, _): item.resident
    case .replace(let id, _, _), .answerZone(let id, _): id
    case .remove(let id, _), .setOn(let id, _), .answer(let id, _, _), .restock(let id, _):
      courses[id]?.item.resident
    }
  }

  /// The answer that says what a resident is to do or take within some times, so that somebody thinks of it: `routine`,
  /// `[{item, title, kind, times: ["12:00"]}]`.
  func dueOutcome(
    during times: [ClosedRange<Timestamp>], of resident: ResidentID, in world: World
  ) -> Outcome {
    var outcome = Outcome()
    let zone = world.people[resident]?.zone
    let due = zone.map { ComingDues(courses: courses, zone: $0).list(during: times, of: resident) }
    outcome.reply = ["routine": .array(due ?? [])]
    return outcome
  }

  /// The items of a resident, or of all when nil, with where each stands: what is due first, then the next due.
  ///
  /// The item's own members, and `state` (`done`: since it was last due; `waiting`; `off`), `isDue` (it can be answered
  /// now), `due` and `slot` of the due time that `state` is about, `nextDue` with `nextInsteadOf` where quiet hours moved
  /// it, `quietHours` and `inQuietHours`, `lastDone`, `daysLeft`; what does not apply is left out.
  public func summaries(of resident: ResidentID?, at now: Moment) -> [JSONValue] {
    courses.shown(of: resident).map {
      CourseView(course: $0, household: household, now: now).summary
    }
  }

  /// The sentences that the residents may hear within the next 24 hours, so that they are ready without a network.
  public func sentences(at now: Moment) -> [Sentence] {
    RoomSpeech(courses: courses, household: household).sentencesAhead(at: now)
  }

  // MARK: Zones

  /// Zones that items are pinned to and that are not known on this machine, with how many items wait for each.
  public var unknownZones: [String: Int] { courses.unknownZones }

  /// The zones whose rules are needed: of the items and of the residents, sorted.
  public var neededZones: [String] {
    courses.zones.union(household.residents.values.map(\.timeZone)).sorted()
  }

  /// Items whose zone is not on this machine are not judged, and somebody has to know.
  func watchZones(_ step: inout Step) {
    step.outcome.signals.append(.health(MissingZones(unknownZones).report, isCertain: false))
  }
}
