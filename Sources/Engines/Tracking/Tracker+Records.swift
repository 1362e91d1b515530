import Care
import Moments

/// When a position is written down (SB-8, SB-9, SB-16, SD-1, SD-4).
extension Tracker {
  /// Writes the record that a new fix answers or makes due, at most one.
  mutating func record(
    _ fix: AcceptedFix, at now: Moment, _ outcome: inout Outcome
  ) {
    if state.session.awaitsFirstRecord {
      write(fix, .trackingStarted, at: now, &outcome)
    } else if state.session.refresh != nil {
      write(fix, .refresh, at: now, &outcome)
    } else if state.session.awaitsCheck {
      state.session.awaitsCheck = false
      check(fix, at: now, &outcome)
    } else if isOutside, state.motion.isMoving,
      state.record?.isOutsideRecordDue(fix, by: settings) ?? true
    {
      write(fix, .outsideMoving, at: now, &outcome)
    }
  }

  mutating func checkRecord(
    until limit: Tick, at now: Moment, _ outcome: inout Outcome
  ) {
    let due = state.session.lastCheck.tick(after: settings.checkIntervalSeconds)
    guard due <= limit else { return }
    state.session.lastCheck = Stamp(
      onGridOf: settings.checkIntervalSeconds, from: due, at: now)
    guard let last = state.filter.last, last.isFresh(at: now, by: settings) else {
      state.session.awaitsCheck = true
      return burst(at: now, &outcome)
    }
    check(last, at: now, &outcome)
  }

  mutating func sampleSeries(
    until limit: Tick, at now: Moment, _ outcome: inout Outcome
  ) {
    let due = state.session.lastSample.tick(after: settings.sampleIntervalSeconds)
    guard due <= limit else { return }
    state.session.lastSample = Stamp(
      onGridOf: settings.sampleIntervalSeconds, from: due, at: now)
    guard let last = state.filter.last,
      last.stamp.age(at: now) <= settings.sampleIntervalSeconds * 1000
    else { return }
    let entry = entry(last, .aged, at: now)
    outcome.changes.append(.addLocationSample(entry))
    outcome.events.append(recordEvents.sampled(entry))
  }

  mutating func refresh(
    by principal: Principal, at now: Moment, _ outcome: inout Outcome
  ) {
    guard state.session.isOn else {
      outcome.events.append(
        recordEvents.unavailable(
          to: [principal.description], waited: 0, isOn: false, last: state.filter.last, at: now))
      return
    }
    state.session.ask(by: principal, at: now)
    guard let last = state.filter.last, last.isFresh(at: now, by: settings) else {
      return burst(at: now, &outcome)
    }
    write(last, .refresh, at: now, &outcome)
  }

  var refreshDeadline: Tick? { state.session.refreshDeadline(by: settings) }

  mutating func tellOverdueRefresh(
    until limit: Tick, at now: Moment, _ outcome: inout Outcome
  ) {
    guard let deadline = refreshDeadline, deadline <= limit,
      let refresh = state.session.refresh
    else { return }
    state.session.refresh?.isOverdue = true
    let waited = wholeSeconds(refresh.asked.age(at: now))
    outcome.events.append(
      recordEvents.unavailable(
        to: refresh.principals, waited: waited, isOn: state.session.isOn,
        last: state.filter.last, at: now))
  }

  private mutating func check(
    _ fix: AcceptedFix, at now: Moment, _ outcome: inout Outcome
  ) {
    guard let last = state.record else {
      return write(fix, .trackingStarted, at: now, &outcome)
    }
    if let reason = last.reason(toWrite: fix, at: now, by: settings) {
      write(fix, reason, at: now, &outcome)
    }
  }

  private mutating func write(
    _ fix: AcceptedFix, _ reason: RecordReason, at now: Moment,
    _ outcome: inout Outcome
  ) {
    let entry = entry(fix, reason, at: now)
    outcome.changes.append(.addLocationRecord(entry))
    outcome.events.append(
      recordEvents.recorded(
        entry, fix, after: state.record, askedBy: state.session.refresh?.principals, at: now))
    state.record = LastRecord(
      stamp: Stamp(now), time: fix.time, coordinate: fix.coordinate,
      accuracyMeters: fix.accuracyMeters, reason: reason)
    state.session.noteRecord()
  }

  private func entry(
    _ fix: AcceptedFix, _ reason: RecordReason, at now: Moment
  ) -> LocationRecord {
    LocationRecord(
      resident: resident.id, time: fix.time, timeQuality: fix.timeQuality,
      coordinate: fix.coordinate, accuracyMeters: fix.accuracyMeters,
      minutesAtLocation: state.motion.minutesAtLocation(fix, at: now, by: settings), reason: reason)
  }
}
