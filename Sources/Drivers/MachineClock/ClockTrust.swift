public import Care
public import Moments

/// Decides what vouches for the wall clock, from facts that others read.
///
/// Small boards have no clock battery and wake in 1970. The clock is trusted when NTP disciplines it, when a hardware
/// clock is there and the time is plausible, or when three 3D fixes in a row agree on a time later than the build date;
/// in that case the time comes from the fixes, because Homeward never sets the system clock.
public struct ClockTrust: Hashable, Sendable {
  /// How far consecutive fixes may disagree, in milliseconds.
  static let agreementMilliseconds: Int64 = 2_000
  /// How many fixes must agree.
  static let fixesNeeded = 3

  /// Difference of UTC and the monotonic clock as three fixes agreed on it, in milliseconds.
  public private(set) var satelliteOffsetMilliseconds: Int64?
  private var candidateOffset: Int64?
  private var agreeing = 0

  /// Nothing known yet.
  public init() {}

  /// Takes the receiver's time of a fix; only 3D fixes count.
  public mutating func consider(receiverTime: Timestamp, mode: FixMode, at tick: Tick) {
    guard mode == .threeDimensional, receiverTime >= Release.earliestPlausibleTime else {
      agreeing = 0
      return
    }
    let offset = receiverTime.milliseconds(
      since: Timestamp(milliseconds: tick.nanoseconds / 1_000_000))
    if let candidateOffset, abs(offset - candidateOffset) <= Self.agreementMilliseconds {
      agreeing += 1
    } else {
      agreeing = 1
    }
    candidateOffset = offset
    if agreeing >= Self.fixesNeeded { satelliteOffsetMilliseconds = offset }
  }

  /// Both clocks as they can be believed.
  public func moment(
    tick: Tick, system: Timestamp, isSynchronised: Bool, hasHardwareClock: Bool
  ) -> Moment {
    if isSynchronised { return Moment(tick: tick, utc: system, quality: .synchronised) }
    if hasHardwareClock, system >= Release.earliestPlausibleTime {
      return Moment(tick: tick, utc: system, quality: .hardwareClock)
    }
    if let satelliteOffsetMilliseconds {
      let utc = Timestamp(milliseconds: tick.nanoseconds / 1_000_000)
        .advanced(byMilliseconds: satelliteOffsetMilliseconds)
      return Moment(tick: tick, utc: utc, quality: .satellite)
    }
    return Moment(tick: tick, utc: system, quality: .untrusted)
  }
}
