import Care
import Texts

/// What an event says of a due time, in words.
struct ReminderExplanation {
  let household: Household
  let course: Course
  let occurrence: Occurrence?

  private var item: RoutineItem { course.item }
  private var name: String { household.name(of: item.resident) }

  /// Nobody is told that something was said when nothing was.
  var unheard: Message {
    Message(
      "{title} is due, but nothing can be heard in the room: remind {name} yourself.",
      ["title": item.title, "name": name])
  }

  /// What was said of a due time before it came.
  func early(_ type: EventType) -> Message {
    type == .reminderSkipped
      ? Message(
        "{title} is left out by decision, and is not asked for: {reason}",
        ["title": title, "reason": occurrence?.reason ?? ""])
      : Message("{title} was done early, and is not asked for then.", ["title": title])
  }

  private func due(_ values: Message.Values) -> Message {
    guard let open = course.open else { return Message("{title} is due for {name}.", values) }
    if open.heldUntil != nil {
      return Message("{title} is due for {name}; nothing is said in quiet hours.", values)
    }
    return household.ownTime(of: open.occurrence, item) == open.occurrence.due
      ? Message("{title} is due for {name}.", values)
      : Message(
        "{name} is asked for {title} now, because its time lies in quiet hours.", values)
  }

  /// What happens to it when it is due, and after that.
  func usual(_ type: EventType) -> Message {
    let reason = occurrence?.reason ?? ""
    let values: Message.Values = ["title": title, "name": name]
    switch type {
    case .reminderDue: return due(values)
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
        ["title": title, "reason": reason])
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
    default: return Message(verbatim: item.title)
    }
  }

  /// The title with its time, where local time is known.
  private var title: Message {
    guard let occurrence,
      let time = household.clockText(household.ownTime(of: occurrence, item), item)
    else {
      return Message(verbatim: item.title)
    }
    return Message("{title} (at {time})", ["title": item.title, "time": time])
  }
}
