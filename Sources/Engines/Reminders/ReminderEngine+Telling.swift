import Care
import CivilTime
import JSON
import Moments
import Recurrence
import Texts

/// The events that backends and caregivers see.
extension ReminderEngine {
  /// Adds an event about a due time: the open one unless another is given.
  ///
  /// - Parameter isKnown: whether caregivers were told of it before.
  mutating func tell(
    _ type: EventType, _ id: RoutineItemID, of closed: Occurrence? = nil, isKnown: Bool = false,
    _ step: inout Step
  ) {
    guard let course = courses[id] else { return }
    let occurrence = closed ?? course.open?.occurrence ?? course.closed.newest(at: step.now.utc)
    var facts = itemFacts(course, &step)
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
      if occurrence.isAhead(at: step.now) {
        facts.append(JSONMember(key: "isEarly", value: true))
      }
      if !occurrence.reason.isEmpty {
        facts.append(JSONMember(key: "reason", value: .string(occurrence.reason)))
      }
    }
    let isHeld = course.open?.heldUntil != nil
    let isUnheard = type == .reminderPrompted && !isHeld && !step.isHeard
    if type == .reminderPrompted {
      facts.append(JSONMember(key: "isSilent", value: .bool(isHeld || isUnheard)))
    }
    if let severity = Self.severity(type, isKnown) {
      facts.append(JSONMember(key: "severity", value: .string(severity)))
      facts.append(JSONMember(key: "label", value: .string(course.item.title)))
    }
    let isEarly = occurrence.map { $0.isAhead(at: step.now) } ?? false
    var words =
      isEarly
      ? earlyExplanation(type, course, occurrence) : explanation(type, course, occurrence)
    if isUnheard { words = unheard(course.item) }
    let explanation = household.say(words, to: course.item.resident)
    facts.append(JSONMember(key: "explanation", value: explanation))
    step.outcome.events.append(
      EventDraft(
        type: type, lane: Self.severity(type, isKnown) == nil ? .record : .alarm,
        resident: course.item.resident, facts: .object(facts),
        signal: Self.signal(type, course.item, explanation.stringContent ?? "")))
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

  private func itemFacts(_ course: Course, _ step: inout Step) -> [JSONMember] {
    let item = course.item
    var facts = [
      JSONMember(key: "item", value: .string(item.id.rawValue)),
      JSONMember(key: "title", value: .string(item.title)),
      JSONMember(key: "kind", value: .string(item.kind.rawValue)),
      JSONMember(key: "residentName", value: .string(household.name(of: item.resident))),
      JSONMember(key: "isCritical", value: .bool(item.isCritical)),
    ]
    if step.now.quality.isTrusted, let next = course.nextSlot(at: step.now) {
      facts.append(JSONMember(key: "nextDue", value: .string(next.instant.iso8601)))
    }
    return facts
  }

  mutating func tellNotice(
    _ id: RoutineItemID, _ slot: DueSlot, isLeaving: Bool, _ step: inout Step
  ) {
    guard let course = courses[id] else { return }
    let minutes = (slot.instant.milliseconds(since: step.now.utc) + 59_999) / 60_000
    var facts = itemFacts(course, &step)
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
    step.outcome.events.append(
      EventDraft(
        type: .reminderNotice, lane: .record, resident: course.item.resident,
        facts: .object(facts)))
  }

  /// Many due times passed unseen: one event for all but the last.
  mutating func tellGap(_ id: RoutineItemID, from start: Timestamp, _ step: inout Step) {
    guard let course = courses[id] else { return }
    let limit = Self.countedAtMost + 1
    let found = course.dueTimes.own.slots(from: start, through: step.now.utc, limit: limit).count
    let isMore = found > Self.countedAtMost
    let count = min(found, Self.countedAtMost)
    var facts = itemFacts(course, &step)
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
      JSONMember(key: "until", value: .string(step.now.utc.iso8601)),
      JSONMember(key: "severity", value: "notice"),
      JSONMember(key: "label", value: .string(course.item.title)),
      JSONMember(key: "explanation", value: household.say(words, to: course.item.resident)),
    ]
    step.outcome.events.append(
      EventDraft(
        type: .reminderGap, lane: .alarm, resident: course.item.resident, facts: .object(facts)))
  }

  mutating func tellStock(_ id: RoutineItemID, days: Int64, _ step: inout Step) {
    guard let course = courses[id], let stock = course.item.stock else { return }
    var facts = itemFacts(course, &step)
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
    step.outcome.events.append(
      EventDraft(
        type: .stockLow, lane: .alarm, resident: course.item.resident, facts: .object(facts),
        signal: .news(
          .stock(title: course.item.title, daysLeft: days), of: course.item.resident)))
  }

  // MARK: Words

  /// Nobody is told that something was said when nothing was.
  private func unheard(_ item: RoutineItem) -> Message {
    Message(
      "{title} is due, but nothing can be heard in the room: remind {name} yourself.",
      ["title": item.title, "name": household.name(of: item.resident)])
  }

  /// What was said of a due time before it came.
  private func earlyExplanation(
    _ type: EventType, _ course: Course, _ occurrence: Occurrence?
  ) -> Message {
    let title = title(course.item, occurrence)
    return type == .reminderSkipped
      ? Message(
        "{title} is left out by decision, and is not asked for: {reason}",
        ["title": title, "reason": occurrence?.reason ?? ""])
      : Message("{title} was done early, and is not asked for then.", ["title": title])
  }

  private func dueExplanation(
    _ course: Course, _ occurrence: Occurrence?, _ values: Message.Values
  ) -> Message {
    guard let open = course.open else { return Message("{title} is due for {name}.", values) }
    if open.heldUntil != nil {
      return Message("{title} is due for {name}; nothing is said in quiet hours.", values)
    }
    return household.ownTime(of: open.occurrence, course.item) == open.occurrence.due
      ? Message("{title} is due for {name}.", values)
      : Message(
        "{name} is asked for {title} now, because its time lies in quiet hours.", values)
  }

  private func explanation(
    _ type: EventType, _ course: Course, _ occurrence: Occurrence?
  ) -> Message {
    let name = household.name(of: course.item.resident)
    let reason = occurrence?.reason ?? ""
    let values: Message.Values = ["title": title(course.item, occurrence), "name": name]
    switch type {
    case .reminderDue: return dueExplanation(course, occurrence, values)
    case .reminderPrompted:
      let count = Int(clamping: occurrence?.prompts ?? 1)
      return course.open?.heldUntil == nil
        ? Message(
          "{name} is reminded of {title}, {n} time now.",
          plural: "{name} is reminded of {title}, {n} times now.", count, values)
        : Message("Nothing is said to {name} in quiet hours: {title}.", values)
    case .reminderSnoozed: return Message("{title} was put off for a while.", values)
    case .reminderDone:
      return occurrence?.isLate == true
        ? Message("{title} was done, late.", values) : Message("{title} was done.", values)
    case .reminderNotNow: return Message("{name} does not want to: {title}.", values)
    case .reminderSkipped:
      return Message(
        "{title} was left out by decision: {reason}",
        ["title": title(course.item, occurrence), "reason": reason])
    case .reminderUnanswered:
      return Message("{name} has not answered: {title}. Please look after it.", values)
    case .reminderMissed:
      return reason == "outage"
        ? Message(
          "{title} passed while Homeward was off or had no clock. Please ask {name}.", values)
        : Message("{title} was missed: {name} did not answer. Please ask {name}.", values)
    case .medicineMissed:
      return Message("{name} did not answer, and it is important: {title}.", values)
    case .medicineSettled: return Message("{title} of {name} is taken care of.", values)
    case .reminderCancelled:
      if reason == Occurrence.quietReason {
        return Message(
          "{title} was not said to {name} in quiet hours, and nobody said that it was done.", values
        )
      }
      return reason == Occurrence.undoneReason
        ? Message("What was said of {title} was taken back; it is asked for at its time.", values)
        : Message("{title} is not asked for any more.", values)
    default: return Message(verbatim: course.item.title)
    }
  }

  /// The title with its time, where local time is known.
  private func title(_ item: RoutineItem, _ occurrence: Occurrence?) -> Message {
    guard let occurrence,
      let time = household.clockText(household.ownTime(of: occurrence, item), item)
    else {
      return Message(verbatim: item.title)
    }
    return Message("{title} (at {time})", ["title": item.title, "time": time])
  }
}
