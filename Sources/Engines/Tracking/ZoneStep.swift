import Care
import Moments

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
  /// How far beyond its edge a zone may be concerned, in metres.
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

  /// How near the path leads to the middle of a zone that it crosses, in metres; nil when it does not, or is no path.
  func closestMeters(in zone: SafeZone) -> Double? {
    switch zone.area {
    case .circle(let center, let radius):
      return closestMeters(to: center).flatMap { $0 <= radius ? $0 : nil }
    case .polygon(let polygon):
      guard let pathStart, polygon.isCrossed(from: pathStart.coordinate, to: fix.coordinate) else {
        return nil
      }
      return closestMeters(to: polygon.center)
    }
  }

  private func closestMeters(to center: Coordinate) -> Double? {
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
  /// Whether another zone has the same area and margin.
  func hasArea(of other: SafeZone) -> Bool {
    area == other.area && exitMarginMeters == other.exitMarginMeters
  }
}
