import Care
import Moments

/// The devices that listen for one resident's tags, and since when in this run.
struct TagHearers: Hashable, Sendable {
  /// When this run began.
  let start: Tick
  private var hearers: [SourceID: TagHearer] = [:]
  /// Since when each device listens in this run.
  private var listening: [SourceID: Stamp] = [:]

  /// Of too many devices the first by id count.
  init(_ list: [TagHearer], at now: Moment) {
    start = now.tick
    hearers = Self.bounded(list)
  }

  var count: Int { hearers.count }

  /// The devices, by id.
  var all: [TagHearer] { hearers.values.sorted { $0.id < $1.id } }

  subscript(_ id: SourceID) -> TagHearer? { hearers[id] }

  /// Whether one of them moves with the resident.
  var hasCarried: Bool { hearers.values.contains { $0.place == .withResident } }

  func isKnown(_ id: SourceID) -> Bool { hearers[id] != nil }

  func isCarried(_ id: SourceID) -> Bool { hearers[id]?.place == .withResident }

  func isFixed(_ id: SourceID) -> Bool { !isCarried(id) && hearers[id] != nil }

  /// Since when a device listens; nil while it does not.
  func listens(_ id: SourceID) -> Stamp? { listening[id] }

  /// Other devices listen from now on; those that stay go on listening.
  mutating func replace(_ list: [TagHearer]) {
    hearers = Self.bounded(list)
    listening = listening.filter { hearers[$0.key] != nil }
  }

  mutating func begin(_ id: SourceID, at now: Moment) { listening[id] = Stamp(now) }

  mutating func end(_ id: SourceID) { listening[id] = nil }

  mutating func mapStamps(_ change: (inout Stamp) -> Void) {
    for id in listening.keys { listening[id]?.map(change) }
  }

  private static func bounded(_ list: [TagHearer]) -> [SourceID: TagHearer] {
    var found: [SourceID: TagHearer] = [:]
    for hearer in list.sorted(by: { $0.id < $1.id })
    where found[hearer.id] != nil || found.count < TagWatch.hearerLimit {
      found[hearer.id] = hearer
    }
    return found
  }
}
