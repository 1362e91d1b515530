import Care
import Glibc
import Moments

/// A zone's circle in degrees, to tell with two comparisons that a fix is far away.
///
/// A degree of latitude has at least 110,574 m, one of longitude at least 111,319 m times the cosine of the latitude;
/// slightly smaller figures and a cosine taken 0.2° nearer to the pole keep the test on the safe side.
struct Fence: Hashable, Sendable {
  /// Whether the zone has a state and must be looked at in any case.
  var hasState: Bool
  private let latitudeDegrees: Double
  private let longitudeDegrees: Double
  private let radiusMeters: Double
  private let metersPerDegreeEast: Double

  /// Steps longer than this, in metres, concern every zone.
  private static let longestStepMeters = 20_000.0
  private static let metersPerDegree = 110_500.0

  init(_ zone: SafeZone, hasState: Bool) {
    self.hasState = hasState
    latitudeDegrees = zone.center.latitudeDegrees
    longitudeDegrees = zone.center.longitudeDegrees
    radiusMeters = zone.radiusMeters
    let poleward = abs(latitudeDegrees) + radiusMeters / Self.metersPerDegree + 0.2
    metersPerDegreeEast = Self.metersPerDegree * max(0, cos(min(90, poleward) * .pi / 180))
  }

  /// Whether the step's fix may be within the zone, within its doubt of it, or have crossed it.
  func mayConcern(_ step: ZoneStep) -> Bool {
    let reach = radiusMeters + step.reachMeters
    let position = step.fix.coordinate
    if abs(latitudeDegrees - position.latitudeDegrees) * Self.metersPerDegree > reach {
      return step.reachMeters > Self.longestStepMeters
    }
    let apart = abs(longitudeDegrees - position.longitudeDegrees)
    if min(apart, 360 - apart) * metersPerDegreeEast > reach {
      return step.reachMeters > Self.longestStepMeters
    }
    return true
  }
}

/// The way from one believed fix to the next, as all zones see it.
struct ZoneStep: Hashable, Sendable {
  let fix: AcceptedFix
  let previous: AcceptedFix?
  /// The error to reckon with, in metres.
  let doubtMeters: Double
  /// The part of the error that delays an exit, in metres.
  let cappedDoubtMeters: Double
  /// The previous fix, when the line from it counts as the path.
  let pathStart: AcceptedFix?
  /// How far beyond its radius a zone may be concerned, in metres.
  let reachMeters: Double
  /// Zones in which a tag at home holds the resident.
  let vouched: Set<ZoneID>
  let settings: TrackingSettings

  init(
    fix: AcceptedFix, previous: AcceptedFix?, vouched: Set<ZoneID> = [],
    settings: TrackingSettings
  ) {
    self.vouched = vouched
    self.fix = fix
    self.previous = previous
    self.settings = settings
    doubtMeters = fix.doubtMeters(settings)
    cappedDoubtMeters = min(doubtMeters, settings.exitAccuracyCapMeters)
    let leg = previous?.coordinate.distanceMeters(to: fix.coordinate) ?? 0
    pathStart = previous.flatMap { Self.isPath(from: $0, to: fix, leg, settings) ? $0 : nil }
    reachMeters = max(doubtMeters, pathStart == nil ? 0 : leg)
  }

  /// A line is a path when it is short in time and longer than what the errors alone could feign.
  private static func isPath(
    from previous: AcceptedFix, to fix: AcceptedFix, _ leg: Double, _ settings: TrackingSettings
  ) -> Bool {
    let passed = fix.stamp.tick.milliseconds(since: previous.stamp.tick)
    return !previous.stamp.isEstimated && passed <= settings.crossingMaximumSeconds * 1000
      && leg > previous.doubtMeters(settings) + fix.doubtMeters(settings)
  }

  /// The least distance of the path from a point, and none when there is no path.
  func closestMeters(to center: Coordinate) -> Double? {
    guard let pathStart else { return nil }
    let (x1, y1) = pathStart.coordinate.planeOffset(from: center)
    let (x2, y2) = fix.coordinate.planeOffset(from: center)
    let (dx, dy) = (x2 - x1, y2 - y1)
    let squared = dx * dx + dy * dy
    guard squared > 0 else { return nil }
    let along = max(0, min(1, -(x1 * dx + y1 * dy) / squared))
    let (x, y) = (x1 + along * dx, y1 + along * dy)
    return (x * x + y * y).squareRoot()
  }
}

extension SafeZone {
  /// Whether another zone has the same circle and margin.
  func hasCircle(of other: SafeZone) -> Bool {
    center == other.center && radiusMeters == other.radiusMeters
      && exitMarginMeters == other.exitMarginMeters
  }
}
