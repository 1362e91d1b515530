import Care
import CivilTime
import JSON
import Moments
import Texts

/// Turns what was found about zones into events that explain themselves.
extension Tracker {
  mutating func tell(
    _ finding: ZoneFinding, at now: Moment, _ outcome: inout Outcome
  ) {
    switch finding {
    case .entered(let zone, let seen, let before):
      say(zoneEvents.entered(zone, seen, before, at: now), of: zone, &outcome)
      if zone.isHome { state.session.leftHome = nil }
    case .left(let zone, let exit):
      noteLeaving(zone, exit)
      say(zoneEvents.left(zone, exit, at: now), of: zone, &outcome)
      doubtHomeTags(after: exit, from: zone, at: now, &outcome)
    case .uncertain(let zone, let doubtful):
      say(zoneEvents.uncertain(zone, doubtful, at: now), of: zone, &outcome)
      burst(at: now, &outcome)
    case .certain(let zone, let seen, let presence, let before):
      say(zoneEvents.certain(zone, seen, presence, before), of: zone, &outcome)
      forgetLeavingWhenHome()
    case .crossed(let zone, let step, let closest):
      say(zoneEvents.crossed(zone, step, closest), of: zone, &outcome)
    case .suspected: burst(at: now, &outcome)
    }
  }

  /// Adds what is told about a zone, where it counts.
  private func say(_ draft: EventDraft, of zone: SafeZone, _ outcome: inout Outcome) {
    if counts(zone.id) { outcome.events.append(draft) }
  }

  // MARK: Hours

  /// Zones begin and end to count by their hours. Nobody came or went; who is in none that counts any more is outside, and
  /// so is who is not where they are expected when its hours begin.
  mutating func turn(
    to counting: Set<ZoneID>?, at now: Moment, _ outcome: inout Outcome
  ) {
    let (before, wasOutside) = (self.counting, isOutside)
    state.session.counting = counting
    guard state.session.isOn else { return }
    let isFoundOut = isOutside && !wasOutside && isEachSettled
    for zone in zones.zones {
      let counted = before?.contains(zone.id) ?? true
      guard counted != counts(zone.id) else { continue }
      outcome.events.append(
        zoneEvents.turned(
          zone, isCounted: counts(zone.id), isInside: zones.inside.contains(zone.id),
          isFoundOut: isFoundOut))
    }
  }

  /// Whether it is known of each zone that counts whether the resident is in it.
  private var isEachSettled: Bool {
    zones.states.allSatisfy { id, state in state.settled != nil || !counts(id) }
  }

  /// The time away counts from the first fix outside, unless another home is still around the resident.
  private mutating func noteLeaving(_ zone: SafeZone, _ exit: ZoneExit) {
    let isStillHome = zones.inside.contains {
      $0 != zone.id && (zones.zone($0)?.isHome ?? false)
    }
    guard zone.isHome, !isStillHome else { return }
    state.session.leftHome = exit.fixes.first?.fix.stamp
  }

}
