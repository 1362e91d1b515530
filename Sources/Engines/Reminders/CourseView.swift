import Care
import JSON
import Moments

/// An item as people and backends look at it at one moment.
struct CourseView {
  let course: Course
  let household: Household
  let now: Moment

  /// The answer to whoever answered it: what that was about, what became of it, and what is due next.
  var answerReply: JSONValue {
    let latest = course.open?.occurrence ?? course.closed.newest
    let next = course.trustedNext(at: now)
    let isEarly = latest.map { $0.isAhead(at: now) } ?? false
    return .object([
      "item": .string(course.id.rawValue), "slot": latest.map { .string($0.slot) },
      "state": latest.map { .string($0.state.rawValue) },
      "due": latest.map { .string($0.due.iso8601) }, "isEarly": isEarly ? true : nil,
      "nextDue": next.map { .string($0.instant.iso8601) },
    ])
  }

  /// The answer to whoever changed the item.
  var reply: JSONValue {
    let next = course.trustedNext(at: now)
    return .object(
      [
        JSONMember(key: "id", value: .string(course.id.rawValue)),
        JSONMember(key: "revision", value: .integer(course.item.revision)),
      ] + (next.map { [JSONMember(key: "nextDue", value: .string($0.instant.iso8601))] } ?? [])
        + quietMembers
        + [
          JSONMember(key: "next", value: .array(comingDues)),
          JSONMember(key: "nextInQuietHours", value: nextInQuietHours),
        ])
  }

  /// The item's own members and where it stands; see ``ReminderEngine/summaries(of:at:)``.
  var summary: JSONValue {
    let latest = course.open?.occurrence ?? course.closed.newest(at: now.utc)
    let early = course.closed.all.last { $0.due > now.utc && $0.state == .done }
    let isDone = latest?.state == .done || early != nil
    let next = course.trustedNext(at: now)
    let done = course.closed.newestDone
    var json = course.item.json
      .setting("state", to: .string(!course.item.isOn ? "off" : isDone ? "done" : "waiting"))
      .setting("isDue", to: .bool(isDue(latest, isDone: isDone)))
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
    for member in quietMembers { json = json.setting(member.key, to: member.value) }
    if let done { json = json.setting("lastDone", to: .string(done.changedAt.iso8601)) }
    if let days = course.daysLeft(at: now.utc) {
      json = json.setting("daysLeft", to: .integer(days))
    }
    return json
  }

  /// The quiet hours that hold for an item, and what becomes of due times in them.
  private var quietMembers: [JSONMember] {
    guard let rule = course.dueTimes.quiet?.rule else { return [] }
    return [
      JSONMember(key: "quietHours", value: .string(household.timing(of: course.item).quietHours)),
      JSONMember(key: "inQuietHours", value: .string(rule.policy.rawValue)),
    ]
  }

  /// The first coming due time whose own time lies in quiet hours: `own`, and `due`, when it is asked; null for none.
  private var nextInQuietHours: JSONValue {
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
  private var comingDues: [JSONValue] {
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
  private func isDue(_ latest: Occurrence?, isDone: Bool) -> Bool {
    guard course.item.isOn else { return false }
    if case .asNeeded = course.dueTimes.own { return true }
    guard !isDone, let latest else { return course.announced != nil && !isDone }
    return course.open != nil || latest.state == .missed || latest.state == .notNow
      || latest.reason == Occurrence.quietReason || course.announced != nil
  }
}
