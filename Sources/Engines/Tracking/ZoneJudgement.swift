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
///     beyond     ────── edge ────── margin ────── + capped error ──────▶
///     was in     inside   inside; in doubt where it + error passes the margin │ outside, when confirmed
///     was out    inside   outside; in doubt where it - error reaches the edge
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

  mutating func run() {
    if isHeld {
      state.outsideFixes = []
      markDoubt(false)
    } else if seen.edgeMeters <= 0 {
      beInside()
    } else if seen.edgeMeters > zone.exitMarginMeters + step.cappedDoubtMeters {
      beBeyond()
    } else {
      beBetween()
    }
  }

  private var isHeld: Bool {
    state.settled == .inside && step.vouched.contains(zone.id)
      && zone.center.distanceMeters(to: step.fix.coordinate) <= step.settings.homeTagVetoMeters
  }

  private mutating func beInside() {
    let before = state
    state.outsideFixes = []
    if state.settled != .inside {
      settle(.inside, since: step.fix.stamp)
      if before.settled == .outside { return findings.append(.entered(zone, seen, before: before)) }
      return tellIfChanged(before)
    }
    markDoubt(seen.edgeMeters + step.doubtMeters > zone.exitMarginMeters)
  }

  private mutating func beBeyond() {
    guard state.settled != .outside else {
      noteCrossing()
      return markDoubt(seen.edgeMeters - step.doubtMeters <= 0)
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
    case .inside: markDoubt(seen.edgeMeters + step.doubtMeters > zone.exitMarginMeters)
    case .outside:
      noteCrossing()
      markDoubt(seen.edgeMeters - step.doubtMeters <= 0)
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
    guard let start = step.pathStart, let closest = step.closestMeters(in: zone),
      zone.edgeMeters(from: start.coordinate) > 0
    else { return }
    findings.append(.crossed(zone, step, closestMeters: closest))
  }

  private func exit(_ before: ZoneState) -> ZoneExit {
    let fixes = before.outsideFixes.map { ZoneFix($0, seenFrom: zone) }
    return ZoneExit(fixes: fixes, cappedDoubtMeters: step.cappedDoubtMeters, before: before)
  }
}
