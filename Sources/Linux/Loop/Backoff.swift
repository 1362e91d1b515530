/// How long to wait before the next attempt: twice as long each time, up to a longest pause.
public struct Backoff: Hashable, Sendable {
  /// The pause after the first failure, in milliseconds.
  public let firstMilliseconds: Int64
  /// The longest pause in milliseconds.
  public let longestMilliseconds: Int64
  /// Pauses since it last worked.
  public private(set) var count = 0

  /// Pauses of these lengths.
  public init(firstMilliseconds: Int64, longestMilliseconds: Int64) {
    self.firstMilliseconds = firstMilliseconds
    self.longestMilliseconds = longestMilliseconds
  }

  /// Milliseconds to wait now.
  public mutating func next() -> Int64 {
    // No further than a number goes.
    let doublings = min(count, firstMilliseconds.leadingZeroBitCount - 1)
    count += 1
    return min(firstMilliseconds << doublings, longestMilliseconds)
  }

  /// Milliseconds to wait now; half of it is chance, so that many who lost the same do not come back in step.
  public mutating func next(using generator: inout some RandomNumberGenerator) -> Int64 {
    let whole = next()
    return Int64.random(in: whole / 2...whole, using: &generator)
  }

  /// It works: the next pause is the first again.
  public mutating func reset() { count = 0 }
}
