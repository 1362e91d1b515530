/// The waits between attempts to connect: 1, 2, 4 … 30 s, each shortened at random by up to half.
///
/// The chance keeps the gateways of a neighbourhood from knocking together when a broker returns.
struct BackOff: Hashable, Sendable {
  /// The longest wait in milliseconds.
  static let maximumMilliseconds: Int64 = 30_000

  private var attempts = 0

  /// The wait before the next attempt, in milliseconds.
  mutating func next(using random: inout some RandomNumberGenerator) -> Int64 {
    let whole = min(Self.maximumMilliseconds, 1000 << Int64(min(attempts, 10)))
    attempts += 1
    return Int64.random(in: whole / 2...whole, using: &random)
  }

  /// The next wait is the shortest again.
  mutating func reset() { attempts = 0 }
}
