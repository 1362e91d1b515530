import Care
import Moments

/// Decides zone by zone whether a resident is inside, outside, or nobody can say.
///
/// Entering takes one fix within the radius. Leaving takes consecutive fixes beyond radius, margin and capped error. The
/// first settled answer about a zone is silent: it is not known that anybody came or went. Per fix, zones far away cost
/// two comparisons; only zones with something to remember have a ``ZoneState``.
struct ZoneTracker: Hashable, Sendable {
  /// All zones, by id.
  private(set) var zones: [SafeZone] = []
  /// States of the zones that are not settled as outside and quiet.
  private(set) var states: [ZoneID: ZoneState] = [:]
  /// Zones settled as inside, by id.
  private(set) var inside: [ZoneID] = []
  /// Zones whose state changed since the last collection, by id.
  var touched: Set<ZoneID> = []
  private var fences: [Fence] = []
  private var insideIsStale = false
  private var settings: TrackingSettings

  init(settings: TrackingSettings) { self.settings = settings }

  /// The zone of that id.
  func zone(_ id: ZoneID) -> SafeZone? {
    position(of: id).map { zones[$0] }
  }

  /// Takes over new numbers.
  mutating func apply(_ settings: TrackingSettings) {
    self.settings = settings
  }

  /// Takes over states from before a restart; zones without one are `fallback`.
  mutating func restore(
    zones: [SafeZone], states: [ZoneID: ZoneState], fallback: Presence?
  ) {
    self.zones = Self.sorted(zones)
    self.states = states.filter { id, _ in self.zone(id) != nil }
    if fallback == nil {
      for zone in self.zones where self.states[zone.id] == nil {
        self.states[zone.id] = ZoneState()
      }
    }
    rebuildFences()
    refreshInside()
  }

  /// Takes over a changed list of zones, and answers what that settles at once.
  ///
  /// A zone that kept its circle keeps its state. Of a new or changed one the last position decides where it can: who was
  /// inside stays inside up to the line of leaving, so that a later exit is an exit, and is outside beyond it; who was
  /// outside is inside when the position is fresh and within the radius. What it cannot decide the next positions settle.
  /// Nobody came or went, so nothing of this is an exit or an entrance.
  ///
  /// - Parameter vouched: zones in which a tag at home holds the resident.
  mutating func replace(
    _ newZones: [SafeZone], last: AcceptedFix?, isFresh: Bool, vouched: Set<ZoneID> = []
  ) -> [ZoneSettlement] {
    let old = zones
    zones = Self.sorted(newZones)
    for zone in old where self.zone(zone.id) == nil { setState(nil, of: zone.id) }
    var settled: [ZoneSettlement] = []
    var index = 0
    for zone in zones {
      while index < old.count, old[index].id < zone.id { index += 1 }
      let before = index < old.count && old[index].id == zone.id ? old[index] : nil
      if let before, before.hasCircle(of: zone) {
        if before.name != zone.name, states[zone.id]?.settled == .inside {
          settled.append(settlement(zone, .inside, last))
        }
        continue
      }
      settled += settle(
        zone, isNew: before == nil, last: last, isFresh: isFresh,
        isVouched: vouched.contains(zone.id))
    }
    rebuildFences()
    refreshInside()
    return settled
  }

  /// Sets or forgets the state of a zone.
  mutating func setState(_ state: ZoneState?, of id: ZoneID) {
    guard states[id] != state else { return }
    states[id] = state
    touched.insert(id)
    if let index = position(of: id), index < fences.count { fences[index].hasState = state != nil }
  }

  mutating func mapStamps(_ change: (inout Stamp) -> Void) {
    for id in states.keys { states[id]?.mapStamps(change) }
  }

  /// Settles a zone as inside without a fix, and answers its state before.
  mutating func settleInside(_ id: ZoneID, since: Stamp) -> ZoneState {
    let before = states[id] ?? ZoneState(settled: .outside)
    setState(ZoneState(settled: .inside, since: since), of: id)
    refreshInside()
    return before
  }

  /// Evaluates every zone that a believed fix may concern, in the order of their ids.
  ///
  /// - Parameter vouched: zones in which a tag at home holds the resident.
  mutating func evaluate(
    _ fix: AcceptedFix, after previous: AcceptedFix?, vouched: Set<ZoneID> = []
  ) -> [ZoneFinding] {
    let step = ZoneStep(fix: fix, previous: previous, vouched: vouched, settings: settings)
    var findings: [ZoneFinding] = []
    for index in fences.indices {
      guard fences[index].hasState || fences[index].mayConcern(step) else { continue }
      evaluate(zones[index], step, &findings)
    }
    if insideIsStale { refreshInside() }
    return findings
  }

  /// Doubts whose time has come, by id.
  mutating func overdue(until limit: Tick) -> [ZoneFinding] {
    let due = states.filter { _, state in
      state.doubtDeadline(settings).map { $0 <= limit } ?? false
    }
    var findings: [ZoneFinding] = []
    for (id, found) in due.sorted(by: { $0.key < $1.key }) {
      guard let zone = zone(id) else { continue }
      var state = found
      findings.append(.uncertain(zone, state))
      state.isUncertain = true
      setState(state, of: id)
    }
    return findings
  }

  /// When the next doubt becomes telling.
  var deadline: Tick? {
    states.values.lazy.compactMap { $0.doubtDeadline(settings) }.min()
  }

  // MARK: Parts

  private mutating func evaluate(
    _ zone: SafeZone, _ step: ZoneStep, _ findings: inout [ZoneFinding]
  ) {
    let distance = zone.center.distanceMeters(to: step.fix.coordinate)
    let seen = ZoneFix(fix: step.fix, distanceMeters: distance)
    let state = state(of: zone.id)
    var judgement = ZoneJudgement(zone: zone, step: step, seen: seen, state: state)
    judgement.run()
    findings += judgement.findings
    if (judgement.state.settled == .inside) != (state.settled == .inside) { insideIsStale = true }
    setState(judgement.state.isQuiet ? nil : judgement.state, of: zone.id)
  }

  /// Judges a new or changed circle by the last position.
  private mutating func settle(
    _ zone: SafeZone, isNew: Bool, last: AcceptedFix?, isFresh: Bool, isVouched: Bool
  ) -> [ZoneSettlement] {
    // A new zone is one that the resident was not in; with no position yet nothing is known of any.
    let old = isNew ? ZoneState(settled: last == nil ? nil : .outside) : state(of: zone.id)
    let before = old.settled ?? old.settledBeforeChange
    var waiting = ZoneState(settledBeforeChange: before)
    waiting.isUncertain = old.isUncertain
    guard let last else {
      setState(waiting, of: zone.id)
      return []
    }
    let distance = zone.center.distanceMeters(to: last.coordinate)
    let doubt = min(last.doubtMeters(settings), settings.exitAccuracyCapMeters)
    let leaveLine = zone.radiusMeters + zone.exitMarginMeters + doubt
    // What a tag at home has said since the last position, or says against it, counts for more.
    let isHeld =
      isVouched && distance <= settings.homeTagVetoMeters
      || old.since.map { $0.tick > last.stamp.tick } ?? false
    if before == .inside, distance > leaveLine, !isHeld {
      setState(nil, of: zone.id)
      return [settlement(zone, .outside, last)]
    }
    if before == .inside, old.settled == .inside || distance <= zone.radiusMeters {
      setState(ZoneState(settled: .inside, since: old.since), of: zone.id)
      return old.isUncertain ? [settlement(zone, .inside, last)] : []
    }
    if before != .inside, isFresh, distance <= zone.radiusMeters {
      setState(ZoneState(settled: .inside, since: last.stamp), of: zone.id)
      return [settlement(zone, .inside, last)]
    }
    setState(waiting, of: zone.id)
    return []
  }

  private func state(of id: ZoneID) -> ZoneState { states[id] ?? ZoneState(settled: .outside) }

  private func settlement(
    _ zone: SafeZone, _ presence: Presence, _ last: AcceptedFix?
  ) -> ZoneSettlement {
    ZoneSettlement(
      zone: zone, presence: presence,
      seen: last.map {
        ZoneFix(fix: $0, distanceMeters: zone.center.distanceMeters(to: $0.coordinate))
      })
  }

  private mutating func refreshInside() {
    inside = states.filter { $0.value.settled == .inside }.keys.sorted()
    insideIsStale = false
  }

  private mutating func rebuildFences() {
    fences = zones.map { Fence($0, hasState: states[$0.id] != nil) }
  }

  private func position(of id: ZoneID) -> Int? {
    var range = 0..<zones.count
    while !range.isEmpty {
      let middle = range.lowerBound + range.count / 2
      if zones[middle].id == id { return middle }
      range = zones[middle].id < id ? middle + 1..<range.upperBound : range.lowerBound..<middle
    }
    return nil
  }

  /// By id; of two with the same id the later one holds.
  private static func sorted(_ zones: [SafeZone]) -> [SafeZone] {
    var byID: [ZoneID: SafeZone] = [:]
    for zone in zones { byID[zone.id] = zone }
    return byID.values.sorted { $0.id < $1.id }
  }
}
