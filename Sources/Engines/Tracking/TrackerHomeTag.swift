import Care
import JSON
import Moments
import Texts

/// What a tag at home adds to positions: it holds a resident inside whom drifting positions would take out, and brings
/// one in whom no position reaches indoors.
///
/// It is believed only so far. Beyond ``TrackingSettings/homeTagVetoMeters`` from the middle of its zone positions alone
/// decide, so a tag that is carried along hides nobody. It brings nobody in against a fresh position outside, nor faster
/// than a car could have come from the last one. Once positions have contradicted it — an exit was confirmed while it was
/// still heard, or it is heard where nobody can be so soon — it is doubted, which is told, and not believed again until a
/// position within its zone agrees.
extension Tracker {
  /// Nobody comes home faster than this, in metres per second.
  private static let fastestMetersPerSecond = 20.0

  mutating func take(
    _ verdict: HomeTagVerdict, at now: Moment, _ outcome: inout Outcome
  ) {
    state.homeTags.take(verdict)
    guard state.session.isOn, settings.homeTagVetoMeters > 0 else { return }
    believeHomeTags(at: now, &outcome)
  }

  /// The zones in which a tag at home holds the resident.
  func vouchedZones(at now: Moment) -> Set<ZoneID> { vouchedZones(among: zones.zones, at: now) }

  /// Those of some zones in which a tag at home holds the resident.
  func vouchedZones(among zones: [SafeZone], at now: Moment) -> Set<ZoneID> {
    guard settings.homeTagVetoMeters > 0, !state.homeTags.tags.isEmpty else { return [] }
    let vouched = zones.filter { state.homeTags.voucher(for: $0, at: now) != nil }
    return Set(vouched.map(\.id))
  }

  private mutating func believeHomeTags(at now: Moment, _ outcome: inout Outcome) {
    for zone in zones.zones {
      guard let tag = state.homeTags.voucher(for: zone, at: now) else { continue }
      let presence = zones.states[zone.id]?.settled
      if presence == .inside {
        hold(zone, by: tag, at: now, &outcome)
      } else if isOnlyPlace(zone, of: tag) {
        bringIn(zone, by: tag, at: now, &outcome)
      }
    }
  }

  /// A tag of no particular zone brings nobody into one of several homes.
  private func isOnlyPlace(_ zone: SafeZone, of tag: HomeTag) -> Bool {
    tag.zone != nil || zones.zones.filter(\.isHome).count == 1
  }

  /// Ends what doubt positions within the tag's reach have left.
  private mutating func hold(
    _ zone: SafeZone, by tag: HomeTag, at now: Moment, _ outcome: inout Outcome
  ) {
    guard var found = zones.states[zone.id] else { return }
    let isBeyond = found.outsideFixes.contains {
      zone.center.distanceMeters(to: $0.coordinate) > settings.homeTagVetoMeters
    }
    guard !isBeyond else { return }
    let before = found
    found.outsideFixes = []
    found.unsureSince = nil
    found.doubtfulFix = nil
    found.isUncertain = false
    zones.setState(found, of: zone.id)
    if before.isUncertain {
      outcome.events.append(HomeTagEvents(tag: tag, zone: zone, events: zoneEvents).certain())
    }
  }

  private mutating func bringIn(
    _ zone: SafeZone, by tag: HomeTag, at now: Moment, _ outcome: inout Outcome
  ) {
    switch plausibility(of: zone, at: now) {
    case .contradicted: return doubt(tag, zone, at: now, &outcome)
    case .waits: return
    case .plausible: break
    }
    let before = zones.settleInside(zone.id, since: Stamp(now))
    if before.settled == .outside {
      outcome.events.append(
        HomeTagEvents(tag: tag, zone: zone, events: zoneEvents).entered(before, at: now))
    } else if before.isUncertain || before.settledBeforeChange == .outside {
      outcome.events.append(HomeTagEvents(tag: tag, zone: zone, events: zoneEvents).certain())
    }
    if let severity = state.session.unknown {
      state.session.unknown = nil
      outcome.events.append(
        HomeTagEvents(tag: tag, zone: zone, events: zoneEvents).regained(from: severity))
    }
    if zone.isHome { state.session.leftHome = nil }
  }

  private enum Plausibility {
    case plausible
    /// A fresh position says otherwise; the next verdict is judged anew.
    case waits
    case contradicted
  }

  private func plausibility(of zone: SafeZone, at now: Moment) -> Plausibility {
    guard let last = state.filter.last, !last.stamp.isEstimated else { return .plausible }
    let distance = zone.center.distanceMeters(to: last.coordinate)
    let doubt = min(last.doubtMeters(settings), settings.exitAccuracyCapMeters)
    let seconds = Double(last.stamp.age(at: now)) / 1000
    let reach = max(settings.homeTagVetoMeters, zone.radiusMeters + zone.exitMarginMeters) + doubt
    if distance - reach > seconds * Self.fastestMetersPerSecond { return .contradicted }
    let isFresh = last.stamp.age(at: now) <= settings.freshFixSeconds * 1000
    let isOutside = zone.edgeMeters(from: last.coordinate) > zone.exitMarginMeters + doubt
    return isFresh && isOutside ? .waits : .plausible
  }

  // MARK: Doubt

  /// A tag that is heard although positions took the resident out of its zone is doubted.
  mutating func doubtHomeTags(
    after exit: ZoneExit, from zone: SafeZone, at now: Moment, _ outcome: inout Outcome
  ) {
    guard let first = exit.fixes.first?.fix.stamp.tick else { return }
    for tag in state.homeTags.tags where tag.stands(in: zone) && !tag.isDoubted {
      guard tag.isFresh(at: now), let heard = tag.heard, heard.tick > first else { continue }
      doubt(tag, zone, at: now, &outcome)
    }
  }

  /// A position within the zone agrees with its tags again.
  mutating func agreeWithHomeTags(_ fix: AcceptedFix) {
    for tag in state.homeTags.tags where tag.isDoubted {
      let agrees = zones.zones.contains {
        tag.stands(in: $0) && $0.edgeMeters(from: fix.coordinate) <= 0
      }
      if agrees { state.homeTags.doubt(tag.id, false) }
    }
  }

  private mutating func doubt(
    _ tag: HomeTag, _ zone: SafeZone, at now: Moment, _ outcome: inout Outcome
  ) {
    state.homeTags.doubt(tag.id, true)
    outcome.events.append(
      HomeTagEvents(tag: tag, zone: zone, events: zoneEvents).doubted(at: now))
  }

}
