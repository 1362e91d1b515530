import Care
import Moments

/// What is on disk of journeys, and what of it a change writes anew.
struct JourneyRows: Sendable {
  /// What is on disk.
  private var written: [ResidentID: EngineRow] = [:]
  /// Rows of engine `guidance` that this version cannot make sense of.
  private(set) var unreadable: [EngineRow] = []

  /// Nothing is on disk.
  init() {}

  /// Reads a stored row of engine `guidance`; nil where it cannot be read.
  mutating func restore(_ row: EngineRow, at now: Moment) -> (ResidentID, Journey)? {
    guard row.name == Journey.rowName, let journey = try? Journey(row: row, at: now) else {
      unreadable.append(row)
      return nil
    }
    let id = ResidentID(row.subject)
    written[id] = row
    return (id, journey)
  }

  /// Whether a journey of a resident is on disk.
  func isWritten(_ id: ResidentID) -> Bool { written[id] != nil }

  /// What has to be written so that these journeys are on disk.
  mutating func changes(to journeys: [ResidentID: Journey]) -> [StateChange] {
    if written.isEmpty, journeys.isEmpty { return [] }
    var changes: [StateChange] = []
    for (id, row) in written.sorted(by: { $0.key < $1.key }) where journeys[id] == nil {
      changes.append(row.removal)
      written[id] = nil
    }
    for id in journeys.keys.sorted() {
      // A question that nobody answered is forgotten by the store.
      guard let journey = journeys[id], journey.stage != .asked else { continue }
      let row = journey.row(of: id)
      guard written[id] != row else { continue }
      written[id] = row
      changes.append(.putEngineRow(row))
    }
    return changes
  }

  /// Gives up journeys that cannot be read; a place that somebody kept stays until a version that can read it.
  mutating func giveUpUnreadable() -> [StateChange] {
    let over = unreadable.filter { $0.name == Journey.rowName }
    unreadable.removeAll { $0.name == Journey.rowName }
    return over.map(\.removal)
  }

  /// Forgets a resident; the rows go with the rest of what is stored about them.
  mutating func erase(_ id: ResidentID) {
    written[id] = nil
    unreadable.removeAll { $0.subject == id.rawValue }
  }
}
