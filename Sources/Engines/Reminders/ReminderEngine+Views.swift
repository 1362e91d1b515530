public import Care
import CivilTime
public import JSON
public import Moments
import Recurrence

/// What people and backends look at.
extension ReminderEngine {
  /// All items, by id.
  public var items: [RoutineItem] { courses.ids.compactMap { courses[$0]?.item } }

  /// What is remembered of due times, by item and due time: those that are open and the newest that are closed.
  public var occurrences: [Occurrence] {
    courses.ids.flatMap { id -> [Occurrence] in
      guard let course = courses[id] else { return [] }
      return course.closed.all + (course.open.map { [$0.occurrence] } ?? [])
    }
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
    outcome.reply = ["routine": .array(due(during: times, of: resident, in: world))]
    return outcome
  }

  private func due(
    during times: [ClosedRange<Timestamp>], of resident: ResidentID, in world: World
  ) -> [JSONValue] {
    guard let zone = world.people[resident]?.zone else { return [] }
    let due = times.flatMap {
      dueTimes(of: resident, from: $0.lowerBound, through: $0.upperBound)
    }
    let items = Dictionary(grouping: due, by: \.item.id)
    return items.sorted { $0.key < $1.key }.compactMap { id, found in
      guard let item = found.first?.item else { return nil }
      let times = Set(found.map { String(zone.local(at: $0.due).civil.iso8601Time.prefix(5)) })
      return [
        "item": .string(id.rawValue), "title": .string(item.title),
        "kind": .string(item.kind.rawValue),
        "times": .array(times.sorted().map { .string($0) }),
      ]
    }
  }

  /// What falls due for a resident within a span, its end included: at most 48 times for each item.
  private func dueTimes(
    of resident: ResidentID, from start: Timestamp, through end: Timestamp
  ) -> [(item: RoutineItem, due: Timestamp)] {
    courses.ids(of: resident).flatMap { id -> [(item: RoutineItem, due: Timestamp)] in
      guard let course = courses[id], course.item.isOn else { return [] }
      var slots = course.dueTimes.slots(
        from: start, through: end, limit: CalendarSchedule.maximumTimes)
      // What is due so long after the last time has no times of the calendar.
      if slots.isEmpty, let next = course.next, start <= next.instant, next.instant <= end {
        slots = [next]
      }
      return slots.map { (course.item, $0.instant) }
    }
  }

  /// The items of a resident, or of all when nil, with where each stands: what is due first, then the next due.
  ///
  /// The item's own members, and `state` (`done`: since it was last due; `waiting`; `off`), `isDue` (it can be answered
  /// now), `due` and `slot` of the due time that `state` is about, `nextDue` with `nextInsteadOf` where quiet hours moved
  /// it, `quietHours` and `inQuietHours`, `lastDone`, `daysLeft`; what does not apply is left out.
  public func summaries(of resident: ResidentID?, at now: Moment) -> [JSONValue] {
    courses.shown(of: resident).map { summary($0, at: now) }
  }

  private func summary(_ course: Course, at now: Moment) -> JSONValue {
    let latest = course.open?.occurrence ?? course.closed.newest(at: now.utc)
    let early = course.closed.all.last { $0.due > now.utc && $0.state == .done }
    let isDone = latest?.state == .done || early != nil
    let next = course.trustedNext(at: now)
    let done = course.closed.newestDone
    var json = course.item.json
      .setting("state", to: .string(!course.item.isOn ? "off" : isDone ? "done" : "waiting"))
      .setting("isDue", to: .bool(isDue(course, latest, isDone: isDone)))
    if let latest {
      json = json.setting("slot", to: .string(latest.slot))
        .setting("due", to: .string(latest.due.iso8601))
        .setting("occurrence", to: .string(latest.state.rawValue))
    }
    if let next {
      json = json.setting("nextDue", to: .string(next.instant.iso8601))
      if let local = household.localText(next.instant, of: course.item) {
        json = json.setting("nextDueLocal", to: .string(local))
      }
      if next.instant != next.due {
        json = json.setting("nextInsteadOf", to: .string(next.due.iso8601))
      }
    }
    for member in quietMembers(course) { json = json.setting(member.key, to: member.value) }
    if let done { json = json.setting("lastDone", to: .string(done.changedAt.iso8601)) }
    if let days = course.daysLeft(at: now.utc) {
      json = json.setting("daysLeft", to: .integer(days))
    }
    return json
  }

  /// The quiet hours that hold for an item, and what becomes of due times in them.
  func quietMembers(_ course: Course) -> [JSONMember] {
    guard let rule = course.dueTimes.quiet?.rule else { return [] }
    return [
      JSONMember(key: "quietHours", value: .string(household.timing(of: course.item).quietHours)),
      JSONMember(key: "inQuietHours", value: .string(rule.policy.rawValue)),
    ]
  }

  /// The first coming due time whose own time lies in quiet hours: `own`, and `due`, when it is asked; null for none.
  func nextInQuietHours(_ course: Course, at now: Moment) -> JSONValue {
    guard now.quality.isTrusted, let quiet = course.dueTimes.quiet,
      let first = course.nextSlot(at: now)
    else { return .null }
    var slot: DueSlot? = first
    slot?.instant = first.due
    for _ in 0..<Self.dueTimesSearched {
      guard let own = slot else { return .null }
      if quiet.night(around: own.due) != nil {
        return [
          "own": .string(own.due.iso8601),
          "due": .string(course.dueTimes.asked(own).instant.iso8601),
        ]
      }
      slot = course.dueTimes.own.next(after: own.due)
    }
    return .null
  }

  private static let dueTimesSearched = 64

  /// The next three due times: `due`, and `insteadOf` where quiet hours moved it.
  func comingDues(_ course: Course, at now: Moment) -> [JSONValue] {
    guard now.quality.isTrusted, var slot = course.nextSlot(at: now) else { return [] }
    var found: [JSONValue] = []
    while found.count < 3 {
      found.append(
        .object([
          "due": .string(slot.instant.iso8601),
          "insteadOf": slot.instant == slot.due ? nil : .string(slot.due.iso8601),
        ]))
      guard let next = course.dueTimes.next(after: slot.instant) else { break }
      slot = next
    }
    return found
  }

  /// Whether *done* is offered: it is due and was not done since, or it is taken when needed (DC-5).
  private func isDue(_ course: Course, _ latest: Occurrence?, isDone: Bool) -> Bool {
    guard course.item.isOn else { return false }
    if case .asNeeded = course.dueTimes.own { return true }
    guard !isDone, let latest else { return course.announced != nil && !isDone }
    return course.open != nil || latest.state == .missed || latest.state == .notNow
      || latest.reason == Occurrence.quietReason || course.announced != nil
  }

  /// The sentences that the residents may hear within the next 24 hours, so that they are ready without a network.
  public func sentences(at now: Moment) -> [Sentence] {
    let end = now.utc.advanced(byMilliseconds: 86_400_000)
    var sentences: [Sentence] = []
    var greeted: Set<ResidentID> = []
    for id in courses.ids {
      guard let course = courses[id], course.item.isOn else { continue }
      guard course.open != nil || course.next.map({ $0.instant < end }) ?? false else { continue }
      let words = household.sentences(of: course.item.resident)
      if greeted.insert(course.item.resident).inserted {
        sentences += [words.greeting, words.praise]
      }
      sentences.append(words.action(course.item))
      if let next = course.next, next.instant < next.due,
        let time = household.clockText(next.due, course.item)
      {
        sentences.append(words.action(course.item, time: time))
      }
      let notice = household.timing(of: course.item).noticeMinutes
      if notice > 0 { sentences.append(words.notice(course.item, minutes: notice)) }
    }
    return sentences
  }
}
