public import Care
import JSON
import Moments

/// What of the engine's state is on disk.
struct ProximityLedger: Hashable, Sendable {
  /// What must be on disk at once, as last written.
  var urgent: [TagID: [String]] = [:]
  var session: ProximitySession?
  /// Tags whose record changed in this step.
  var touched: Set<TagID> = []
  /// Tags whose record changed in earlier steps, in nothing urgent, and is to be written.
  var waiting: Set<TagID> = []
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
/// What was told, presence, outings and rooms are written at once; signal levels and the newest sign of life once a
/// minute, or along with anything urgent about the same tag. After a restart a device's silence counts from the start,
/// because the tag cannot be blamed for what nobody heard.
extension TagWatch {
  private static let checkpointSeconds: Int64 = 60
  private static let tagPrefix = "tag:"
  private static let sessionName = "session"

  /// The full state; an engine made from it goes on where this one is.
  public var rows: [EngineRow] {
    let mine = records.sorted { $0.key < $1.key }
    return [row(Self.sessionName, session.json)]
      + mine.map { row(Self.tagPrefix + $0.key.rawValue, $0.value.json) }
  }

  mutating func restore(_ rows: [EngineRow], at now: Moment) {
    let mine = rows.filter { $0.engine == Self.engine && $0.subject == resident.id.rawValue }
    for row in mine { read(row) }
    for (id, record) in records {
      for hearer in record.links.keys { records[id]?.links[hearer]?.resume() }
    }
    session.isJudged = false
    if mine.contains(where: { $0.content["boot"]?.stringContent != boot.rawValue }) {
      mapStamps { $0.rebase(to: now) }
      ledger.touched.formUnion(records.keys)
    } else if mine.contains(where: { $0.name == Self.sessionName }) {
      ledger.session = session
      for (id, record) in records { ledger.urgent[id] = record.urgent }
    }
    ledger.orphans += records.keys.filter { tags[$0] == nil }.sorted().map {
      Self.tagPrefix + $0.rawValue
    }
    for id in ledger.orphans {
      records[TagID(String(id.dropFirst(Self.tagPrefix.count)))] = nil
    }
    isClockTrusted = now.quality.isTrusted && !hasOpenStamps
  }

  private var hasOpenStamps: Bool {
    var isOpen = false
    var copy = self
    copy.mapStamps { isOpen = isOpen || $0.isEstimated || !$0.quality.isTrusted }
    return isOpen
  }

  private mutating func read(_ row: EngineRow) {
    do {
      if row.name == Self.sessionName {
        session = try ProximitySession(json: row.content)
      } else if row.name.hasPrefix(Self.tagPrefix) {
        let id = TagID(String(row.name.dropFirst(Self.tagPrefix.count)))
        records[id] = try TagRecord(json: row.content)
      } else {
        ledger.orphans.append(row.name)
      }
    } catch {
      ledger.unreadable.append(row.name)
    }
  }

  mutating func writeRows(at now: Moment, _ outcome: inout Outcome) {
    let isDue =
      now.tick.milliseconds(since: ledger.checkpoint) >= Self.checkpointSeconds * 1000
    if ledger.session != session {
      outcome.changes.append(.putEngineRow(row(Self.sessionName, session.json)))
      ledger.session = session
    }
    for name in ledger.orphans { outcome.changes.append(removal(name)) }
    ledger.orphans = []
    let open = isDue ? ledger.touched.union(ledger.waiting) : ledger.touched
    for id in open.sorted() { write(id, isDue: isDue, &outcome) }
    ledger.touched = []
    if isDue { ledger.checkpoint = now.tick }
  }

  private mutating func write(
    _ id: TagID, isDue: Bool, _ outcome: inout Outcome
  ) {
    guard let record = records[id] else {
      ledger.waiting.remove(id)
      if ledger.urgent[id] != nil { outcome.changes.append(removal(Self.tagPrefix + id.rawValue)) }
      ledger.urgent[id] = nil
      return
    }
    let urgent = record.urgent
    guard isDue || ledger.urgent[id] != urgent else {
      ledger.waiting.insert(id)
      return
    }
    ledger.waiting.remove(id)
    ledger.urgent[id] = urgent
    outcome.changes.append(.putEngineRow(row(Self.tagPrefix + id.rawValue, record.json)))
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

  private func removal(_ name: String) -> StateChange {
    .removeEngineRow(engine: Self.engine, subject: resident.id.rawValue, name: name)
  }
}
