import Care
import JSON
import Moments
import Texts

/// What happens with a report of the receiver.
extension Tracker {
  mutating func take(
    _ report: FixReport, at now: Moment, _ outcome: inout Outcome
  ) {
    noteReport(report, at: now, &outcome)
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
    judgeClock(of: fix, at: now, &outcome)
    regain(fix, at: now, &outcome)
    move(to: fix)
    agreeWithHomeTags(fix)
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

  // MARK: Movement

  /// Judges movement by the receiver's speed, and by displacement beyond what errors could feign.
  private mutating func move(to fix: AcceptedFix) {
    moveAnchor(to: fix)
    if let speed = fix.speedMetersPerSecond, speed >= settings.movingSpeedMetersPerSecond {
      state.motion.isMoving = true
    }
    movePlace(to: fix)
  }

  private mutating func moveAnchor(to fix: AcceptedFix) {
    guard let anchor = state.motion.anchor else {
      state.motion.anchor = fix
      return
    }
    let passed = fix.stamp.tick.milliseconds(since: anchor.stamp.tick)
    guard passed >= 10_000 || anchor.stamp.isEstimated else { return }
    let needed = max(8, fix.driftMeters(from: anchor, cap: settings.exitAccuracyCapMeters))
    state.motion.isMoving = fix.coordinate.distanceMeters(to: anchor.coordinate) > needed
    state.motion.anchor = fix
  }

  /// A stay ends when two fixes in a row are away from its place.
  private mutating func movePlace(to fix: AcceptedFix) {
    guard let place = state.motion.place else {
      state.motion.place = fix
      return
    }
    guard isAway(fix, from: place) else {
      state.motion.departure = nil
      return
    }
    guard let departure = state.motion.departure else {
      state.motion.departure = fix
      return
    }
    state.motion.place = isAway(fix, from: departure) ? fix : departure
    state.motion.departure = nil
  }

  /// Whether a fix is farther from another than a record's distance and both errors allow.
  private func isAway(_ fix: AcceptedFix, from place: AcceptedFix) -> Bool {
    fix.coordinate.distanceMeters(to: place.coordinate)
      > max(
        settings.recordDistanceMeters,
        fix.driftMeters(from: place, cap: settings.exitAccuracyCapMeters))
  }

  /// Whole minutes at the place of a fix so far.
  func minutesAtLocation(_ fix: AcceptedFix, at now: Moment) -> Int {
    guard let place = state.motion.place, !isAway(fix, from: place) else { return 0 }
    return Int(clamping: place.stamp.age(at: now) / 60_000)
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
    guard let basis = unknownBasis else { return nil }
    switch state.session.unknown {
    case nil:
      return min(
        basis.tick(after: settings.unknownNoticeSeconds),
        basis.tick(after: settings.unknownAlarmSeconds))
    case .notice: return basis.tick(after: settings.unknownAlarmSeconds)
    case .alarm: return nil
    }
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

extension AcceptedFix {
  func driftMeters(from other: AcceptedFix, cap: Double) -> Double {
    driftMeters(from: other.coordinate, accuracyMeters: other.accuracyMeters, cap: cap)
  }
}
