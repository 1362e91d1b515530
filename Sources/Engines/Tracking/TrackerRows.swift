import Care
import JSON
import Moments

/// What of an engine's state is on disk.
struct RowLedger: Hashable, Sendable {
  /// The groups as last written, by their order; nil when no row is stored.
  var contents: [JSONValue?] = []
  /// The groups as last written, to tell what is urgent.
  var state: TrackingState?
  /// Zone states as last written.
  var zones: [ZoneID: ZoneState] = [:]
  /// Whether everything must be written, because nothing is on disk or ticks of another boot are.
  var isStale = true
  /// Rows on disk that mean nothing any more.
  var orphans: [String] = []
  /// Rows that could not be read.
  var unreadable: [String] = []
  /// When rows that are not urgent were last written.
  var checkpoint: Tick

  init(checkpoint: Tick) { self.checkpoint = checkpoint }
}

/// The engine's state as rows, and what of it is written when.
///
/// Urgent is what a restart must not lose: presence in zones and the fixes that count towards an exit, what was told and
/// asked, records, faults. The newest fix, the receiver's last sign of life, movement and counters change with every fix
/// and are written along with anything urgent, else once a minute. After a crash the newest of them is thus at most a
/// minute old: silence and unknown positions are told up to a minute early, never late, and the first fix corrects it.
extension Tracker {
  private static let checkpointSeconds: Int64 = 60
  private static let zonePrefix = "zone:"

  /// The full state; an engine made from it behaves identically.
  var rows: [EngineRow] {
    let groups = state.contents.compactMap { name, content in
      content.map { row(name, $0) }
    }
    return groups + zones.states.sorted { $0.key < $1.key }.map { zoneRow($0.key, $0.value) }
  }

  // MARK: Reading

  mutating func restore(_ rows: [EngineRow], _ list: [SafeZone], at now: Moment) {
    let mine = rows.filter {
      $0.engine == Self.engine && $0.subject == resident.id.rawValue
    }
    var found: [ZoneID: ZoneState] = [:]
    for row in mine { read(row, &found) }
    let isKnown = mine.contains { $0.name == "session" } && state.session.areZonesSettled
    if mine.contains(where: { $0.content["boot"]?.stringContent != boot.rawValue }) {
      state.mapStamps { $0.rebase(to: now) }
      for id in found.keys { found[id]?.mapStamps { $0.rebase(to: now) } }
    } else if !mine.isEmpty {
      noteAsWritten(found)
    }
    zones.restore(zones: list, states: found, fallback: isKnown ? .outside : nil)
    ledger.orphans += found.keys.sorted().filter { zones.zone($0) == nil }.map {
      Self.zonePrefix + $0.rawValue
    }
    isClockTrusted = now.quality.isTrusted && !hasOpenStamps
    state.receiver.forgiveDowntime(at: now, by: settings)
  }

  private mutating func read(_ row: EngineRow, _ found: inout [ZoneID: ZoneState]) {
    do {
      if row.name.hasPrefix(Self.zonePrefix) {
        let id = ZoneID(String(row.name.dropFirst(Self.zonePrefix.count)))
        found[id] = try ZoneState(json: row.content)
      } else if try !state.take(row.name, row.content) {
        ledger.orphans.append(row.name)
      }
    } catch {
      ledger.unreadable.append(row.name)
    }
  }

  private mutating func noteAsWritten(_ found: [ZoneID: ZoneState]) {
    ledger.state = state
    ledger.contents = state.contents.map(\.content)
    ledger.zones = found
    ledger.isStale = !ledger.unreadable.isEmpty
  }

  /// Stamps may wait for a trusted clock; then the first trusted moment must refine them.
  private var hasOpenStamps: Bool {
    var isOpen = false
    var copy = (state, zones)
    let look: (inout Stamp) -> Void = { isOpen = isOpen || $0.isEstimated || !$0.quality.isTrusted }
    copy.0.mapStamps(look)
    copy.1.mapStamps(look)
    return isOpen
  }

  // MARK: Writing

  mutating func writeRows(at now: Moment, _ outcome: inout Outcome) {
    let isDue =
      now.tick.milliseconds(since: ledger.checkpoint) >= Self.checkpointSeconds * 1000
    guard isDue || isUrgent else { return }
    ledger.checkpoint = now.tick
    writeGroups(&outcome)
    writeZones(&outcome)
    for name in ledger.orphans { outcome.changes.append(removal(name)) }
    ledger.orphans = []
    ledger.isStale = false
    ledger.state = state
  }

  private var isUrgent: Bool {
    guard !ledger.isStale, let saved = ledger.state, ledger.orphans.isEmpty else { return true }
    return state.session != saved.session || state.record != saved.record
      || state.filter.held != saved.filter.held || state.filter.newLine != saved.filter.newLine
      || state.motion.place != saved.motion.place
      || state.receiver.faults != saved.receiver.faults
      || (state.receiver.noFixSince == nil) != (saved.receiver.noFixSince == nil)
      || state.homeTags.tags.map(\.urgent) != saved.homeTags.tags.map(\.urgent)
      || zones.touched.contains(where: isUrgent)
  }

  private func isUrgent(_ id: ZoneID) -> Bool {
    guard let found = zones.states[id] else { return ledger.zones[id] != nil }
    return !isSkipped(found) && found.needsWriting(after: ledger.zones[id])
  }

  /// Until every zone has been looked at once, a missing row already says that a zone has not.
  private func isSkipped(_ found: ZoneState) -> Bool {
    found.isBlank && !state.session.areZonesSettled
  }

  private mutating func writeGroups(_ outcome: inout Outcome) {
    let contents = state.contents
    for (index, group) in contents.enumerated() {
      let saved = index < ledger.contents.count ? ledger.contents[index] : nil
      guard ledger.isStale || group.content != saved else { continue }
      if let content = group.content {
        outcome.changes.append(.putEngineRow(row(group.name, content)))
      } else if saved != nil {
        outcome.changes.append(removal(group.name))
      }
    }
    ledger.contents = contents.map(\.content)
  }

  private mutating func writeZones(_ outcome: inout Outcome) {
    if ledger.isStale { zones.touched.formUnion(zones.states.keys) }
    for id in zones.touched.sorted() {
      let found = zones.states[id]
      guard let found, !isSkipped(found) else {
        if ledger.zones[id] != nil {
          outcome.changes.append(removal(Self.zonePrefix + id.rawValue))
        }
        ledger.zones[id] = nil
        continue
      }
      guard ledger.isStale || ledger.zones[id] != found else { continue }
      outcome.changes.append(.putEngineRow(zoneRow(id, found)))
      ledger.zones[id] = found
    }
    zones.touched = []
  }

  mutating func tellUnreadableRows(_ outcome: inout Outcome) {
    guard !ledger.unreadable.isEmpty else { return }
    outcome.events.append(
      .unreadableRows(
        ledger.unreadable, of: Self.engine, about: resident, in: settings.language))
    ledger.unreadable = []
  }

  private func row(_ name: String, _ content: JSONValue) -> EngineRow {
    EngineRow(
      engine: Self.engine, subject: resident.id.rawValue, name: name, content: content, boot: boot)
  }

  private func zoneRow(_ id: ZoneID, _ found: ZoneState) -> EngineRow {
    row(Self.zonePrefix + id.rawValue, found.json)
  }

  private func removal(_ name: String) -> StateChange {
    .removeEngineRow(engine: Self.engine, subject: resident.id.rawValue, name: name)
  }
}
