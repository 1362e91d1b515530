import Care
import Moments

/// The searches for a way: which question is open, when one may be asked again, and for how long an old way is kept.
struct WaySearch: Hashable, Sendable {
  /// The shortest time between two searches for another way.
  private static let searchMilliseconds: Int64 = 20_000
  /// A search that failed is tried again after so long.
  private static let retryMilliseconds: Int64 = 60_000
  /// So many searches in a row may find nothing to walk before somebody is asked to come.
  private static let mostLostWays = 2

  /// Which question for a way is open; nil for none.
  private(set) var query: String?
  /// When the last way was asked for.
  private var sought: Tick?
  /// Whether the next way is another than the one shown, and begins with words for that.
  private(set) var isForAnother = false
  /// How many searches for another way in a row found none that can be walked.
  private var lostWays = 0

  /// Nothing is searched for.
  init() {}

  /// Whether another way may be searched for already.
  func maySeekAnother(at now: Tick) -> Bool {
    sought.map { now.milliseconds(since: $0) >= Self.searchMilliseconds } ?? true
  }

  /// Whether a search that failed may be tried again.
  func mayRetry(at now: Tick) -> Bool {
    now.milliseconds(since: sought ?? now) >= Self.retryMilliseconds
  }

  /// The next search is for another way than the one shown.
  mutating func turnToAnother() { isForAnother = true }

  /// The words for another way were said, or there is no way to say them of.
  mutating func settle() { isForAnother = false }

  /// Asks for a way.
  mutating func ask(
    for id: ResidentID, from place: Coordinate, to destination: Coordinate, at now: Tick
  ) -> Action {
    let query = "\(id)-\(now.nanoseconds)"
    self.query = query
    sought = now
    return .askMap(MapQuery(id: query, resident: id, .way(from: place, to: destination)))
  }

  /// Takes an answer; false where it is none to the question that is open.
  mutating func close(_ answered: String) -> Bool {
    guard query == answered else { return false }
    query = nil
    return true
  }

  /// A way was found that can be walked.
  mutating func find() { lostWays = 0 }

  /// Where no other way leads, or only one that is much too long, somebody may be on the other side of a river, or on a roof,
  /// where a receiver put them for a moment: whoever has a way keeps it until the next search.
  mutating func keepOldWay() -> Bool {
    guard isForAnother, lostWays < Self.mostLostWays else { return false }
    lostWays += 1
    isForAnother = false
    return true
  }
}
