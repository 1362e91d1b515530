/// The waits between attempts to render what lacks: 1, 2, 4 … 300 s.
struct RenderBackOff: Hashable, Sendable {
  /// The longest wait in milliseconds.
  static let maximumMilliseconds: Int64 = 300_000

  /// The first wait in milliseconds.
  var firstMilliseconds: Int64 = 1000
  private var attempts: Int64 = 0

  /// The wait before the next attempt, in milliseconds.
  mutating func next() -> Int64 {
    let wait = min(Self.maximumMilliseconds, firstMilliseconds << min(attempts, 10))
    attempts += 1
    return wait
  }

  /// The next wait is the shortest again.
  mutating func reset() { attempts = 0 }
}
