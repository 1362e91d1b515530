import Moments

/// Bounds a rate: so many tokens a second, so many at once.
///
/// A taker may go into debt once, so that something larger than the whole bucket still passes, and then waits.
struct TokenBucket {
  let tokensPerSecond: Double
  let capacity: Double
  private var tokens: Double
  private var filledAt: Tick

  init(tokensPerSecond: Int, capacity: Int, now: Tick) {
    self.tokensPerSecond = Double(tokensPerSecond)
    self.capacity = Double(capacity)
    tokens = Double(capacity)
    filledAt = now
  }

  /// Takes tokens if any are left; the bucket may be in debt afterwards.
  mutating func take(_ count: Double = 1, now: Tick) -> Bool {
    let elapsed = Double(max(0, now.milliseconds(since: filledAt)))
    if elapsed > 0 {
      tokens = min(capacity, tokens + elapsed / 1000 * tokensPerSecond)
      filledAt = now
    }
    guard tokens > 0 else { return false }
    tokens -= count
    return true
  }

  /// Milliseconds until tokens are left again, at least 1.
  var millisecondsUntilTokens: Int64 {
    max(1, Int64((max(0, 1 - tokens) / tokensPerSecond * 1000).rounded(.up)))
  }
}
