import Care
import JSON
import Moments
import Texts

/// When a position is written down (SB-8, SB-9, SB-16, SD-1, SD-4).
extension Tracker {
  /// Half a second that a fix may come early, so that a receiver at exactly the interval does not skip every other one.
  private static let earlyMilliseconds: Int64 = 500

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
    } else if isOutside, state.motion.isMoving, isOutsideRecordDue(fix) {
      write(fix, .outsideMoving, at: now, &outcome)
    }
  }

  private func isOutsideRecordDue(_ fix: AcceptedFix) -> Bool {
    guard let last = state.record else { return true }
    let passed = fix.stamp.tick.milliseconds(since: last.stamp.tick)
    return passed + Self.earlyMilliseconds >= settings.outsideMovingIntervalSeconds * 1000
  }

  mutating func checkRecord(
    until limit: Tick, at now: Moment, _ outcome: inout Outcome
  ) {
    let due = state.session.lastCheck.tick(after: settings.checkIntervalSeconds)
    guard due <= limit else { return }
    state.session.lastCheck = onGrid(due, settings.checkIntervalSeconds, at: now)
    guard let last = state.filter.last, isFresh(last, at: now) else {
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
    state.session.lastSample = onGrid(due, settings.sampleIntervalSeconds, at: now)
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
    var request =
      state.session.refresh ?? Session.Refresh(asked: Stamp(now), principals: [])
    if request.isOverdue { request.asked = Stamp(now) }
    request.isOverdue = false
    // Sixteen names are enough to answer everybody who asks for one person at one time.
    if !request.principals.contains(principal.description), request.principals.count < 16 {
      request.principals.append(principal.description)
    }
    state.session.refresh = request
    guard let last = state.filter.last, isFresh(last, at: now) else {
      return burst(at: now, &outcome)
    }
    write(last, .refresh, at: now, &outcome)
  }

  var refreshDeadline: Tick? {
    guard let refresh = state.session.refresh, !refresh.isOverdue else { return nil }
    return refresh.asked.tick(after: settings.refreshTimeoutSeconds)
  }

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

  // MARK: Parts

  func isFresh(_ fix: AcceptedFix, at now: Moment) -> Bool {
    !fix.stamp.isEstimated && fix.stamp.age(at: now) <= settings.freshFixSeconds * 1000
  }

  /// The newest grid point not after `now`, so that checks keep their rhythm and missed ones are not made up.
  private func onGrid(_ due: Tick, _ interval: Int64, at now: Moment) -> Stamp {
    let late = max(0, now.tick.milliseconds(since: due)) % (interval * 1000)
    var stamp = Stamp(now)
    stamp.tick = now.tick.advanced(byMilliseconds: -late)
    stamp.utc = now.utc.advanced(byMilliseconds: -late)
    return stamp
  }

  private mutating func check(
    _ fix: AcceptedFix, at now: Moment, _ outcome: inout Outcome
  ) {
    guard let last = state.record else {
      return write(fix, .trackingStarted, at: now, &outcome)
    }
    if fix.coordinate.distanceMeters(to: last.coordinate) > settings.recordDistanceMeters {
      write(fix, .moved, at: now, &outcome)
    } else if last.stamp.age(at: now) + Self.earlyMilliseconds
      >= settings.recordMaximumAgeSeconds * 1000
    {
      write(fix, .aged, at: now, &outcome)
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
    state.session.awaitsFirstRecord = false
    state.session.awaitsCheck = false
    state.session.refresh = nil
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
