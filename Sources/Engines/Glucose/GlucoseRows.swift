import Bytes
import Care
import JSON

/// What the engine has on disk of each resident beside their readings, and what of it a change writes anew.
struct GlucoseRows: Sendable {
  /// What is on disk.
  private(set) var written: [ResidentID: GlucoseState] = [:]
  /// Rows that cannot be read: of another name, or of a version that wrote them otherwise.
  private var stale: [EngineRow] = []

  /// Reads those of the stored rows that are the engine's.
  init(_ rows: [EngineRow]) {
    for row in rows where row.engine == GlucoseState.engine {
      guard row.name == GlucoseState.rowName, let state = try? GlucoseState(json: row.content)
      else {
        stale.append(row)
        continue
      }
      written[ResidentID(row.subject)] = state
    }
  }

  /// Whether there are rows that wait to be taken off the disk.
  var hasStale: Bool { !stale.isEmpty }

  /// The rows as they are stored.
  var all: [EngineRow] { written.keys.sorted().compactMap { written[$0]?.row(of: $0) } + stale }

  /// What has to be written so that these states are on disk.
  mutating func changes(to states: [ResidentID: GlucoseState]) -> [StateChange] {
    var changes: [StateChange] = []
    for resident in Set(states.keys).union(written.keys).sorted() {
      let state = states[resident].flatMap { $0.isEmpty ? nil : $0 }
      guard state != written[resident] else { continue }
      written[resident] = state
      changes.append(
        state.map { .putEngineRow($0.row(of: resident)) }
          ?? .removeEngineRow(
            engine: GlucoseState.engine, subject: resident.rawValue, name: GlucoseState.rowName))
    }
    return changes
  }

  /// Takes off the disk what cannot be read.
  mutating func dropStale() -> [StateChange] {
    defer { stale = [] }
    return stale.map(\.removal)
  }

  /// Forgets a resident; the rows go with the rest of what is stored about them.
  mutating func erase(_ resident: ResidentID) {
    written[resident] = nil
    stale.removeAll { $0.subject == resident.rawValue }
  }
}
