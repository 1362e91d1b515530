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
    outcome.events.append(sampled(entry))
  }

  mutating func refresh(
    by principal: Principal, at now: Moment, _ outcome: inout Outcome
  ) {
    guard state.session.isOn else {
      outcome.events.append(unavailable([principal.description], waited: 0, at: now))
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
    outcome.events.append(unavailable(refresh.principals, waited: waited, at: now))
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
    outcome.events.append(recorded(entry, fix, at: now))
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
      minutesAtLocation: minutesAtLocation(fix, at: now), reason: reason)
  }

  // MARK: Events

  private func recorded(
    _ entry: LocationRecord, _ fix: AcceptedFix, at now: Moment
  ) -> EventDraft {
    let distance = state.record.map { fix.coordinate.distanceMeters(to: $0.coordinate) }
    let names = zonesInside.compactMap { zones.zone($0)?.name }
    return draft(
      .locationRecorded, .record,
      [
        "latitude": .number(entry.coordinate.latitudeDegrees),
        "longitude": .number(entry.coordinate.longitudeDegrees),
        "accuracyMeters": fact(entry.accuracyMeters), "reason": .string(entry.reason.rawValue),
        "time": .string(entry.time.iso8601),
        "timeQuality": .string(entry.timeQuality.rawValue),
        "zones": .array(names.map(JSONValue.string)),
        "zoneIds": .array(zonesInside.map { .string($0.rawValue) }),
        "isOutside": .bool(isOutside), "distanceFromLastRecordMeters": fact(distance),
        "speedMetersPerSecond": fact(fix.speedMetersPerSecond),
        "awayFromHomeSeconds": awaySeconds(at: now).map(JSONValue.integer),
        "minutesAtLocation": .integer(Int64(entry.minutesAtLocation)),
        "requestedBy": entry.reason == .refresh
          ? state.session.refresh.map { .array($0.principals.map(JSONValue.string)) } : nil,
        "explanation": explain(sentence(entry, distance, names)),
      ], means: .zone(ZoneNews(.recorded(inside: names), isOutside: isOutside), of: resident.id))
  }

  private func sentence(
    _ entry: LocationRecord, _ distance: Double?, _ names: [String]
  ) -> Message {
    let values: Message.Values = [
      "name": resident.name, "zones": names.map(quoted).joined(separator: ", "),
      "reason": because(entry, distance),
    ]
    if !names.isEmpty {
      return Message("{name} is in {zones}; recorded because {reason}.", values)
    }
    return isOutside
      ? Message("{name} is outside of all zones; recorded because {reason}.", values)
      : Message("{name} was located; recorded because {reason}.", values)
  }

  private func because(_ entry: LocationRecord, _ distance: Double?) -> Message {
    switch entry.reason {
    case .moved:
      Message(
        "the position is {distance} from the last record, more than {limit}",
        [
          "distance": settings.length(distance ?? 0),
          "limit": settings.length(settings.recordDistanceMeters),
        ])
    case .aged:
      Message(
        "the last record is {duration} old",
        ["duration": duration(seconds: settings.recordMaximumAgeSeconds)])
    case .trackingStarted: Message("tracking has begun")
    case .refresh: Message("somebody asked for the position")
    case .outsideMoving:
      Message("a person who moves outside of all zones is followed closely")
    }
  }

  private func sampled(_ entry: LocationRecord) -> EventDraft {
    draft(
      .locationSampled, .trace,
      [
        "latitude": .number(entry.coordinate.latitudeDegrees),
        "longitude": .number(entry.coordinate.longitudeDegrees),
        "accuracyMeters": fact(entry.accuracyMeters), "time": .string(entry.time.iso8601),
        "timeQuality": .string(entry.timeQuality.rawValue),
        "minutesAtLocation": .integer(Int64(entry.minutesAtLocation)),
      ])
  }

  private func unavailable(
    _ principals: [String], waited: Int64, at now: Moment
  ) -> EventDraft {
    let last = state.filter.last
    let explanation =
      state.session.isOn
      ? Message(
        "No position of {name} came within {duration}; the next one will be recorded. "
          + "Check that the receiver is on and sees the sky.",
        ["name": resident.name, "duration": duration(seconds: waited)])
      : Message(
        "Tracking of {name} is off; switch it on to locate them.", ["name": resident.name])
    return draft(
      .locationUnavailable, .record,
      [
        "requestedBy": .array(principals.map(JSONValue.string)),
        "waitedSeconds": .integer(waited), "isOn": .bool(state.session.isOn),
        "lastLatitude": (last?.coordinate.latitudeDegrees).map(JSONValue.number),
        "lastLongitude": (last?.coordinate.longitudeDegrees).map(JSONValue.number),
        "lastAgeSeconds": last.map { .integer(wholeSeconds($0.stamp.age(at: now))) },
        "explanation": explain(explanation),
      ])
  }
}
