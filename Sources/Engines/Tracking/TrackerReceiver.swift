import Care
import JSON
import Moments
import Texts

/// Faults of the receiver: silence, no position, and a clock that is not to be believed.
extension Tracker {
  private enum Fault: String {
    case noReport = "no-report"
    case noFix = "no-fix"
    case weekRollover = "week-rollover"
    case clockWrong = "clock-wrong"
  }

  /// The part whose faults these are.
  private var component: ComponentID { ComponentID("gps/\(source?.rawValue ?? "receiver")") }

  /// Notes a sign of life, with or without a position.
  mutating func noteReport(
    _ report: FixReport, at now: Moment, _ outcome: inout Outcome
  ) {
    state.receiver.lastReport = Stamp(now)
    clear(.noReport, Message("The receiver reports again."), &outcome)
    guard !report.mode.hasPosition else {
      state.receiver.noFixSince = nil
      return clear(.noFix, Message("The receiver has a position again."), &outcome)
    }
    let since = state.receiver.noFixSince ?? Stamp(now)
    state.receiver.noFixSince = since
    guard state.session.isOn, since.tick(after: settings.noFixSeconds) <= now.tick else { return }
    let seconds = wholeSeconds(since.age(at: now))
    raise(
      .noFix, state: .degraded,
      Message(
        "The receiver reports, but has had no position for {duration}. "
          + "Indoors that is usual; otherwise give it a view of the sky.",
        ["duration": duration(seconds: seconds)]), &outcome)
  }

  /// When silence becomes a fault; nil when nothing is expected or it has been told.
  var silenceDeadline: Tick? {
    guard source != nil, !state.receiver.faults.contains(Fault.noReport.rawValue) else {
      return nil
    }
    let heard = state.receiver.lastReport ?? state.session.switched
    let basis = heard.tick < state.session.switched.tick ? state.session.switched : heard
    return basis.tick(after: settings.noReportSeconds)
  }

  mutating func tellSilence(
    until limit: Tick, at now: Moment, _ outcome: inout Outcome
  ) {
    guard let deadline = silenceDeadline, deadline <= limit else { return }
    if let source = resident.gpsSource, let receivers = settings.receivers,
      !receivers.contains(source)
    {
      return raise(
        .noReport, state: .failed,
        Message(
          "No receiver named \"{source}\" is configured, so nobody knows where {name} is. "
            + "Add it to the configuration, or choose another one: homeward residents change {id} --gps NAME",
          ["source": source, "name": resident.name, "id": resident.id]), &outcome)
    }
    raise(
      .noReport, state: .failed,
      Message(
        "The receiver has not reported anything for {duration}. "
          + "Check its cable or battery, and that gpsd runs.",
        ["duration": duration(seconds: settings.noReportSeconds)]), &outcome)
  }

  /// Compares the receiver's time with a trusted clock; a position stays usable with a wrong one.
  mutating func judgeClock(
    of fix: AcceptedFix, at now: Moment, _ outcome: inout Outcome
  ) {
    switch ReceiverClock.judge(fix.receiverTime, now, settings) {
    case .unjudged: return
    case .right:
      clear(.weekRollover, Message("The receiver's date is right again."), &outcome)
      clear(.clockWrong, Message("The receiver's clock is right again."), &outcome)
    case .rolledOver(let periods):
      clear(.clockWrong, Message("The receiver's clock is wrong in another way now."), &outcome)
      raise(
        .weekRollover, state: .degraded,
        Message(
          "The receiver's date is off by {periods} × 1,024 weeks, because its week counter ran "
            + "over. Its positions are used with this gateway's time; update or replace it.",
          ["periods": abs(periods)]), &outcome)
    case .wrong(let seconds):
      clear(.weekRollover, Message("The receiver's clock is wrong in another way now."), &outcome)
      raise(
        .clockWrong, state: .degraded,
        seconds < 0
          ? Message(
            "The receiver's clock is {duration} slow. "
              + "Its positions are used with this gateway's time.",
            ["duration": duration(seconds: abs(seconds))])
          : Message(
            "The receiver's clock is {duration} fast. "
              + "Its positions are used with this gateway's time.",
            ["duration": duration(seconds: seconds)]),
        &outcome)
    }
  }

  /// Clears every open fault, because the receiver was exchanged.
  mutating func clearFaults(_ outcome: inout Outcome) {
    for word in state.receiver.faults {
      guard let fault = Fault(rawValue: word) else { continue }
      clear(fault, Message("The receiver was exchanged for another."), &outcome)
    }
  }

  private mutating func raise(
    _ fault: Fault, state health: HealthState, _ detail: Message,
    _ outcome: inout Outcome
  ) {
    guard !state.receiver.faults.contains(fault.rawValue) else { return }
    state.receiver.faults.append(fault.rawValue)
    outcome.events.append(event(.faultRaised, fault, health, detail))
  }

  private mutating func clear(
    _ fault: Fault, _ detail: Message, _ outcome: inout Outcome
  ) {
    guard let index = state.receiver.faults.firstIndex(of: fault.rawValue) else { return }
    state.receiver.faults.remove(at: index)
    outcome.events.append(event(.faultCleared, fault, .working, detail))
  }

  private func event(
    _ type: EventType, _ fault: Fault, _ health: HealthState, _ detail: Message
  ) -> EventDraft {
    let words = Message("{name}: {detail}", ["name": resident.name, "detail": detail])
      .text(in: settings.language)
    return subject.draft(
      type, .record,
      [
        "component": .string(component.rawValue), "code": .string(fault.rawValue),
        "state": .string(health.rawValue), "detail": subject.explain(detail),
        "explanation": .string(words),
      ], means: .fault(component, health, of: resident.id, words))
  }
}
