import Care
import JSON
import Moments

/// The state of one resident's tracking as rows, and what of it is on disk and is written when.
///
/// Urgent is what a restart must not lose: presence in zones and the fixes that count towards an exit, what was told and
/// asked, records, faults. The newest fix, the receiver's last sign of life, movement and counters change with every fix
/// and are written along with anything urgent, else once a minute. After a crash the newest of them is thus at most a
/// minute old: silence and unknown positions are told up to a minute early, never late, and the first fix corrects it.
struct RowLedger: Hashable, Sendable {
  static let engine = "tracking"
  private static let checkpointSeconds: Int64 = 60
  private static let zonePrefix = "zone:"

  private let resident: ResidentID
  private let boot: BootID
  /// The groups as last written, by their order; nil when no row is stored.
  private var contents: [JSONValue?] = []
  /// The groups as last written, to tell what is urgent.
  private var state: TrackingState?
  /// Zone states as last written.
  private var zones: [ZoneID: ZoneState] = [:]
  /// Whether everything must be written, because nothing is on disk or ticks of another boot are.
  private var isStale = true
  /// Rows on disk that mean nothing any more.
  private var orphans: [String] = []
  /// Rows that could not be read.
  private var unreadable: [String] = []
  /// When rows that are not urgent were last written.
  private var checkpoint: Tick

  /// - Parameter boot: the running boot; ticks in rows of another boot are not compared with its ticks.
  init(of resident: ResidentID, boot: BootID, at now: Moment) {
    self.resident = resident
    self.boot = boot
    checkpoint = now.tick
  }

  /// The full state; a tracker made from it behaves identically.
  func rows(of state: TrackingState, _ zones: ZoneTracker) -> [EngineRow] {
    let groups = state.contents.compactMap { name, content in
      content.map { row(name, $0) }
    }
    return groups + zones.states.sorted { $0.key < $1.key }.map { zoneRow($0.key, $0.value) }
  }

  // MARK: Reading

  /// Reads what rows hold into a state.
  ///
  /// - Returns: the states of zones, and whether a zone without one is known as outside.
  mutating func read(
    _ rows: [EngineRow], into state: inout TrackingState, at now: Moment
  ) -> (zones: [ZoneID: ZoneState], isKnown: Bool) {
    let mine = rows.filter {
      $0.engine == Self.engine && $0.subject == resident.rawValue
    }
    var found: [ZoneID: ZoneState] = [:]
    for row in mine { read(row, into: &state, &found) }
    let isKnown = mine.contains { $0.name == "session" } && state.session.areZonesSettled
    if mine.contains(where: { $0.content["boot"]?.stringContent != boot.rawValue }) {
      state.mapStamps { $0.rebase(to: now) }
      for id in found.keys { found[id]?.mapStamps { $0.rebase(to: now) } }
    } else if !mine.isEmpty {
      noteAsWritten(state, found)
    }
    return (found, isKnown)
  }

  private mutating func read(
    _ row: EngineRow, into state: inout TrackingState, _ found: inout [ZoneID: ZoneState]
  ) {
    do {
      if row.name.hasPrefix(Self.zonePrefix) {
        let id = ZoneID(String(row.name.dropFirst(Self.zonePrefix.count)))
        found[id] = try ZoneState(json: row.content)
      } else if try !state.take(row.name, row.content) {
        orphans.append(row.name)
      }
    } catch {
      unreadable.append(row.name)
    }
  }

  private mutating func noteAsWritten(_ state: TrackingState, _ found: [ZoneID: ZoneState]) {
    self.state = state
    contents = state.contents.map(\.content)
    zones = found
    isStale = !unreadable.isEmpty
  }

  /// Has the rows of zones removed that are none of the resident's any more.
  mutating func orphan(_ zones: [ZoneID]) {
    orphans += zones.map { Self.zonePrefix + $0.rawValue }
  }

  /// The names of rows that could not be read, to be told once.
  mutating func takeUnreadable() -> [String] {
    defer { unreadable = [] }
    return unreadable
  }

  // MARK: Writing

  /// What is to be written of a state now; nil while nothing is urgent, and the zones stay touched.
  mutating func changes(
    to state: TrackingState, _ zones: ZoneTracker, at now: Moment
  ) -> [StateChange]? {
    let isDue =
      now.tick.milliseconds(since: checkpoint) >= Self.checkpointSeconds * 1000
    guard isDue || isUrgent(state, zones) else { return nil }
    checkpoint = now.tick
    var changes = groupChanges(to: state)
    changes += zoneChanges(to: zones, isSettled: state.session.areZonesSettled)
    changes += orphans.map(removal)
    orphans = []
    isStale = false
    self.state = state
    return changes
  }

  private func isUrgent(_ state: TrackingState, _ zones: ZoneTracker) -> Bool {
    guard !isStale, let saved = self.state, orphans.isEmpty else { return true }
    return state.session != saved.session || state.record != saved.record
      || state.filter.held != saved.filter.held || state.filter.newLine != saved.filter.newLine
      || state.motion.place != saved.motion.place
      || state.receiver.faults != saved.receiver.faults
      || (state.receiver.noFixSince == nil) != (saved.receiver.noFixSince == nil)
      || state.homeTags.tags.map(\.urgent) != saved.homeTags.tags.map(\.urgent)
      || zones.touched.contains { id in
        isUrgent(zones.states[id], of: id, isSettled: state.session.areZonesSettled)
      }
  }

  private func isUrgent(_ found: ZoneState?, of id: ZoneID, isSettled: Bool) -> Bool {
    guard let found else { return zones[id] != nil }
    return !Self.isSkipped(found, isSettled) && found.needsWriting(after: zones[id])
  }

  /// Until every zone has been looked at once, a missing row already says that a zone has not.
  private static func isSkipped(_ found: ZoneState, _ areZonesSettled: Bool) -> Bool {
    found.isBlank && !areZonesSettled
  }

  private mutating func groupChanges(to state: TrackingState) -> [StateChange] {
    var changes: [StateChange] = []
    let new = state.contents
    for (index, group) in new.enumerated() {
      let saved = index < contents.count ? contents[index] : nil
      guard isStale || group.content != saved else { continue }
      if let content = group.content {
        changes.append(.putEngineRow(row(group.name, content)))
      } else if saved != nil {
        changes.append(removal(group.name))
      }
    }
    contents = new.map(\.content)
    return changes
  }

  private mutating func zoneChanges(to new: ZoneTracker, isSettled: Bool) -> [StateChange] {
    var changes: [StateChange] = []
    let touched = isStale ? new.touched.union(new.states.keys) : new.touched
    for id in touched.sorted() {
      guard let found = new.states[id], !Self.isSkipped(found, isSettled) else {
        if zones[id] != nil { changes.append(removal(Self.zonePrefix + id.rawValue)) }
        zones[id] = nil
        continue
      }
      guard isStale || zones[id] != found else { continue }
      changes.append(.putEngineRow(zoneRow(id, found)))
      zones[id] = found
    }
    return changes
  }

  private func row(_ name: String, _ content: JSONValue) -> EngineRow {
    EngineRow(
      engine: Self.engine, subject: resident.rawValue, name: name, content: content, boot: boot)
  }

  private func zoneRow(_ id: ZoneID, _ found: ZoneState) -> EngineRow {
    row(Self.zonePrefix + id.rawValue, found.json)
  }

  private func removal(_ name: String) -> StateChange {
    .removeEngineRow(engine: Self.engine, subject: resident.rawValue, name: name)
  }
}
