public import Moments

/// When a reader rests to whom much is told, so that more is read at once: fewer wake-ups for the same words.
///
/// What comes seldom is read when it comes. Where the next round follows sooner than a rest is long, and as long as a rest
/// brings more than one message, the reader rests after each round.
public struct ReadingRest: Hashable, Sendable {
  /// How long it rests, in milliseconds; 0 for never.
  public let milliseconds: Int64
  private var last: Tick?

  /// A reader that rests so long.
  public init(milliseconds: Int64) { self.milliseconds = milliseconds }

  /// Whether to rest after a round.
  ///
  /// - Parameters:
  ///   - messages: how many were read in it.
  ///   - now: when it was.
  ///   - followsRest: whether it came at the end of a rest.
  public mutating func isDue(after messages: Int, at now: Tick, followsRest: Bool) -> Bool {
    defer { last = now }
    guard milliseconds > 0, messages > 0 else { return false }
    if followsRest { return messages > 1 }
    return last.map { now.milliseconds(since: $0) < milliseconds } ?? false
  }
}
