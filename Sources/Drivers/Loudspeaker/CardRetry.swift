import Moments

/// When to look for a missing card again: every two seconds at first, in the end once a minute.
struct CardRetry {
  private static let pausesMilliseconds: [Int64] = [
    2_000, 2_000, 2_000, 5_000, 10_000, 30_000, 60_000,
  ]
  private var attempts = 0
  private(set) var next: Tick?

  mutating func failed(at now: Tick) {
    let pause = Self.pausesMilliseconds[min(attempts, Self.pausesMilliseconds.count - 1)]
    attempts += 1
    next = now.advanced(byMilliseconds: pause)
  }

  mutating func succeeded() { self = CardRetry() }

  func isDue(at now: Tick) -> Bool { next.map { $0 <= now } ?? true }

  /// How long to wait now, in milliseconds: until the next look and no shorter, for half a wait is a wake-up more; at most
  /// a second while sounds wait, which get too old.
  func pause(at now: Tick, whileSoundsWait: Bool) -> Int64 {
    let untilNext = next.map { $0.milliseconds(since: now) + 1 } ?? 1_000
    return max(1, whileSoundsWait ? min(untilNext, 1_000) : untilNext)
  }
}
