import Care
import Moments

/// Everything that sounds or waits, and which of it goes first.
///
/// The highest priority sounds; among equals the first come. An endless sound lets others of its own priority in between
/// two repetitions, so that one alarm never hides another. A sound of which only one repetition is left to play, kept
/// waiting by higher ones for 30 s, is no longer fresh and ends. At most 32 are kept; of more, the least urgent fails.
struct SoundQueue {
  struct Entry {
    var request: SoundRequest
    var playback: SoundPlayback?
    /// Its turn among equals.
    var turn: UInt64
    var blockedSince: Tick?
    var hasStarted = false
    var hasReportedFailure = false
    /// When a file began to be waited for.
    var waitsSince: Tick?

    var repeats: Bool { request.repetitions.map { $0 > 1 } ?? true }
  }

  static let limit = 32
  static let freshMilliseconds: Int64 = 30_000

  private(set) var entries: [Entry] = []
  private var nextTurn: UInt64 = 0

  var isEmpty: Bool { entries.isEmpty }

  subscript(id: SoundID) -> Entry? {
    get { entries.first { $0.request.id == id } }
    set {
      guard let index = entries.firstIndex(where: { $0.request.id == id }) else { return }
      if let newValue { entries[index] = newValue } else { entries.remove(at: index) }
    }
  }

  /// Takes a sound in; answers what became of those that make room.
  mutating func put(_ request: SoundRequest) -> [SoundReport] {
    var reports: [SoundReport] = []
    if self[request.id] != nil {
      self[request.id] = nil
      reports.append(SoundReport(sound: request.id, outcome: .stopped))
    }
    guard request.repetitions.map({ $0 > 0 }) ?? true, !request.parts.isEmpty else {
      return reports + [SoundReport(sound: request.id, outcome: .failed)]
    }
    entries.append(Entry(request: request, turn: takeTurn()))
    if entries.count > Self.limit, let last = entries.max(by: Self.goesBefore) {
      self[last.request.id] = nil
      reports.append(SoundReport(sound: last.request.id, outcome: .failed))
    }
    return reports
  }

  /// What sounds now; sounds that waited too long behind more urgent ones leave and are reported.
  mutating func choose(at now: Tick) -> (id: SoundID?, reports: [SoundReport]) {
    guard let first = entries.min(by: Self.goesBefore) else { return (nil, []) }
    for index in entries.indices {
      let isBlocked = entries[index].request.priority < first.request.priority
      let since = entries[index].blockedSince ?? now
      entries[index].blockedSince = isBlocked ? since : nil
    }
    return (first.request.id, dropStale(at: now, as: .stopped))
  }

  /// There is no card: everything waits. Sounds that cannot be expected to matter later fail.
  mutating func block(at now: Tick) -> [SoundReport] {
    for index in entries.indices where entries[index].blockedSince == nil {
      entries[index].blockedSince = now
    }
    return dropStale(at: now, as: .failed)
  }

  /// Lets the others of the same priority go first from now on; false when there are none.
  mutating func yieldTurn(_ id: SoundID) -> Bool {
    guard let entry = self[id] else { return false }
    let hasEquals = entries.contains {
      $0.request.priority == entry.request.priority && $0.request.id != id
    }
    if hasEquals {
      let turn = takeTurn()
      self[id]?.turn = turn
    }
    return hasEquals
  }

  private mutating func dropStale(at now: Tick, as outcome: SoundReport.Outcome) -> [SoundReport] {
    let stale = entries.filter { entry in
      guard !entry.repeats, let since = entry.blockedSince else { return false }
      return now.milliseconds(since: since) >= Self.freshMilliseconds
    }
    for entry in stale { self[entry.request.id] = nil }
    return stale.map { SoundReport(sound: $0.request.id, outcome: outcome) }
  }

  private mutating func takeTurn() -> UInt64 {
    nextTurn += 1
    return nextTurn
  }

  private static func goesBefore(_ left: Entry, _ right: Entry) -> Bool {
    (right.request.priority, left.turn) < (left.request.priority, right.turn)
  }
}
