import Care
import Moments
import Texts

/// What people say of a due time before it comes: done already, left out, and taken back.
extension ReminderEngine {
  private static let dayMilliseconds: Int64 = 86_400_000

  /// The coming due time that an answer is about; nil when the answer is about none that lies ahead.
  func ahead(
    _ course: Course, _ slot: String?, _ answer: RoutineRequest.Answer, at now: Moment
  ) -> DueSlot? {
    guard course.open == nil, now.quality.isTrusted, let next = course.nextSlot(at: now),
      next.instant > now.utc, slot == nil || slot == next.key
    else { return nil }
    switch answer {
    case .done:
      return course.earliest(next, by: household.timing(of: course.item)) <= now.utc ? next : nil
    case .skip:
      if slot != nil || course.earliest(next, by: household.timing(of: course.item)) <= now.utc {
        return next
      }
      // What was missed just now is meant before what comes tomorrow.
      if let newest = course.closed.newest(at: now.utc), newest.takes(answer) {
        return nil
      }
      return next.instant.milliseconds(since: now.utc) <= Self.dayMilliseconds ? next : nil
    case .notNow, .snooze, .undo: return nil
    }
  }

  mutating func answerAhead(
    _ id: RoutineItemID, _ slot: DueSlot, _ answer: RoutineRequest.Answer, by person: String,
    _ step: inout Step
  ) throws(CommandReply.Refusal) {
    if case .skip(let reason) = answer { try check(reason: reason) }
    openNow(id, slot, &step)
    if case .skip(let reason) = answer {
      let closed = close(id, as: .skipped, by: person, reason: reason, &step)
      tell(.reminderSkipped, id, of: closed, &step)
      settle(id, &step)
    } else {
      finishDone(id, by: person, &step)
    }
    plan(id, at: step.now)
  }

  /// What was said of a due time ahead of it is taken back: it is asked at its time as if nothing had been said.
  mutating func takeBack(
    _ id: RoutineItemID, slot: String?, by person: String, _ step: inout Step
  ) throws(CommandReply.Refusal) {
    let course = try course(id)
    guard var occurrence = course.closed.newestAhead(slot, at: step.now) else {
      throw refusal(
        .conflict,
        Message(
          "Nothing was said of {title} ahead of its time, and only that can be taken back.",
          ["title": course.item.title]))
    }
    let wasDone = occurrence.state == .done
    occurrence.state = .cancelled
    occurrence.by = person
    occurrence.reason = Occurrence.undoneReason
    occurrence.changedAt = step.now.utc
    courses[id]?.closed.remember(occurrence, at: step.now.utc)
    step.outcome.changes.append(.putOccurrence(occurrence))
    step.touched.insert(id)
    if case .elapsed = course.dueTimes.own {
      let before = course.closed.newest(beside: occurrence)
      courses[id]?.last = before.map { Mark(utc: $0.changedAt, at: step.now) }
    }
    if wasDone { giveBackDose(id, &step) }
    tell(.reminderCancelled, id, of: occurrence, &step)
    plan(id, at: step.now)
  }

  private mutating func giveBackDose(_ id: RoutineItemID, _ step: inout Step) {
    guard var stock = courses[id]?.item.stock else { return }
    stock.units.hundredths += stock.unitsPerDose.hundredths
    courses[id]?.item.stock = stock
    if let item = courses[id]?.item { step.outcome.changes.append(.putRoutineItem(item)) }
  }
}
