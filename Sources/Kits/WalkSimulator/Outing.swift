public import Care
import Glibc

/// A walk from home and back, as a GPS receiver sees it: made up, noisy, and the same for the same seed.
///
/// The person stays at home, walks out along a path with one bend, waits at its end, comes back the same way and stays.
/// Each second is computed from the seed alone, so any second can be asked for, in any order, again and again.
public struct Outing: Hashable, Sendable {
  /// How the walk goes.
  public struct Plan: Hashable, Sendable {
    /// Seconds at home before the walk.
    public var secondsAtHome: Int
    /// Metres of path from home to where the person turns round.
    public var pathMeters: Double
    /// Walking speed.
    public var speedMetersPerSecond: Double
    /// Seconds spent at the far end.
    public var secondsAway: Int
    /// Standard deviation of the receiver's error in each direction, in metres.
    public var noiseMeters: Double

    /// A plan; by default one that leaves a zone of 25 m with 50 m of margin in about 75 s and is back in three minutes.
    public init(
      secondsAtHome: Int = 15, pathMeters: Double = 120, speedMetersPerSecond: Double = 1.5,
      secondsAway: Int = 8, noiseMeters: Double = 2
    ) {
      self.secondsAtHome = max(0, secondsAtHome)
      self.pathMeters = max(0, pathMeters)
      self.speedMetersPerSecond = max(0.1, speedMetersPerSecond)
      self.secondsAway = max(0, secondsAway)
      self.noiseMeters = max(0, noiseMeters)
    }
  }

  /// A point of the South Pacific farther from any coast than all others: nobody's home.
  public static let nowhere: Coordinate? = Coordinate(
    latitudeDegrees: -48.8767, longitudeDegrees: -123.3933)

  /// What the noise is made from.
  public let seed: UInt64
  /// Where the walk begins and ends.
  public let home: Coordinate
  /// How the walk goes.
  public let plan: Plan
  /// What goes wrong with the receiver, and when.
  public var faults: [Fault]

  /// A walk from its plan; without faults the receiver only is imprecise.
  public init(seed: UInt64, home: Coordinate, plan: Plan = Plan(), faults: [Fault] = []) {
    self.seed = seed
    self.home = home
    self.plan = plan
    self.faults = faults
  }

  /// Seconds from the start until the person is home again, rounded up.
  public var secondsUntilReturn: Int {
    plan.secondsAtHome + plan.secondsAway + Int((2 * secondsOneWay).rounded(.up))
  }

  /// Where the person really is; before the start and after the return, at home.
  public func truePosition(atSecond second: Int) -> Coordinate {
    let walked = pathMeters(atSecond: second)
    let bend = plan.pathMeters / 2
    let first = home.moved(meters: min(walked, bend), bearingDegrees: Self.firstBearingDegrees)
    guard walked > bend else { return first }
    return first.moved(meters: walked - bend, bearingDegrees: Self.secondBearingDegrees)
  }

  /// Where the receiver believes the person to be, faults included; a position also while it has no fix.
  public func position(atSecond second: Int) -> Coordinate {
    let noise = Noise(seed: seed)
    let moved = truePosition(atSecond: second)
      .moved(meters: noise.east(atSecond: second) * plan.noiseMeters, bearingDegrees: 90)
      .moved(meters: noise.north(atSecond: second) * plan.noiseMeters, bearingDegrees: 0)
    return faults.reduce(moved) { $1.displaced($0, atSecond: second) }
  }

  /// Speed over ground; 0 while the person stays.
  public func speedMetersPerSecond(atSecond second: Int) -> Double {
    let walked = pathMeters(atSecond: second + 1) - pathMeters(atSecond: second)
    return abs(walked)
  }

  /// Course over ground in degrees clockwise from true north; that of the last step while the person stays.
  public func courseDegrees(atSecond second: Int) -> Double {
    let isFirstLeg = pathMeters(atSecond: second) < plan.pathMeters / 2
    let outward = isFirstLeg ? Self.firstBearingDegrees : Self.secondBearingDegrees
    let turnsBack = Double(second) >= departure + secondsOneWay + Double(plan.secondsAway)
    return turnsBack ? (outward + 180).truncatingRemainder(dividingBy: 360) : outward
  }

  private static let firstBearingDegrees = 60.0
  private static let secondBearingDegrees = 25.0

  private var departure: Double { Double(plan.secondsAtHome) }
  private var secondsOneWay: Double { plan.pathMeters / plan.speedMetersPerSecond }

  /// Metres along the path from home.
  private func pathMeters(atSecond second: Int) -> Double {
    let walking = Double(second) - departure
    let away = secondsOneWay + Double(plan.secondsAway)
    let meters =
      walking <= away
      ? walking * plan.speedMetersPerSecond
      : plan.pathMeters - (walking - away) * plan.speedMetersPerSecond
    return min(max(0, meters), plan.pathMeters)
  }
}
