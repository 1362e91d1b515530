/// How long to wait before the next attempt: twice as long each time, with jitter.
///
/// Half of each pause is chance, so that many gateways behind one gpsd do not come back in step.
struct Backoff {
  private static let firstMilliseconds: Int64 = 500
  private static let longestMilliseconds: Int64 = 30_000
  private var ceiling = Self.firstMilliseconds

  /// Milliseconds to wait now, within half of the present ceiling and the ceiling itself.
  mutating func nextMilliseconds(using generator: inout some RandomNumberGenerator) -> Int64 {
    let present = ceiling
    ceiling = min(present * 2, Self.longestMilliseconds)
    return Int64.random(in: present / 2...present, using: &generator)
  }

  /// It works again: the next pause is short.
  mutating func reset() { ceiling = Self.firstMilliseconds }
}
