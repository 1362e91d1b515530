import Care
import CivilTime
import Moments

/// What becomes of due times when the clock says that they have come.
extension ReminderEngine {
  /// More due times of one item than this, or an older one than this, are told as one gap.
  static let missedAtMost = 50
  static let longestAbsence: Int64 = 7 * 86_400_000

  // MARK: Judging

  mutating func judge(_ id: RoutineItemID, _ step: inout Step) {
    guard let course = courses[id], course.item.isOn, let next = course.next else { return }
    let utc = step.now.utc
    guard next.instant <= utc else { return announce(id, next, &step) }
    // Whatever becomes of it, it is judged: the next look goes on from here.
    courses[id]?.cursor = next.instant
    step.touched.insert(id)
    guard case .calendar = course.dueTimes.own else { return take([next], of: id, &step) }
    var slots = course.dueTimes.slots(
      from: next.instant, through: utc, limit: Self.missedAtMost + 1)
    if slots.count > Self.missedAtMost
      || utc.milliseconds(since: next.instant) > Self.longestAbsence
    {
      if let course = courses[id] { step.tellGap(course, from: next.instant) }
      slots = course.dueTimes.latest(atOrBefore: utc).map { [$0] } ?? []
      courses[id]?.cursor = utc
    }
    if let last = slots.last { courses[id]?.cursor = last.instant }
    // Once for the events that tell of it and for the next wake.
    courses[id]?.lookAhead(at: utc)
    take(slots.filter { !course.isSettled($0, at: step.now) }, of: id, &step)
  }

  /// Judges due times that have come, the oldest first: the last one may still be prompted.
  mutating func take(
    _ slots: [DueSlot], of id: RoutineItemID, _ step: inout Step
  ) {
    guard let last = slots.last, let course = courses[id] else { return }
    if let open = course.open {
      if open.wasSaid { miss(id, "next-due", &step) } else { letPass(id, &step) }
    }
    for slot in slots.dropLast() { missUnseen(id, slot, &step) }
    let timing = household.timing(of: course.item)
    let late = step.now.utc.milliseconds(since: last.instant)
    if late <= min(timing.graceMinutes, timing.missedMinutes) * 60_000 {
      begin(id, last, &step)
    } else {
      missUnseen(id, last, &step)
    }
  }

  mutating func begin(_ id: RoutineItemID, _ slot: DueSlot, _ step: inout Step) {
    guard let course = courses[id] else { return }
    let now = step.now
    let late = max(0, now.utc.milliseconds(since: slot.instant))
    courses[id]?.open = OpenDue(slot, of: course.item, late: late, at: now)
    courses[id]?.closed.forget(slot.key)
    courses[id]?.announced = nil
    room.notices.remove(id)
    tell(.reminderDue, id, &step)
    prompt(id, &step)
  }

  /// A due time that passed without the resident hearing of it.
  private mutating func missUnseen(
    _ id: RoutineItemID, _ slot: DueSlot, _ step: inout Step
  ) {
    guard let course = courses[id] else { return }
    courses[id]?.open = OpenDue(slot, of: course.item, at: step.now)
    courses[id]?.announced = nil
    miss(id, "outage", &step)
  }

  /// Nobody answered in time: caregivers know, and something critical is an alarm if it is none yet.
  mutating func miss(_ id: RoutineItemID, _ reason: String, _ step: inout Step) {
    guard let open = courses[id]?.open, let item = courses[id]?.item else { return }
    if item.isCritical, !open.isAlarmed { raise(id, &step) }
    let missed = close(id, as: .missed, by: "", reason: reason, &step)
    tell(.reminderMissed, id, of: missed, isKnown: open.occurrence.isTold, &step)
  }

  /// A due time of which the resident was never told, because nothing was to be said: it is nobody's fault.
  mutating func letPass(_ id: RoutineItemID, _ step: inout Step) {
    let passed = close(id, as: .cancelled, by: "", reason: Occurrence.quietReason, &step)
    tell(.reminderCancelled, id, of: passed, &step)
    settle(id, &step)
  }

  /// Tells of a due time: the open one unless another is given.
  func tell(
    _ type: EventType, _ id: RoutineItemID, of closed: Occurrence? = nil, isKnown: Bool = false,
    _ step: inout Step
  ) {
    guard let course = courses[id] else { return }
    step.tell(type, course, of: closed, isKnown: isKnown)
  }

  // MARK: Closing

  /// Closes the open due time; the caller tells of it.
  @discardableResult
  mutating func close(
    _ id: RoutineItemID, as state: Occurrence.State, by person: String, reason: String = "",
    _ step: inout Step
  ) -> Occurrence? {
    guard let open = courses[id]?.open else { return nil }
    let occurrence = open.closed(as: state, by: person, reason: reason, at: step.now)
    courses[id]?.open = nil
    courses[id]?.last = Mark(step.now)
    courses[id]?.closed.remember(occurrence, at: step.now.utc)
    leaveRoom(id, &step)
    step.outcome.changes.append(.putOccurrence(occurrence))
    step.touched.insert(id)
    return occurrence
  }

  // MARK: A clock that was set back

  /// Withdraws what lies in the future now; it is judged anew when its time comes.
  mutating func withdrawFuture(_ id: RoutineItemID, _ step: inout Step) {
    guard let course = courses[id] else { return }
    let utc = step.now.utc
    let timing = household.timing(of: course.item)
    let grace = timing.graceMinutes * 60_000
    if let open = course.open, open.occurrence.due.milliseconds(since: utc) > grace {
      let withdrawn = close(id, as: .cancelled, by: "", reason: Occurrence.clockReason, &step)
      tell(.reminderCancelled, id, of: withdrawn, &step)
    }
    // What was said of them by a clock that was ahead was said of something else, unless they are near.
    var past = course
    past.closed.forgetFuture(at: utc)
    let valid = course.closed.all.filter { occurrence in
      guard occurrence.due > utc else { return true }
      let slot = DueSlot(key: occurrence.slot, instant: occurrence.due)
      return !occurrence.by.isEmpty
        && (occurrence.changedAt <= utc || past.earliest(slot, by: timing) <= utc)
    }
    courses[id]?.closed.keep(valid)
    let today = household.localDay(of: course.item.resident, at: utc)
    if course.day > today {
      courses[id]?.day = today
      step.touched.insert(id)
    }
    if let cursor = course.cursor, cursor > utc {
      // Where nothing is known of the time before, nothing of it is judged once more.
      courses[id]?.cursor = course.closed.newest(at: utc)?.due ?? utc
      step.touched.insert(id)
    }
    if course.announced != nil, course.nextSlot(at: step.now)?.key != course.announced {
      courses[id]?.announced = nil
      step.touched.insert(id)
    }
  }
}
