import Care
import WalkingRoutes

/// The line of a way on a plane, on which a position is found again.
struct RouteLine: Hashable, Sendable {
  /// Where a position is beside the way.
  struct Place: Hashable, Sendable {
    /// Metres along the way.
    var along: Double
    /// Metres beside it.
    var off: Double
  }

  let route: WalkingRoute
  private let points: [Offset]

  /// Metres east and north of the way's beginning: within some centimetres for ways of some tens of kilometres.
  private struct Offset: Hashable, Sendable {
    var east: Double
    var north: Double
  }

  init(_ route: WalkingRoute) {
    self.route = route
    points = route.line.map { Self.offset(of: $0, from: route.line[0]) }
  }

  private static func offset(of place: Coordinate, from origin: Coordinate) -> Offset {
    let (east, north) = place.planeOffset(from: origin)
    return Offset(east: east, north: north)
  }

  /// The place on the way that is nearest to a position, of those between two distances along it.
  func place(of position: Coordinate, within range: ClosedRange<Double>) -> Place {
    let here = Self.offset(of: position, from: route.line[0])
    var best = Place(along: range.lowerBound, off: .infinity)
    for segment in 0..<(points.count - 1) {
      let (begin, end) = (route.metersTo[segment], route.metersTo[segment + 1])
      guard end >= range.lowerBound, begin <= range.upperBound else { continue }
      let place = place(of: here, on: segment, begin, end)
      if place.off < best.off { best = place }
    }
    return best
  }

  private func place(of here: Offset, on segment: Int, _ begin: Double, _ end: Double) -> Place {
    let (from, to) = (points[segment], points[segment + 1])
    let (dx, dy) = (to.east - from.east, to.north - from.north)
    let (px, py) = (here.east - from.east, here.north - from.north)
    let square = dx * dx + dy * dy
    let part = square > 0 ? min(1, max(0, (px * dx + py * dy) / square)) : 0
    let (ex, ey) = (px - part * dx, py - part * dy)
    return Place(
      along: begin + part * (end - begin), off: (ex * ex + ey * ey).squareRoot())
  }

  /// The direction of the way so many metres along it, degrees clockwise from north, averaged over the next metres.
  func bearing(at along: Double, over meters: Double = 12) -> Double {
    Angle.bearing(from: point(at: along), to: point(at: min(along + meters, route.lengthMeters)))
  }

  /// The point so many metres along the way.
  func point(at along: Double) -> Coordinate {
    let segment = max(0, (route.metersTo.firstIndex { $0 > along } ?? points.count - 1) - 1)
    let (from, to) = (route.line[segment], route.line[segment + 1])
    let length = route.metersTo[segment + 1] - route.metersTo[segment]
    let rest = min(max(0, along - route.metersTo[segment]), length)
    return from.moved(meters: rest, bearingDegrees: Angle.bearing(from: from, to: to))
  }
}
