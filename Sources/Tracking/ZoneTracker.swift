import CareModel

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

  /// Takes over a changed list of zones.
  ///
  /// A zone that kept its circle keeps its state. A new or moved one must be settled anew, silently; only that somebody
  /// who was inside is now outside of the changed zone, or the reverse, is told. When the last fix is still within the
  /// changed zone and its margin, inside stays inside, so that a later exit is an exit.
  mutating func replace(_ newZones: [SafeZone], last: AcceptedFix?) {
    let old = zones
    zones = Self.sorted(newZones)
    for zone in old where self.zone(zone.id) == nil { setState(nil, of: zone.id) }
    var index = 0
    for zone in zones {
      while index < old.count, old[index].id < zone.id { index += 1 }
      let before = index < old.count && old[index].id == zone.id ? old[index] : nil
      if let before, before.hasCircle(of: zone) { continue }
      setState(unsettled(zone, before: before, last: last), of: zone.id)
    }
    rebuildFences()
    refreshInside()
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
    let state = states[zone.id] ?? ZoneState(settled: .outside)
    var judgement = ZoneJudgement(zone: zone, step: step, seen: seen, state: state)
    judgement.run()
    findings += judgement.findings
    if (judgement.state.settled == .inside) != (state.settled == .inside) { insideIsStale = true }
    setState(judgement.state.isQuiet ? nil : judgement.state, of: zone.id)
  }

  private func unsettled(
    _ zone: SafeZone, before: SafeZone?, last: AcceptedFix?
  ) -> ZoneState {
    guard before != nil else { return ZoneState() }
    let state = states[zone.id] ?? ZoneState(settled: .outside)
    if state.settled == .inside, let last {
      let distance = zone.center.distanceMeters(to: last.coordinate)
      if distance <= zone.radiusMeters + zone.exitMarginMeters {
        return ZoneState(settled: .inside, since: state.since)
      }
    }
    return ZoneState(settledBeforeChange: state.settled ?? state.settledBeforeChange)
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
