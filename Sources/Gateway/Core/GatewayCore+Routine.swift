import Alarms
public import Care
import FakeCall
public import JSON
public import Moments
import Reminders
import Texts

extension GatewayCore {
  // MARK: Routine

  mutating func perform(
    _ request: RoutineRequest, _ command: Command, at now: Moment, in step: inout Step
  ) throws(CommandReply.Refusal) -> JSONValue {
    let outcome = try reminders.perform(request, by: command.principal.description, at: now)
    step.take(outcome)
    switch request {
    case .put, .remove, .replace, .answerZone: watchZones(at: now, in: &step)
    case .setOn, .answer, .restock: break
    }
    return outcome.reply
  }

  /// Whom a request about the routine concerns; nil when it names an item that is not there.
  func resident(concernedBy request: RoutineRequest) -> ResidentID? {
    switch request {
    case .put(let item, _): item.resident
    case .replace(let id, _, _), .answerZone(let id, _): id
    case .remove(let id, _), .setOn(let id, _), .answer(let id, _, _), .restock(let id, _):
      reminders.resident(of: id)
    }
  }

  mutating func advanceReminders(
    _ input: ReminderInput, at now: Moment, in step: inout Step
  ) {
    step.take(reminders.handle(input, at: now))
  }

  // MARK: Buttons

  /// Answers the reminder that sounds, or sounded just now; says whether there was one.
  mutating func answerReminder(
    isDone: Bool, _ binding: ButtonBinding, at now: Moment, in step: inout Step
  ) -> Bool {
    // Whoever cares has a button for other things; and an alarm or a call goes first.
    guard binding.caregiver == nil, !alarms.isSounding, fakeCall.stage != .ringing,
      fakeCall.stage != .talking,
      let outcome = reminders.answerHere(
        isDone: isDone, by: "button/\(binding.button)", at: now)
    else { return false }
    step.take(outcome)
    return true
  }

  // MARK: Zones that are not there

  private static let zoneComponent: ComponentID = "routine/zone"

  /// Items whose zone is not on this machine are not judged, and somebody has to know.
  mutating func watchZones(at now: Moment, in step: inout Step) {
    let unknown = reminders.unknownZones.sorted { $0.key < $1.key }
    var report = HealthReport(component: Self.zoneComponent, state: .working)
    if let first = unknown.first {
      let count = unknown.reduce(0) { $0 + $1.value }
      report = HealthReport(
        component: Self.zoneComponent, state: .failed, code: "zone-missing",
        detail: Message(
          "{n} item of the routine is not judged: there is no time zone {zone} on this machine. Install the package tzdata, or give the item another zone.",
          plural:
            "{n} items of the routine are not judged: there is no time zone {zone} on this machine. Install the package tzdata, or give the items another zone.",
          count, ["zone": first.key]))
    }
    watch(report, at: now, in: &step)
  }

  // MARK: Views

  /// The most items that a heartbeat holds.
  private static let listedItems = 200
  /// Between two heartbeats that hold the routine, in milliseconds: a day.
  private static let listMilliseconds: Int64 = 86_400_000

  /// The routine for a heartbeat, so that a plugin without a history learns all of it; nothing where it is not its turn.
  ///
  /// What is due comes first; `routineIsComplete` tells whether there is no more.
  mutating func routineMembers(at now: Moment) -> [JSONMember] {
    guard nextRoutineList <= now.tick else { return [] }
    nextRoutineList = now.tick.advanced(byMilliseconds: Self.listMilliseconds)
    let all = reminders.summaries(of: nil, at: now)
    if all.isEmpty { return [] }
    let listed = all.prefix(Self.listedItems).map { summary in
      JSONValue.object(
        Self.listedMembers.compactMap { name in
          summary[name].map { JSONMember(key: name, value: $0) }
        })
    }
    return [
      JSONMember(key: "routine", value: .array(listed)),
      JSONMember(key: "routineIsComplete", value: .bool(listed.count == all.count)),
    ]
  }

  private static let listedMembers = [
    "id", "resident", "title", "kind", "place", "isOn", "state", "occurrence", "slot", "due",
    "nextDue", "lastDone", "source",
  ]

  /// The items of a resident, or of all when nil, with where each stands; see `routine.list`.
  public func routineSummaries(of resident: ResidentID?, at now: Moment) -> [JSONValue] {
    reminders.summaries(of: resident, at: now)
  }

  /// The zones whose files the core needs: of the residents and of their routines.
  public var neededTimeZones: [String] { reminders.neededZones }

  /// The sentences that have to be ready: those of an emergency, and of the routine within 24 hours.
  public func sentencesToKeep(at now: Moment) -> [Sentence] {
    emergencySentences + reminders.sentences(at: now)
  }
}
