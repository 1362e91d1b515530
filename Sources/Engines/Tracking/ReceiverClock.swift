import Moments

/// What a receiver's time is worth beside a trusted system clock.
///
/// A GPS week counter of 10 bits starts again every 1,024 weeks; a receiver that lost count is wrong by whole multiples.
enum ReceiverClock {
  /// A judgement of the receiver's clock.
  enum Verdict: Hashable, Sendable {
    /// There is no time, or no trusted clock to compare it with.
    case unjudged
    /// Right within the tolerance.
    case right
    /// Wrong by so many periods of 1,024 weeks, a day at most beside them.
    case rolledOver(periods: Int64)
    /// Wrong in another way, by so many seconds; positive when ahead.
    case wrong(seconds: Int64)
  }

  private static let rolloverMilliseconds: Int64 = 1024 * 7 * 86_400_000
  private static let dayMilliseconds: Int64 = 86_400_000

  static func judge(
    _ time: Timestamp?, _ now: Moment, _ settings: TrackingSettings
  ) -> Verdict {
    guard let time, now.quality.isTrusted else { return .unjudged }
    let ahead = time.milliseconds(since: now.utc)
    if ahead.magnitude <= UInt64(settings.clockToleranceSeconds) * 1000 { return .right }
    let half = rolloverMilliseconds / 2
    let shifted = ahead.addingReportingOverflow(ahead < 0 ? -half : half)
    let periods = shifted.overflow ? 0 : shifted.partialValue / rolloverMilliseconds
    let beside = ahead &- periods &* rolloverMilliseconds
    if periods != 0, beside.magnitude <= UInt64(dayMilliseconds) {
      return .rolledOver(periods: periods)
    }
    return .wrong(seconds: ahead / 1000)
  }

  /// Whether the receiver's time may be used as the time of its fix.
  static func agrees(_ time: Timestamp?, _ now: Moment, _ settings: TrackingSettings) -> Bool {
    judge(time, now, settings) == .right
  }
}
