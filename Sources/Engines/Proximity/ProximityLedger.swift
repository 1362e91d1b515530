import Care
import JSON
import Moments

/// The state of one resident's tags as rows, and what of it is on disk and is written when.
///
/// What was told, presence, outings and rooms are written at once; signal levels and the newest sign of life once a
/// minute, or along with anything urgent about the same tag. After a restart a device's silence counts from the start,
/// because the tag cannot be blamed for what nobody heard.
struct ProximityLedger: Hashable, Sendable {
  /// What rows hold.
  struct Found {
    var records: [TagID: TagRecord] = [:]
    var session = ProximitySession()
    /// Whether ticks in it are those of another boot.
    var isOfOtherBoot = false
    /// Whether there is a row of the session at all.
    var hasSession = false
  }

  static let engine = "proximity"
  private static let checkpointSeconds: Int64 = 60
  private static let tagPrefix = "tag:"
  private static let sessionName = "session"

  private let resident: ResidentID
  private let boot: BootID
  /// What must be on disk at once, as last written.
  private var urgent: [TagID: [String]] = [:]
  private var session: ProximitySession?
  /// Tags whose record changed in this step.
  private var touched: Set<TagID> = []
  /// Tags whose record changed in earlier steps, in nothing urgent, and is to be written.
  private var waiting: Set<TagID> = []
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

  /// The full state; an engine made from it goes on where this one is.
  func rows(of records: [TagID: TagRecord], _ session: ProximitySession) -> [EngineRow] {
    let mine = records.sorted { $0.key < $1.key }
    return [row(Self.sessionName, session.json)]
      + mine.map { row(Self.tagPrefix + $0.key.rawValue, $0.value.json) }
  }

  // MARK: Reading

  mutating func read(_ rows: [EngineRow]) -> Found {
    let mine = rows.filter { $0.engine == Self.engine && $0.subject == resident.rawValue }
    var found = Found()
    for row in mine { read(row, into: &found) }
    found.isOfOtherBoot = mine.contains {
      $0.content["boot"]?.stringContent != boot.rawValue
    }
    found.hasSession = mine.contains { $0.name == Self.sessionName }
    return found
  }

  private mutating func read(_ row: EngineRow, into found: inout Found) {
    do {
      if row.name == Self.sessionName {
        found.session = try ProximitySession(json: row.content)
      } else if row.name.hasPrefix(Self.tagPrefix) {
        let id = TagID(String(row.name.dropFirst(Self.tagPrefix.count)))
        found.records[id] = try TagRecord(json: row.content)
      } else {
        orphans.append(row.name)
      }
    } catch {
      unreadable.append(row.name)
    }
  }

  /// What was read is on disk as it is.
  mutating func noteAsWritten(_ records: [TagID: TagRecord], _ session: ProximitySession) {
    self.session = session
    for (id, record) in records { urgent[id] = record.urgent }
  }

  /// Has the rows of tags removed that are none of the resident's any more.
  ///
  /// - Returns: the tags whose rows mean nothing.
  mutating func orphan(_ tags: [TagID]) -> [TagID] {
    orphans += tags.map { Self.tagPrefix + $0.rawValue }
    return orphans.map { TagID(String($0.dropFirst(Self.tagPrefix.count))) }
  }

  /// The names of rows that could not be read, to be told once.
  mutating func takeUnreadable() -> [String] {
    defer { unreadable = [] }
    return unreadable
  }

  // MARK: Writing

  /// The record of a tag changed.
  mutating func touch(_ tag: TagID) { touched.insert(tag) }

  /// What is to be written at the end of a step.
  mutating func changes(
    to records: [TagID: TagRecord], _ session: ProximitySession, at now: Moment
  ) -> [StateChange] {
    var changes: [StateChange] = []
    let isDue =
      now.tick.milliseconds(since: checkpoint) >= Self.checkpointSeconds * 1000
    if self.session != session {
      changes.append(.putEngineRow(row(Self.sessionName, session.json)))
      self.session = session
    }
    changes += orphans.map(removal)
    orphans = []
    let open = isDue ? touched.union(waiting) : touched
    for id in open.sorted() {
      if let change = change(of: id, to: records[id], isDue: isDue) { changes.append(change) }
    }
    touched = []
    if isDue { checkpoint = now.tick }
    return changes
  }

  private mutating func change(
    of id: TagID, to record: TagRecord?, isDue: Bool
  ) -> StateChange? {
    guard let record else {
      waiting.remove(id)
      let isOnDisk = urgent[id] != nil
      urgent[id] = nil
      return isOnDisk ? removal(Self.tagPrefix + id.rawValue) : nil
    }
    let new = record.urgent
    guard isDue || urgent[id] != new else {
      waiting.insert(id)
      return nil
    }
    waiting.remove(id)
    urgent[id] = new
    return .putEngineRow(row(Self.tagPrefix + id.rawValue, record.json))
  }

  private func row(_ name: String, _ content: JSONValue) -> EngineRow {
    EngineRow(
      engine: Self.engine, subject: resident.rawValue, name: name, content: content, boot: boot)
  }

  private func removal(_ name: String) -> StateChange {
    .removeEngineRow(engine: Self.engine, subject: resident.rawValue, name: name)
  }
}
