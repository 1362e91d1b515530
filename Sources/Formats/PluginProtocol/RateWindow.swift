public import Moments

/// Bounds a rate strictly: at most so many within any second, whenever it begins.
public struct RateWindow: Hashable, Sendable {
  private let limit: Int
  private var taken: [Tick] = []
  /// Where the oldest of them stands once all places are filled.
  private var next = 0

  /// A window that lets `limit` pass within a second; at least one.
  public init(limit: Int) { self.limit = max(1, limit) }

  /// Whether one more may pass.
  public func hasRoom(at now: Tick) -> Bool {
    taken.count < limit || now.milliseconds(since: taken[next]) >= 1000
  }

  /// Lets one pass, or answers false.
  public mutating func take(at now: Tick) -> Bool {
    guard hasRoom(at: now) else { return false }
    if taken.count < limit {
      taken.append(now)
    } else {
      taken[next] = now
      next = (next + 1) % limit
    }
    return true
  }
}
