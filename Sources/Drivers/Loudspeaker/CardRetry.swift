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
}
