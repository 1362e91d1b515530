import Care
import Moments

/// What happens with a report of the receiver.
extension Tracker {
  mutating func take(
    _ report: FixReport, at now: Moment, _ outcome: inout Outcome
  ) {
    let heard = state.receiver.note(report, isOn: state.session.isOn, at: now, by: settings)
    tell(heard, &outcome)
    guard state.session.isOn else { return }
    var previous = state.filter.last
    for verdict in state.filter.judge(report, at: now, by: settings) {
      switch verdict {
      case .accepted(let fix):
        accept(fix, after: previous, at: now, &outcome)
        previous = fix
      case .rejected(let rejection): reject(rejection, at: now, &outcome)
      case .held: burst(at: now, &outcome)
      }
    }
  }

  private mutating func accept(
    _ fix: AcceptedFix, after previous: AcceptedFix?, at now: Moment,
    _ outcome: inout Outcome
  ) {
    state.counters.accepted &+= 1
    outcome.events.append(FixEvents(subject: subject).accepted(fix))
    let clock = state.receiver.judgeClock(of: fix, at: now, by: settings)
    tell(clock, &outcome)
    regain(fix, at: now, &outcome)
    state.motion.move(to: fix, by: settings)
    state.homeTags.agree(with: fix, in: zones.zones)
    let vouched = vouchedZones(at: now)
    for finding in zones.evaluate(fix, after: previous, vouched: vouched) {
      tell(finding, at: now, &outcome)
    }
    if state.session.leftHome != nil { forgetLeavingWhenHome() }
    settleZones()
    record(fix, at: now, &outcome)
  }

  private mutating func reject(
    _ rejection: RejectedFix, at now: Moment, _ outcome: inout Outcome
  ) {
    state.counters.count(rejection.reason)
    outcome.events.append(FixEvents(subject: subject).rejected(rejection))
  }

  private mutating func settleZones() {
    guard !state.session.areZonesSettled else { return }
    state.session.areZonesSettled = !zones.states.values.contains(where: \.isBlank)
  }

  // MARK: Position unknown

  /// The moment from which the position counts as unknown.
  private var unknownBasis: Stamp? {
    guard isOutside, let last = state.filter.last else { return nil }
    return last.stamp.tick < state.session.switched.tick ? state.session.switched : last.stamp
  }

  var unknownDeadline: Tick? {
    unknownBasis.flatMap { state.session.unknownDeadline(since: $0, by: settings) }
  }

  mutating func tellUnknown(
    until limit: Tick, at now: Moment, _ outcome: inout Outcome
  ) {
    guard let deadline = unknownDeadline, deadline <= limit, let basis = unknownBasis,
      let last = state.filter.last
    else { return }
    let isAlarm = basis.tick(after: settings.unknownAlarmSeconds) <= limit
    let severity = isAlarm ? UnknownSeverity.alarm : .notice
    state.session.unknown = severity
    outcome.events.append(positionEvents.unknown(severity, basis, last, at: now))
    burst(at: now, &outcome)
  }

  private mutating func regain(
    _ fix: AcceptedFix, at now: Moment, _ outcome: inout Outcome
  ) {
    guard let severity = state.session.unknown else { return }
    state.session.unknown = nil
    outcome.events.append(positionEvents.regained(from: severity, at: fix))
  }
}
