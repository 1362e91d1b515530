import Bytes
import Care
import JSON
import Moments

/// A due time that waits for an answer, with the marks that its waits count from.
struct OpenDue: Hashable, Sendable {
  private(set) var occurrence: Occurrence
  /// When it was due.
  private var due: Mark
  /// When it was first said, which is later than due after an outage; what follows without an answer counts from this.
  private var opened: Mark
  /// When it was last prompted or put off.
  private var changed: Mark
  /// Minutes that the running snooze lasts.
  private var waitMinutes: Int64 = 0
  /// The end of the quiet hours that hold the next prompt back; nil when nothing does.
  private(set) var heldUntil: Mark?
  /// Whether it became an alarm.
  private(set) var isAlarmed = false

  /// Opens a due time that came so many milliseconds ago.
  init(_ slot: DueSlot, of item: RoutineItem, late milliseconds: Int64 = 0, at now: Moment) {
    occurrence = Occurrence(
      item: item.id, resident: item.resident, slot: slot.key, due: slot.instant,
      changedAt: now.utc)
    due = Mark(now.advanced(byMilliseconds: -milliseconds))
    opened = Mark(now)
    changed = Mark(now)
  }

  /// Opens one that was closed, to be answered at once.
  init(again occurrence: Occurrence, at now: Moment) {
    self.occurrence = occurrence
    due = Mark(now)
    opened = due
    changed = due
  }

  /// One of which only the occurrence is known, as after a restored backup.
  init(restored occurrence: Occurrence, at now: Moment) {
    self.occurrence = occurrence
    due = Mark(utc: occurrence.due, at: now)
    opened = due
    changed = Mark(utc: occurrence.changedAt, at: now)
  }

  /// Whether the resident has heard of it.
  var wasSaid: Bool { occurrence.prompts > 0 }

  mutating func mapMarks(_ change: (inout Mark) -> Void) {
    change(&due)
    change(&opened)
    change(&changed)
    guard var held = heldUntil else { return }
    change(&held)
    heldUntil = held
  }

  // MARK: What becomes of it

  /// Waits for the end of quiet hours.
  mutating func hold(until end: Mark) { heldUntil = end }

  /// The resident is reminded once more.
  mutating func prompt(at now: Moment) {
    heldUntil = nil
    if !wasSaid { opened = Mark(now) }
    occurrence.prompts += 1
    occurrence.state = .prompted
    occurrence.changedAt = now.utc
    changed = Mark(now)
    waitMinutes = 0
  }

  /// The resident is left alone for so many minutes.
  mutating func putOff(minutes: Int64, by person: String, at now: Moment) {
    occurrence.snoozes += 1
    occurrence.state = .snoozed
    occurrence.by = person
    occurrence.changedAt = now.utc
    changed = Mark(now)
    waitMinutes = minutes
    heldUntil = nil
  }

  /// Caregivers are told that nobody answered.
  mutating func noteTold() { occurrence.isTold = true }

  mutating func noteAlarm() { isAlarmed = true }

  /// The occurrence as it is when it is closed.
  func closed(
    as state: Occurrence.State, by person: String, reason: String, at now: Moment
  ) -> Occurrence {
    var occurrence = occurrence
    if state == .done {
      occurrence.isLate = occurrence.isTold || occurrence.snoozes > 0 || isAlarmed
    }
    if state == .missed { occurrence.isTold = true }
    occurrence.state = state
    occurrence.by = person
    occurrence.reason = reason
    occurrence.changedAt = now.utc
    return occurrence
  }

  // MARK: What it waits for

  /// The ticks at which something happens to it; nil for each that does not.
  struct WaitEnds {
    fileprivate(set) var prompt: Tick?
    fileprivate(set) var caregiver: Tick?
    fileprivate(set) var critical: Tick?
    fileprivate(set) var missed: Tick?

    var first: Tick? { .soonest([prompt, caregiver, critical, missed]) }
  }

  /// When its waits end; nil while it cannot be said yet how long ago it was due.
  func waitEnds(_ timing: ReminderSettings, isCritical: Bool) -> WaitEnds? {
    guard !due.isEstimated, !opened.isEstimated, !changed.isEstimated else { return nil }
    var ends = WaitEnds()
    // Nothing counts before it was said, or somebody who heard nothing would have "not answered".
    guard wasSaid || heldUntil == nil else {
      ends.prompt = heldUntil?.tick
      return ends
    }
    ends.missed = opened.tick(afterMinutes: timing.missedMinutes)
    ends.prompt = heldUntil.map(\.tick) ?? nextPrompt(timing)
    if !occurrence.isTold { ends.caregiver = opened.tick(afterMinutes: timing.caregiverMinutes) }
    if isCritical, !isAlarmed {
      ends.critical = opened.tick(afterMinutes: timing.criticalMinutes)
    }
    return ends
  }

  private func nextPrompt(_ timing: ReminderSettings) -> Tick? {
    switch occurrence.state {
    case .pending: changed.tick
    case .snoozed: changed.tick(afterMinutes: waitMinutes)
    // What was put off asks again as often as it was put off.
    case .prompted where occurrence.prompts < timing.attempts + occurrence.snoozes:
      changed.tick(afterMinutes: timing.repeatMinutes)
    case .prompted, .done, .notNow, .skipped, .missed, .cancelled: nil
    }
  }
}

// MARK: The row

extension OpenDue {
  var json: JSONValue {
    .object([
      "slot": .string(occurrence.slot), "due": due.json, "opened": opened.json,
      "changed": changed.json, "waitMinutes": waitMinutes > 0 ? .integer(waitMinutes) : nil,
      "heldUntil": heldUntil?.json, "isAlarmed": isAlarmed ? true : nil,
    ])
  }

  /// The open due time that an occurrence names, with what is stored beside it.
  init(_ occurrence: Occurrence, stored: JSONReader) throws(DecodeError) {
    self.occurrence = occurrence
    due = try Mark(json: stored.required("due"))
    opened = try Mark(json: stored.required("opened"))
    changed = try Mark(json: stored.required("changed"))
    waitMinutes = try stored.optionalInteger("waitMinutes") ?? 0
    heldUntil = try stored.optionalMark("heldUntil")
    isAlarmed = try stored.optionalBool("isAlarmed") ?? false
  }
}

extension JSONReader {
  func optionalMark(_ name: String) throws(DecodeError) -> Mark? {
    guard let found = optional(name) else { return nil }
    return try Mark(json: found)
  }
}
