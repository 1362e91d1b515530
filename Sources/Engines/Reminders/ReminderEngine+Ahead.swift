import Care
import Moments
import Texts

/// What people say of a due time before it comes: done already, left out, and taken back.
extension ReminderEngine {
  private static let dayMilliseconds: Int64 = 86_400_000
  /// So long after a dose no other one counts as early, or pressing twice would be two doses.
  private static let longestPause: Int64 = 4 * 3_600_000

  /// The coming due time that an answer is about; nil when the answer is about none that lies ahead.
  func ahead(
    _ course: Course, _ slot: String?, _ answer: RoutineRequest.Answer, at now: Moment
  ) -> DueSlot? {
    guard course.open == nil, now.quality.isTrusted, let next = nextSlot(course, at: now),
      next.instant > now.utc, slot == nil || slot == next.key
    else { return nil }
    switch answer {
    case .done: return earliest(course, next) <= now.utc ? next : nil
    case .skip:
      if slot != nil || earliest(course, next) <= now.utc { return next }
      // What was missed just now is meant before what comes tomorrow.
      if let newest = course.newestClosed(at: now.utc), Self.canAnswer(newest, answer) {
        return nil
      }
      return next.instant.milliseconds(since: now.utc) <= Self.dayMilliseconds ? next : nil
    case .notNow, .snooze, .undo: return nil
    }
  }

  /// From when on something that is done counts for a due time.
  ///
  /// Within the time that its settings say, at most half of the way from the due time before, so that it is never the one
  /// before that was meant; or once it was announced; and never soon after it was done the last time.
  func earliest(_ course: Course, _ next: DueSlot) -> Timestamp {
    let interval = interval(course, before: next)
    var window = household.timing(of: course.item).earlyMinutes * 60_000
    if let interval { window = min(window, interval / 2) }
    if course.announced == next.key {
      window = max(window, household.timing(of: course.item).noticeMinutes * 60_000)
    }
    let earliest = next.instant.advanced(byMilliseconds: -window)
    guard let done = course.closed.last(where: { $0.state == .done }) else { return earliest }
    let pause = min(interval.map { $0 / 2 } ?? 0, Self.longestPause)
    return min(next.instant, max(earliest, done.changedAt.advanced(byMilliseconds: pause)))
  }

  /// Milliseconds from the due time before; where there was none, to the one after.
  private func interval(_ course: Course, before next: DueSlot) -> Int64? {
    if case .elapsed(let milliseconds, _) = course.dueTimes.own { return milliseconds }
    let before = course.dueTimes.latest(atOrBefore: next.instant.advanced(byMilliseconds: -1))
    if let before { return next.instant.milliseconds(since: before.instant) }
    return course.dueTimes.next(after: next.instant)?.instant.milliseconds(since: next.instant)
  }

  /// Whether something was said of a due time that has not come yet.
  func isAhead(_ occurrence: Occurrence, at now: Moment) -> Bool {
    (occurrence.state == .done || occurrence.state == .skipped) && occurrence.due > now.utc
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
    let said = course.closed.last {
      isAhead($0, at: step.now) && (slot == nil || slot == $0.slot)
    }
    guard var occurrence = said else {
      throw refusal(
        .conflict,
        Message(
          "Nothing was said of {title} ahead of its time, and only that can be taken back.",
          ["title": course.item.title]))
    }
    let wasDone = occurrence.state == .done
    occurrence.state = .cancelled
    occurrence.by = person
    occurrence.reason = Self.undoneReason
    occurrence.changedAt = step.now.utc
    courses[id]?.remember(occurrence, at: step.now.utc)
    step.outcome.changes.append(.putOccurrence(occurrence))
    step.touched.insert(id)
    if case .elapsed = course.dueTimes.own {
      let before = course.closed.last {
        $0.slot != occurrence.slot && $0.reason != Self.undoneReason
      }
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
