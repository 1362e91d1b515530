import Care
import JSON
import Moments
import Texts

/// What backends and caregivers are told of the routine, as it stands at one moment.
struct ReminderNews {
  let household: Household
  let now: Moment
  /// Whether anybody hears what is said in the room.
  let isHeard: Bool

  /// More due times than these are not counted.
  private static let countedAtMost = 100

  /// An event about a due time: the open one unless another is given.
  ///
  /// - Parameter isKnown: whether caregivers were told of it before.
  func event(
    _ type: EventType, _ course: Course, of closed: Occurrence? = nil, isKnown: Bool = false
  ) -> EventDraft {
    let occurrence = closed ?? course.open?.occurrence ?? course.closed.newest(at: now.utc)
    var facts = itemFacts(course)
    if let occurrence {
      facts += [
        JSONMember(key: "slot", value: .string(occurrence.slot)),
        JSONMember(key: "due", value: .string(occurrence.due.iso8601)),
        JSONMember(key: "state", value: .string(occurrence.state.rawValue)),
        JSONMember(key: "prompts", value: .integer(occurrence.prompts)),
        JSONMember(key: "by", value: .string(occurrence.by)),
        JSONMember(key: "isLate", value: .bool(occurrence.isLate)),
      ]
      if let local = household.localText(occurrence.due, of: course.item) {
        facts.append(JSONMember(key: "dueLocal", value: .string(local)))
      }
      if occurrence.isAhead(at: now) {
        facts.append(JSONMember(key: "isEarly", value: true))
      }
      if !occurrence.reason.isEmpty {
        facts.append(JSONMember(key: "reason", value: .string(occurrence.reason)))
      }
    }
    let isHeld = course.open?.heldUntil != nil
    let isUnheard = type == .reminderPrompted && !isHeld && !isHeard
    if type == .reminderPrompted {
      facts.append(JSONMember(key: "isSilent", value: .bool(isHeld || isUnheard)))
    }
    if let severity = Self.severity(type, isKnown) {
      facts.append(JSONMember(key: "severity", value: .string(severity)))
      facts.append(JSONMember(key: "label", value: .string(course.item.title)))
    }
    let isEarly = occurrence.map { $0.isAhead(at: now) } ?? false
    let words = ReminderExplanation(household: household, course: course, occurrence: occurrence)
    let explanation = household.say(
      isUnheard ? words.unheard : isEarly ? words.early(type) : words.usual(type),
      to: course.item.resident)
    facts.append(JSONMember(key: "explanation", value: explanation))
    return EventDraft(
      type: type, lane: Self.severity(type, isKnown) == nil ? .record : .alarm,
      resident: course.item.resident, facts: .object(facts),
      signal: Self.signal(type, course.item, explanation.stringContent ?? ""))
  }

  /// What an event about an item means to others.
  private static func signal(
    _ type: EventType, _ item: RoutineItem, _ explanation: String
  ) -> Signal? {
    // Each medicine is a cause of its own: the alarm is over when all are taken care of.
    let cause = "medicine:\(item.id)"
    switch type {
    case .reminderUnanswered: return .news(.unanswered(title: item.title), of: item.resident)
    case .medicineMissed:
      return .found(
        Signal.Finding(
          resident: item.resident, kind: .medicine, cause: cause, label: item.title,
          explanation: explanation))
    case .medicineSettled:
      return .settled(
        Signal.Settlement(
          resident: item.resident, kind: .medicine, causes: [cause], reason: .done))
    default: return nil
    }
  }

  /// What caregivers must know goes the way that is never dropped.
  private static func severity(_ type: EventType, _ isKnown: Bool) -> String? {
    switch type {
    case .medicineMissed: "alarm"
    case .reminderUnanswered, .stockLow, .reminderGap: "notice"
    case .reminderMissed: isKnown ? nil : "notice"
    default: nil
    }
  }

  private func itemFacts(_ course: Course) -> [JSONMember] {
    let item = course.item
    var facts = [
      JSONMember(key: "item", value: .string(item.id.rawValue)),
      JSONMember(key: "title", value: .string(item.title)),
      JSONMember(key: "kind", value: .string(item.kind.rawValue)),
      JSONMember(key: "residentName", value: .string(household.name(of: item.resident))),
      JSONMember(key: "isCritical", value: .bool(item.isCritical)),
    ]
    if now.quality.isTrusted, let next = course.nextSlot(at: now) {
      facts.append(JSONMember(key: "nextDue", value: .string(next.instant.iso8601)))
    }
    return facts
  }

  /// Something will be due soon.
  func notice(_ course: Course, _ slot: DueSlot, isLeaving: Bool) -> EventDraft {
    let minutes = (slot.instant.milliseconds(since: now.utc) + 59_999) / 60_000
    var facts = itemFacts(course)
    facts += [
      JSONMember(key: "slot", value: .string(slot.key)),
      JSONMember(key: "due", value: .string(slot.instant.iso8601)),
      JSONMember(key: "inMinutes", value: .integer(minutes)),
      JSONMember(key: "isLeaving", value: .bool(isLeaving)),
    ]
    if let local = household.localText(slot.instant, of: course.item) {
      facts.append(JSONMember(key: "dueLocal", value: .string(local)))
    }
    let title = course.item.title
    let name = household.name(of: course.item.resident)
    let words =
      isLeaving
      ? Message(
        "{name} leaves home, and {title} is due in {n} minute.",
        plural: "{name} leaves home, and {title} is due in {n} minutes.", Int(clamping: minutes),
        ["name": name, "title": title])
      : Message(
        "{title} is due in {n} minute.", plural: "{title} is due in {n} minutes.",
        Int(clamping: minutes), ["title": title])
    facts.append(
      JSONMember(key: "explanation", value: household.say(words, to: course.item.resident)))
    return EventDraft(
      type: .reminderNotice, lane: .record, resident: course.item.resident,
      facts: .object(facts))
  }

  /// Many due times passed unseen: one event for all but the last.
  func gap(_ course: Course, from start: Timestamp) -> EventDraft {
    let limit = Self.countedAtMost + 1
    let found = course.dueTimes.own.slots(from: start, through: now.utc, limit: limit).count
    let isMore = found > Self.countedAtMost
    let count = min(found, Self.countedAtMost)
    var facts = itemFacts(course)
    let values: Message.Values = [
      "title": course.item.title, "name": household.name(of: course.item.resident),
    ]
    let words =
      isMore
      ? Message(
        "{title} was due more than {n} time while Homeward was off or had no clock. Only the last time is judged; please ask {name} about the others.",
        plural:
          "{title} was due more than {n} times while Homeward was off or had no clock. Only the last time is judged; please ask {name} about the others.",
        count, values)
      : Message(
        "{title} was due {n} time while Homeward was off or had no clock. Only the last time is judged; please ask {name} about the others.",
        plural:
          "{title} was due {n} times while Homeward was off or had no clock. Only the last time is judged; please ask {name} about the others.",
        count, values)
    facts += [
      JSONMember(key: "count", value: .integer(Int64(count))),
      JSONMember(key: "isMore", value: .bool(isMore)),
      JSONMember(key: "since", value: .string(start.iso8601)),
      JSONMember(key: "until", value: .string(now.utc.iso8601)),
      JSONMember(key: "severity", value: "notice"),
      JSONMember(key: "label", value: .string(course.item.title)),
      JSONMember(key: "explanation", value: household.say(words, to: course.item.resident)),
    ]
    return EventDraft(
      type: .reminderGap, lane: .alarm, resident: course.item.resident, facts: .object(facts))
  }

  /// A medicine will be used up soon.
  func stock(_ course: Course, _ stock: Stock, days: Int64) -> EventDraft {
    var facts = itemFacts(course)
    let words = Message(
      "{title} of {name} lasts for {n} more day: {units} left. Please get more.",
      plural: "{title} of {name} lasts for {n} more days: {units} left. Please get more.",
      Int(clamping: days),
      [
        "title": course.item.title, "name": household.name(of: course.item.resident),
        "units": stock.units,
      ])
    facts += [
      JSONMember(key: "units", value: stock.units.json),
      JSONMember(key: "daysLeft", value: .integer(days)),
      JSONMember(key: "severity", value: "notice"),
      JSONMember(key: "label", value: .string(course.item.title)),
      JSONMember(key: "explanation", value: household.say(words, to: course.item.resident)),
    ]
    return EventDraft(
      type: .stockLow, lane: .alarm, resident: course.item.resident, facts: .object(facts),
      signal: .news(
        .stock(title: course.item.title, daysLeft: days), of: course.item.resident))
  }

  /// An item was changed, or removed, with what was there before: whoever was faster, nothing is lost.
  ///
  /// - Parameters:
  ///   - previous: the item as it was; nil where there was none, or it was removed.
  ///   - next: when it is due from now on.
  func change(
    _ action: String, _ item: RoutineItem, from previous: RoutineItem?, next: DueSlot?,
    by person: String
  ) -> EventDraft {
    EventDraft(
      type: .recordChanged, lane: .record, resident: item.resident,
      facts: .object([
        "action": .string(action), "target": .string(item.id.rawValue), "by": .string(person),
        "content": item.json, "previous": previous?.json,
        "nextDue": next.map { .string($0.instant.iso8601) },
      ]))
  }
}
