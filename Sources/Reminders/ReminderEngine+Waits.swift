import CareModel
import CivilTime

/// What an open due time waits for: the next prompt, caregivers, an alarm, being missed.
extension ReminderEngine {
  /// The ticks at which something happens to an open due time; nil for each that does not.
  private struct WaitEnds {
    var prompt: Tick?
    var caregiver: Tick?
    var critical: Tick?
    var missed: Tick
    var held: Tick?

    var first: Tick {
      [prompt, caregiver, critical, held].compactMap { $0 }.min().map { min($0, missed) } ?? missed
    }
  }

  private func ends(_ course: Course) -> WaitEnds? {
    guard let open = course.open, !open.isEstimated else { return nil }
    let timing = timing(course)
    let occurrence = open.occurrence
    var ends = WaitEnds(missed: open.due.tick(afterMinutes: timing.missedMinutes))
    switch occurrence.state {
    case .pending: ends.prompt = open.changed.tick
    case .snoozed: ends.prompt = open.changed.tick(afterMinutes: open.waitMinutes)
    case .prompted:
      // What was put off asks again as often as it was put off.
      if occurrence.prompts < timing.attempts + occurrence.snoozes {
        ends.prompt = open.changed.tick(afterMinutes: timing.repeatMinutes)
      }
    case .done, .notNow, .skipped, .missed, .cancelled: break
    }
    if !occurrence.isTold {
      ends.caregiver = open.opened.tick(afterMinutes: timing.caregiverMinutes)
    }
    if course.item.isCritical, !open.isAlarmed {
      ends.critical = open.opened.tick(afterMinutes: timing.criticalMinutes)
    }
    ends.held = open.heldUntil?.tick
    return ends
  }

  /// When the first wait of an item ends; nil when nothing is open, or its waits cannot be measured yet.
  func waitEnd(_ course: Course) -> Tick? { ends(course)?.first }

  mutating func runWaits(_ id: RoutineItemID, _ step: inout Step) {
    guard let course = courses[id], let ends = ends(course) else { return }
    let tick = step.now.tick
    if ends.missed <= tick { return miss(id, "no-answer", &step) }
    if let critical = ends.critical, critical <= tick { raise(id, &step) }
    if let caregiver = ends.caregiver, caregiver <= tick { tellCaregivers(id, &step) }
    if let again = ends.prompt, again <= tick {
      prompt(id, &step)
    } else if let held = ends.held, held <= tick {
      soundHeld(id, &step)
    }
  }

  /// Reminds the resident once more: heard, or in quiet hours only written down.
  mutating func prompt(_ id: RoutineItemID, _ step: inout Step) {
    guard var open = courses[id]?.open, let item = courses[id]?.item else { return }
    open.occurrence.prompts += 1
    open.occurrence.state = .prompted
    open.occurrence.changedAt = step.now.utc
    open.changed = Mark(step.now)
    open.waitMinutes = 0
    open.heldUntil = item.isCritical ? nil : quietEnd(of: id, at: step.now)
    courses[id]?.open = open
    keep(id, &step)
    tell(.reminderPrompted, id, &step)
    if open.heldUntil == nil { room.queue.insert(id) }
  }

  /// Quiet hours are over: what is still open is heard now.
  private mutating func soundHeld(_ id: RoutineItemID, _ step: inout Step) {
    let end = quietEnd(of: id, at: step.now)
    courses[id]?.open?.heldUntil = end
    step.touched.insert(id)
    if end == nil { room.queue.insert(id) }
  }

  /// The end of the quiet hours that hold now for an item; nil outside of them, and while local time is not known.
  func quietEnd(of id: RoutineItemID, at now: Moment) -> Mark? {
    guard let course = courses[id], now.quality.isTrusted,
      let hours = QuietHours(timing(course).quietHours),
      let local = localTime(of: course.item, at: now.utc),
      let minutes = hours.minutesLeft(at: local.civil)
    else { return nil }
    let past = Int64(local.civil.second) * 1000 + Int64(local.civil.millisecond)
    return Mark(now.advanced(byMilliseconds: Int64(minutes) * 60_000 - past))
  }

  private mutating func tellCaregivers(_ id: RoutineItemID, _ step: inout Step) {
    courses[id]?.open?.occurrence.isTold = true
    keep(id, &step)
    tell(.reminderUnanswered, id, &step)
  }

  /// Something dangerous was left out: an alarm, until it is done or left out by decision.
  mutating func raise(_ id: RoutineItemID, _ step: inout Step) {
    courses[id]?.open?.isAlarmed = true
    courses[id]?.isAlarmed = true
    step.touched.insert(id)
    tell(.medicineMissed, id, &step)
  }

  /// The alarm about an item is over: it was done, left out by decision, or is not asked for any more.
  mutating func settle(_ id: RoutineItemID, _ step: inout Step) {
    guard courses[id]?.isAlarmed == true else { return }
    courses[id]?.isAlarmed = false
    step.touched.insert(id)
    tell(.medicineSettled, id, &step)
  }

  /// Stores the open due time as it is.
  func keep(_ id: RoutineItemID, _ step: inout Step) {
    guard let occurrence = courses[id]?.open?.occurrence else { return }
    step.outcome.changes.append(.putOccurrence(occurrence))
    step.touched.insert(id)
  }

  // MARK: Before it is due

  /// Says that something will be due soon.
  mutating func announce(
    _ id: RoutineItemID, _ slot: DueSlot, isLeaving: Bool = false, _ step: inout Step
  ) {
    courses[id]?.announced = slot.key
    step.touched.insert(id)
    tellNotice(id, slot, isLeaving: isLeaving, &step)
    if quietEnd(of: id, at: step.now) == nil { room.notices.insert(id) }
  }

  /// The resident leaves home: what is due within its notice is said once more.
  mutating func announceAhead(_ resident: ResidentID, _ step: inout Step) {
    guard step.now.quality.isTrusted else { return }
    for id in inOrder(ids(of: resident)) {
      guard let course = courses[id], let next = course.next, course.open == nil else { continue }
      let ahead = next.instant.milliseconds(since: step.now.utc)
      guard ahead > 0, ahead <= timing(course).noticeMinutes * 60_000 else { continue }
      announce(id, next, isLeaving: true, &step)
      plan(id, at: step.now)
    }
  }
}
