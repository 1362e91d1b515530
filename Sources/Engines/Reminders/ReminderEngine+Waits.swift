import Care
import CivilTime
import Moments
import Recurrence

/// What an open due time waits for: the next prompt, caregivers, an alarm, being missed.
extension ReminderEngine {
  private func ends(_ course: Course) -> OpenDue.WaitEnds? {
    course.open?.waitEnds(
      household.timing(of: course.item), isCritical: course.item.isCritical)
  }

  /// When the first wait of an item ends; nil when nothing is open, or its waits cannot be measured yet.
  func waitEnd(_ course: Course) -> Tick? { ends(course)?.first }

  mutating func runWaits(_ id: RoutineItemID, _ step: inout Step) {
    guard let course = courses[id], let ends = ends(course) else { return }
    let tick = step.now.tick
    if let missed = ends.missed, missed <= tick { return miss(id, "no-answer", &step) }
    if let critical = ends.critical, critical <= tick { raise(id, &step) }
    if let caregiver = ends.caregiver, caregiver <= tick { tellCaregivers(id, &step) }
    guard let again = ends.prompt, again <= tick else { return }
    if isSilent(course), !(course.open?.wasSaid ?? true), holdEnd(of: id, at: step.now) == nil {
      return letPass(id, &step)
    }
    prompt(id, &step)
  }

  /// Reminds the resident once more; in quiet hours, where the item gives way to them, that waits for their end.
  mutating func prompt(_ id: RoutineItemID, _ step: inout Step) {
    guard courses[id]?.open != nil else { return }
    if let end = holdEnd(of: id, at: step.now) {
      courses[id]?.open?.hold(until: end)
      return keep(id, &step)
    }
    courses[id]?.open?.prompt(at: step.now)
    keep(id, &step)
    tell(.reminderPrompted, id, &step)
    room.queue.insert(id)
  }

  // MARK: Quiet hours

  /// The end of the quiet hours that hold now; nil outside of them, and while local time is not known.
  private func quietEnd(of id: RoutineItemID, at now: Moment) -> Mark? {
    guard now.quality.isTrusted, let night = courses[id]?.dueTimes.quiet?.night(around: now.utc)
    else {
      return nil
    }
    return Mark(now.advanced(byMilliseconds: night.end.milliseconds(since: now.utc)))
  }

  /// Until when nothing is said of an item; nil when it is asked now.
  func holdEnd(of id: RoutineItemID, at now: Moment) -> Mark? {
    courses[id]?.dueTimes.quiet?.rule.policy == .ask ? nil : quietEnd(of: id, at: now)
  }

  private func isSilent(_ course: Course) -> Bool { course.dueTimes.quiet?.rule.policy == .silent }

  /// Takes other quiet hours, or another rule for them: what waits is asked as they say now, at once if it is late.
  mutating func requiet(_ id: RoutineItemID, _ step: inout Step) {
    guard let course = courses[id] else { return }
    let quiet = household.quietTimes(of: course.item)
    if courses[id]?.dueTimes.giveWay(to: quiet, from: step.now) == true {
      step.touched.insert(id)
      askWaiting(course, &step)
      if course.open?.heldUntil != nil {
        let end = holdEnd(of: id, at: step.now) ?? Mark(step.now)
        courses[id]?.open?.hold(until: end)
      }
    }
    plan(id, at: step.now)
  }

  /// A due time that had been put behind the quiet hours and would be over by the new ones is asked now.
  private mutating func askWaiting(_ course: Course, _ step: inout Step) {
    let utc = step.now.utc
    guard step.now.quality.isTrusted, course.item.isOn, var slot = course.next, slot.due <= utc,
      utc < slot.instant, let changed = courses[course.id]
    else { return }
    slot.instant = slot.due
    guard changed.dueTimes.asked(slot).instant <= utc else { return }
    slot.instant = utc
    take([slot], of: course.id, &step)
  }

  private mutating func tellCaregivers(_ id: RoutineItemID, _ step: inout Step) {
    courses[id]?.open?.noteTold()
    keep(id, &step)
    tell(.reminderUnanswered, id, &step)
  }

  /// Something dangerous was left out: an alarm, until it is done or left out by decision.
  mutating func raise(_ id: RoutineItemID, _ step: inout Step) {
    courses[id]?.open?.noteAlarm()
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
    if let course = courses[id] { step.tellNotice(course, slot, isLeaving: isLeaving) }
    if quietEnd(of: id, at: step.now) == nil { room.notices.insert(id) }
  }

  /// The resident leaves home: what is due within its notice is said once more.
  mutating func announceAhead(_ resident: ResidentID, _ step: inout Step) {
    guard step.now.quality.isTrusted else { return }
    for id in inOrder(ids(of: resident)) {
      guard let course = courses[id], let next = course.next, course.open == nil else { continue }
      let ahead = next.instant.milliseconds(since: step.now.utc)
      guard ahead > 0, ahead <= household.timing(of: course.item).noticeMinutes * 60_000 else {
        continue
      }
      announce(id, next, isLeaving: true, &step)
      plan(id, at: step.now)
    }
  }
}
