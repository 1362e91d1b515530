import Glibc

/// A box on the map: from a southern to a northern parallel, from a western meridian eastward to another.
///
/// Its western meridian is never east of its eastern one; what lies across the antimeridian is two boxes.
public struct DegreeBox: Hashable, Sendable {
  /// The southern edge, in degrees north.
  public var south: Double
  /// The western edge, in degrees east.
  public var west: Double
  /// The northern edge, in degrees north.
  public var north: Double
  /// The eastern edge, in degrees east.
  public var east: Double

  /// Slightly less than the metres of any degree of latitude (110,574 at the equator), so that a box is never too small.
  private static let metersPerDegree = 110_500.0

  /// A box from its edges, in degrees.
  public init(south: Double, west: Double, north: Double, east: Double) {
    self.south = south
    self.west = west
    self.north = north
    self.east = east
  }

  /// Whether the boxes have a point in common; edges count.
  public func meets(_ other: DegreeBox) -> Bool {
    south <= other.north && other.south <= north && west <= other.east && other.west <= east
  }

  /// Whether a position lies in it; edges count.
  public func contains(_ position: Coordinate) -> Bool {
    (south...north).contains(position.latitudeDegrees)
      && (west...east).contains(position.longitudeDegrees)
  }

  /// The least box around both.
  public func union(_ other: DegreeBox) -> DegreeBox {
    DegreeBox(
      south: min(south, other.south), west: min(west, other.west), north: max(north, other.north),
      east: max(east, other.east))
  }

  /// The box, or the two of one that lies across the antimeridian, that holds every point within `meters` of this one.
  ///
  /// A circle over a pole lies on every meridian.
  public func widened(meters: Double) -> [DegreeBox] {
    let degrees = meters / Self.metersPerDegree
    let (low, high) = (max(-90, south - degrees), min(90, north + degrees))
    let poleward = max(abs(low), abs(high))
    let eastward = Self.metersPerDegree * cos(min(90, poleward) * .pi / 180)
    // By a tenth more: the meridians that touch a circle do so beyond its centre's parallel.
    let apart = eastward > 0 ? 1.1 * meters / eastward : 360
    guard poleward < 90, east - west + 2 * apart < 360 else {
      return [DegreeBox(south: low, west: -180, north: high, east: 180)]
    }
    return Self.pieces(south: low, west: west - apart, north: high, east: east + apart)
  }

  /// A box whose meridians may lie beyond the antimeridian by less than a turn, as one or two.
  static func pieces(south: Double, west: Double, north: Double, east: Double) -> [DegreeBox] {
    if west < -180 {
      return [
        DegreeBox(south: south, west: west + 360, north: north, east: 180),
        DegreeBox(south: south, west: -180, north: north, east: east),
      ]
    }
    if east > 180 {
      return [
        DegreeBox(south: south, west: west, north: north, east: 180),
        DegreeBox(south: south, west: -180, north: north, east: east - 360),
      ]
    }
    return [DegreeBox(south: south, west: west, north: north, east: east)]
  }
}

extension Coordinate {
  /// The box, or two, of every point within `meters`.
  public func boxes(within meters: Double) -> [DegreeBox] {
    DegreeBox(
      south: latitudeDegrees, west: longitudeDegrees, north: latitudeDegrees,
      east: longitudeDegrees
    ).widened(meters: meters)
  }
}
