import Care
import Moments

/// What becomes of due times that have come, and of what people answer.
extension Course {
  /// Judges due times that have come, the oldest first: the last one may still be prompted.
  mutating func take(_ slots: [DueSlot], _ step: inout Step) {
    guard let last = slots.last else { return }
    if let open {
      if open.wasSaid { miss("next-due", &step) } else { letPass(&step) }
    }
    for slot in slots.dropLast() { missUnseen(slot, &step) }
    let timing = step.household.timing(of: item)
    let late = step.now.utc.milliseconds(since: last.instant)
    if late <= min(timing.graceMinutes, timing.missedMinutes) * 60_000 {
      begin(last, &step)
    } else {
      missUnseen(last, &step)
    }
  }

  /// A due time that passed without the resident hearing of it.
  private mutating func missUnseen(_ slot: DueSlot, _ step: inout Step) {
    start(slot, &step)
    miss("outage", &step)
  }

  /// Nobody answered in time: caregivers know, and something critical is an alarm if it is none yet.
  mutating func miss(_ reason: String, _ step: inout Step) {
    guard let open else { return }
    if item.isCritical, !open.isAlarmed { raise(&step) }
    let missed = close(as: .missed, by: "", reason: reason, &step)
    step.tell(.reminderMissed, self, of: missed, isKnown: open.occurrence.isTold)
  }

  /// A due time of which the resident was never told, because nothing was to be said: it is nobody's fault.
  mutating func letPass(_ step: inout Step) {
    let passed = close(as: .cancelled, by: "", reason: Occurrence.quietReason, &step)
    step.tell(.reminderCancelled, self, of: passed)
    settle(&step)
  }

  /// The open due time is not asked for any more.
  mutating func cancel(by person: String, _ reason: String, _ step: inout Step) {
    let closed = close(as: .cancelled, by: person, reason: reason, &step)
    step.tell(.reminderCancelled, self, of: closed)
    settle(&step)
  }

  /// The item is removed: nothing is asked of it any more.
  mutating func end(by person: String, _ step: inout Step) {
    if open != nil { cancel(by: person, "removed", &step) }
    settle(&step)
    if item.picture != nil {
      step.outcome.signals.append(.pictured(id, nil, of: item.resident))
    }
  }

  /// Carries out an answer.
  mutating func carryOut(_ answer: CheckedAnswer, by person: String, _ step: inout Step) {
    if let opening = answer.opening { start(opening, &step) }
    switch answer.verdict {
    case .done:
      let closed = close(as: .done, by: person, &step)
      step.tell(.reminderDone, self, of: closed)
      settle(&step)
      takeDose(&step)
    case .notNow:
      let closed = close(as: .notNow, by: person, &step)
      step.tell(.reminderNotNow, self, of: closed)
    case .skip(let reason):
      let closed = close(as: .skipped, by: person, reason: reason, &step)
      step.tell(.reminderSkipped, self, of: closed)
      settle(&step)
    case .putOff(let minutes): putOff(minutes: minutes, by: person, &step)
    case .takeBack(let said): takeBack(said, by: person, &step)
    }
    if answer.opening != nil { plan(&step) }
  }
}
