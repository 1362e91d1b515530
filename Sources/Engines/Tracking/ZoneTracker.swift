import Care
import Moments

/// Decides zone by zone whether a resident is inside, outside, or nobody can say.
///
/// Entering takes one fix within the edge. Leaving takes consecutive fixes beyond edge, margin and capped error. The
/// first settled answer about a zone is silent: it is not known that anybody came or went. Per fix, a tree finds the zones
/// nearby; only zones with something to remember have a ``ZoneState``, and are looked at in any case.
struct ZoneTracker: Hashable, Sendable {
  /// All zones, by id.
  private(set) var zones: [SafeZone] = []
  /// States of the zones that are not settled as outside and quiet.
  private(set) var states: [ZoneID: ZoneState] = [:]
  /// Zones settled as inside, by id.
  private(set) var inside: [ZoneID] = []
  /// Zones whose state changed since the last collection, by id.
  private(set) var touched: Set<ZoneID> = []
  private var tree = FenceTree([])
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
    rebuildTree()
    refreshInside()
  }

  /// Takes over a changed list of zones, and answers what that settles at once.
  ///
  /// A zone that kept its area keeps its state. Of a new or changed one the last position decides where it can: who was
  /// inside stays inside up to the line of leaving, so that a later exit is an exit, and is outside beyond it; who was
  /// outside is inside when the position is fresh and within the edge. What it cannot decide the next positions settle.
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
      if let before, before.hasArea(of: zone) {
        if before.name != zone.name, states[zone.id]?.settled == .inside {
          settled.append(settlement(zone, .inside, last))
        }
        continue
      }
      settled += settle(
        zone, isNew: before == nil, last: last, isFresh: isFresh,
        isVouched: vouched.contains(zone.id))
    }
    rebuildTree()
    refreshInside()
    return settled
  }

  /// Sets or forgets the state of a zone.
  mutating func setState(_ state: ZoneState?, of id: ZoneID) {
    guard states[id] != state else { return }
    states[id] = state
    touched.insert(id)
  }

  /// The touched zones are collected.
  mutating func forgetTouched() { touched = [] }

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

  /// Ends what doubt positions within the reach of a tag at home have left, which holds the resident in a zone.
  ///
  /// - Returns: whether that doubt had been told.
  mutating func hold(_ zone: SafeZone) -> Bool {
    guard let before = states[zone.id] else { return false }
    let isBeyond = before.outsideFixes.contains {
      zone.center.distanceMeters(to: $0.coordinate) > settings.homeTagVetoMeters
    }
    guard !isBeyond else { return false }
    var found = before
    found.outsideFixes = []
    found.unsureSince = nil
    found.doubtfulFix = nil
    found.isUncertain = false
    setState(found, of: zone.id)
    return before.isUncertain
  }

  /// Evaluates every zone that a believed fix may concern, in the order of their ids.
  ///
  /// - Parameter vouched: zones in which a tag at home holds the resident.
  mutating func evaluate(
    _ fix: AcceptedFix, after previous: AcceptedFix?, vouched: Set<ZoneID> = []
  ) -> [ZoneFinding] {
    let step = ZoneStep(fix: fix, previous: previous, vouched: vouched, settings: settings)
    var findings: [ZoneFinding] = []
    for number in numbers(concernedBy: step) { evaluate(zones[number], step, &findings) }
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
    let seen = ZoneFix(step.fix, seenFrom: zone)
    let state = state(of: zone.id)
    var judgement = ZoneJudgement(zone: zone, step: step, seen: seen, state: state)
    judgement.run()
    findings += judgement.findings
    if (judgement.state.settled == .inside) != (state.settled == .inside) { insideIsStale = true }
    setState(judgement.state.isQuiet ? nil : judgement.state, of: zone.id)
  }

  /// Judges a new or changed area by the last position.
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
    let edge = zone.edgeMeters(from: last.coordinate)
    let leaveLine =
      zone.exitMarginMeters + min(last.doubtMeters(settings), settings.exitAccuracyCapMeters)
    // What a tag at home has said since the last position, or says against it, counts for more.
    let isHeld =
      isVouched
      && zone.center.distanceMeters(to: last.coordinate) <= settings.homeTagVetoMeters
      || old.since.map { $0.tick > last.stamp.tick } ?? false
    if before == .inside, edge > leaveLine, !isHeld {
      setState(nil, of: zone.id)
      return [settlement(zone, .outside, last)]
    }
    if before == .inside, old.settled == .inside || edge <= 0 {
      setState(ZoneState(settled: .inside, since: old.since), of: zone.id)
      return old.isUncertain ? [settlement(zone, .inside, last)] : []
    }
    if before != .inside, isFresh, edge <= 0 {
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
      seen: last.map { ZoneFix($0, seenFrom: zone) })
  }

  private mutating func refreshInside() {
    inside = states.filter { $0.value.settled == .inside }.keys.sorted()
    insideIsStale = false
  }

  private mutating func rebuildTree() {
    tree = FenceTree(
      zones.enumerated().flatMap { number, zone in
        zone.boxes.map { FenceTree.Entry(box: $0, number: number) }
      })
  }

  /// Zones that have a state, or that a step may be in, near or may have crossed; in order.
  private func numbers(concernedBy step: ZoneStep) -> [Int] {
    var numbers = states.keys.compactMap { position(of: $0) }
    for box in step.fix.coordinate.boxes(within: step.reachMeters) {
      tree.visit(box) { numbers.append($0) }
    }
    numbers.sort()
    var last = -1
    numbers.removeAll { number in
      defer { last = number }
      return number == last
    }
    return numbers
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
