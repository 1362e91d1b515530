import Care
import Moments

/// What a tag at home adds to positions: it holds a resident inside whom drifting positions would take out, and brings
/// one in whom no position reaches indoors.
///
/// It is believed only so far. Beyond ``TrackingSettings/homeTagVetoMeters`` from the middle of its zone positions alone
/// decide, so a tag that is carried along hides nobody. It brings nobody in against a fresh position outside, nor faster
/// than a car could have come from the last one. Once positions have contradicted it — an exit was confirmed while it was
/// still heard, or it is heard where nobody can be so soon — it is doubted, which is told, and not believed again until a
/// position within its zone agrees.
extension Tracker {
  mutating func take(
    _ verdict: HomeTagVerdict, at now: Moment, _ outcome: inout Outcome
  ) {
    state.homeTags.take(verdict)
    guard state.session.isOn, settings.homeTagVetoMeters > 0 else { return }
    believeHomeTags(at: now, &outcome)
  }

  /// The zones in which a tag at home holds the resident.
  func vouchedZones(at now: Moment) -> Set<ZoneID> {
    state.homeTags.vouchedZones(among: zones.zones, at: now, by: settings)
  }

  private mutating func believeHomeTags(at now: Moment, _ outcome: inout Outcome) {
    for zone in zones.zones {
      guard let tag = state.homeTags.voucher(for: zone, at: now) else { continue }
      let presence = zones.states[zone.id]?.settled
      if presence == .inside {
        guard zones.hold(zone) else { continue }
        outcome.events.append(HomeTagEvents(tag: tag, zone: zone, events: zoneEvents).certain())
      } else if tag.bringsIn(among: zones.zones) {
        bringIn(zone, by: tag, at: now, &outcome)
      }
    }
  }

  private mutating func bringIn(
    _ zone: SafeZone, by tag: HomeTag, at now: Moment, _ outcome: inout Outcome
  ) {
    switch HomeTagPlausibility(of: zone, after: state.filter.last, at: now, by: settings) {
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

  // MARK: Doubt

  /// A tag that is heard although positions took the resident out of its zone is doubted.
  mutating func doubtHomeTags(
    after exit: ZoneExit, from zone: SafeZone, at now: Moment, _ outcome: inout Outcome
  ) {
    for tag in state.homeTags.contradicted(by: exit, from: zone, at: now) {
      doubt(tag, zone, at: now, &outcome)
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
