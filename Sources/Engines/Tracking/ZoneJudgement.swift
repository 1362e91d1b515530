import Care
import Moments

/// What one fix, or its absence, showed about one zone.
enum ZoneFinding: Hashable, Sendable {
  /// Came in; the state is the one before.
  case entered(SafeZone, ZoneFix, before: ZoneState)
  /// Left; the fixes that prove it and the state before.
  case left(SafeZone, ZoneExit)
  /// Nobody can say; the state that is in doubt.
  case uncertain(SafeZone, ZoneState)
  /// Doubt is over, or a changed zone is settled anew, and nobody came or went.
  case certain(SafeZone, ZoneFix, now: Presence, before: ZoneState)
  /// The path between two fixes led through the zone.
  case crossed(SafeZone, ZoneStep, closestMeters: Double)
  /// A first outside fix; sampling in a burst will confirm or refute it.
  case suspected(ZoneFix)
}

/// What a changed list of zones settled about one of them.
struct ZoneSettlement: Hashable, Sendable {
  var zone: SafeZone
  var presence: Presence
  /// The last position, seen from the zone; nil when a tag at home alone holds the resident inside.
  var seen: ZoneFix?
}

/// The proof of an exit.
struct ZoneExit: Hashable, Sendable {
  var fixes: [ZoneFix]
  var cappedDoubtMeters: Double
  var before: ZoneState
}

/// One zone, one fix: the rules of inside, outside and uncertain.
///
///     distance   0 ────── radius ────── radius + margin ────── + capped error ──────▶
///     was in     inside   inside; in doubt where distance + error passes the margin │ outside, when confirmed
///     was out    inside   outside; in doubt where distance - error reaches the radius
///
/// Who was in and is vouched for by a tag at home stays in, without doubt, up to that tag's own limit.
struct ZoneJudgement {
  let zone: SafeZone
  let step: ZoneStep
  let seen: ZoneFix
  var state: ZoneState
  var findings: [ZoneFinding] = []

  init(zone: SafeZone, step: ZoneStep, seen: ZoneFix, state: ZoneState) {
    self.zone = zone
    self.step = step
    self.seen = seen
    self.state = state
  }

  private var leaveLine: Double { zone.radiusMeters + zone.exitMarginMeters }

  mutating func run() {
    if isHeld {
      state.outsideFixes = []
      markDoubt(false)
    } else if seen.distanceMeters <= zone.radiusMeters {
      beInside()
    } else if seen.distanceMeters > leaveLine + step.cappedDoubtMeters {
      beBeyond()
    } else {
      beBetween()
    }
  }

  private var isHeld: Bool {
    state.settled == .inside && step.vouched.contains(zone.id)
      && seen.distanceMeters <= step.settings.homeTagVetoMeters
  }

  private mutating func beInside() {
    let before = state
    state.outsideFixes = []
    if state.settled != .inside {
      settle(.inside, since: step.fix.stamp)
      if before.settled == .outside { return findings.append(.entered(zone, seen, before: before)) }
      return tellIfChanged(before)
    }
    markDoubt(seen.distanceMeters + step.doubtMeters > leaveLine)
  }

  private mutating func beBeyond() {
    guard state.settled != .outside else {
      noteCrossing()
      return markDoubt(seen.distanceMeters - step.doubtMeters <= zone.radiusMeters)
    }
    state.outsideFixes.append(step.fix)
    if state.outsideFixes.count < Int(step.settings.exitFixCount) {
      if state.outsideFixes.count == 1 { suspect() }
      return
    }
    let before = state
    settle(.outside, since: before.settled == nil ? nil : before.outsideFixes.first?.stamp)
    guard before.settled == .inside else { return tellIfChanged(before) }
    findings.append(.left(zone, exit(before)))
  }

  private mutating func beBetween() {
    state.outsideFixes = []
    switch state.settled {
    case .inside: markDoubt(seen.distanceMeters + step.doubtMeters > leaveLine)
    case .outside:
      noteCrossing()
      markDoubt(seen.distanceMeters - step.doubtMeters <= zone.radiusMeters)
    case nil: markDoubt(true)
    }
  }

  private mutating func suspect() {
    let window = step.settings.exitConfirmWindowSeconds * 1000
    let patience = max(window, step.settings.uncertainAfterSeconds * 1000)
    let pause = step.previous.map { step.fix.stamp.tick.milliseconds(since: $0.stamp.tick) } ?? 0
    // A receiver that samples rarely gets two of its own intervals before its silence counts as doubt.
    state.confirmMilliseconds = max(window, min(pause.multipliedClamped(by: 2), patience))
    state.doubtfulFix = step.fix
    if state.settled == .inside { findings.append(.suspected(seen)) }
  }

  private mutating func settle(_ presence: Presence, since: Stamp?) {
    state = ZoneState(settled: presence, since: since)
  }

  /// Tells a settled answer that is news although nobody was seen to come or go.
  private mutating func tellIfChanged(_ before: ZoneState) {
    guard let now = state.settled else { return }
    let differs = before.settledBeforeChange.map { $0 != now } ?? false
    guard before.isUncertain || differs else { return }
    findings.append(.certain(zone, seen, now: now, before: before))
  }

  private mutating func markDoubt(_ isInDoubt: Bool) {
    if isInDoubt {
      state.unsureSince = state.unsureSince ?? step.fix.stamp
      state.doubtfulFix = step.fix
      return
    }
    let before = state
    state.unsureSince = nil
    state.doubtfulFix = nil
    state.isUncertain = false
    guard before.isUncertain, let settled = state.settled else { return }
    findings.append(.certain(zone, seen, now: settled, before: before))
  }

  private mutating func noteCrossing() {
    guard let start = step.pathStart, let closest = step.closestMeters(to: zone.center),
      closest <= zone.radiusMeters,
      zone.center.distanceMeters(to: start.coordinate) > zone.radiusMeters
    else { return }
    findings.append(.crossed(zone, step, closestMeters: closest))
  }

  private func exit(_ before: ZoneState) -> ZoneExit {
    let fixes = before.outsideFixes.map { fix in
      ZoneFix(fix: fix, distanceMeters: zone.center.distanceMeters(to: fix.coordinate))
    }
    return ZoneExit(fixes: fixes, cappedDoubtMeters: step.cappedDoubtMeters, before: before)
  }
}
