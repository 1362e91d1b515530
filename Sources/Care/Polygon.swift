public import Texts

/// An area with a border, which may have holes, lie across the antimeridian or over a pole.
///
/// Between two corners the border is straight on a map of longitude and latitude, as in GeoJSON, and takes the shorter way
/// around the earth.
///
/// - Source: RFC 7946, 3.1.6 and 3.1.9.
public struct Polygon: Sendable {
  /// Why corners make no area.
  public struct Fault: Error, Hashable, Sendable {
    /// What is wrong and what to do, for people.
    public var message: Message
  }

  /// The most corners of all rings together.
  public static let maximumCorners = 1000
  /// The most metres from the middle to a corner.
  public static let maximumRadiusMeters = 100_000.0
  /// Farther from it than this the earth's curvature counts.
  private static let farMeters = 30_000.0

  /// The border counter-clockwise on the map, without the first corner once more at the end.
  public let exterior: [Coordinate]
  /// The holes, clockwise, likewise; what lies in one is outside.
  public let holes: [[Coordinate]]
  /// The middle of a circle around it.
  public let center: Coordinate
  /// The radius of that circle in metres.
  public let radiusMeters: Double
  /// Boxes that hold it.
  public let boxes: [DegreeBox]
  private let rings: [Ring]

  /// An area from its corners; rings may be closed or open, and turn either way.
  ///
  /// - Throws: what is wrong with them.
  public init(exterior: [Coordinate], holes: [[Coordinate]] = []) throws(Fault) {
    let corners = ([exterior] + holes).map(Self.opened)
    try Self.checkCount(corners)
    let turned = corners.enumerated().map { index, ring in
      Ring(ring).turnsLeft == (index == 0) ? ring : [ring[0]] + ring.dropFirst().reversed()
    }
    let outer = Ring(turned[0])
    var rings = [outer] + turned.dropFirst().map { Ring($0).moved(to: outer) }
    try Self.check(rings)
    guard let middle = outer.middle else { throw Fault(message: Self.tooLarge) }
    for index in rings.indices { rings[index].measure(from: middle) }
    self.exterior = turned[0]
    self.holes = Array(turned.dropFirst())
    center = middle
    radiusMeters = rings[0].farthestMeters(from: middle)
    guard radiusMeters <= Self.maximumRadiusMeters else { throw Fault(message: Self.tooLarge) }
    boxes = outer.boxes
    self.rings = rings
  }

  /// Whether a position lies in it and in none of its holes.
  public func contains(_ position: Coordinate) -> Bool {
    guard boxes.contains(where: { $0.contains(position) }) else { return false }
    return rings[0].encloses(position) && !rings.dropFirst().contains { $0.encloses(position) }
  }

  /// Metres to the nearest border, of a hole too; less than 0 within the area.
  ///
  /// Within 0.03 % as far as 100 km away, beyond that a fair estimate.
  public func borderMeters(from position: Coordinate) -> Double {
    let isFar = center.distanceMeters(to: position) > radiusMeters + Self.farMeters
    let (east, north) = position.planeOffset(from: center)
    let meters = rings.reduce(Double.infinity) { least, ring in
      min(
        least,
        isFar ? ring.farMeters(from: position) : ring.meters(east: east, north: north))
    }
    return contains(position) ? -meters : meters
  }

  /// Whether the straight way on the map from one position to another leads over a border.
  public func isCrossed(from start: Coordinate, to end: Coordinate) -> Bool {
    rings.contains { $0.isCrossed(from: start, to: end) }
  }

  // MARK: What is wrong with corners

  private static func opened(_ ring: [Coordinate]) -> [Coordinate] {
    var corners: [Coordinate] = []
    for corner in ring where corner != corners.last { corners.append(corner) }
    if corners.count > 1, corners.first == corners.last { corners.removeLast() }
    return corners
  }

  private static func checkCount(_ rings: [[Coordinate]]) throws(Fault) {
    guard rings.allSatisfy({ $0.count >= 3 }) else {
      throw Fault(message: Message("A border needs three corners at least. Add some."))
    }
    guard rings.reduce(0, { $0 + $1.count }) <= maximumCorners else {
      throw Fault(
        message: Message(
          "A zone has at most {number} corners. Draw it more simply.",
          ["number": maximumCorners]))
    }
  }

  private static func check(_ rings: [Ring]) throws(Fault) {
    for (index, ring) in rings.enumerated() {
      guard !ring.crossesItself else {
        throw Fault(
          message: Message(
            "The border crosses itself. Put its corners in the order of a walk around."))
      }
      guard ring.hasArea else {
        throw Fault(message: Message("The corners lie in a line and enclose nothing. Move one."))
      }
      guard index > 0 else { continue }
      let isInside = rings[0].encloses(ring.corners[0]) && !ring.crosses(rings[0])
      let isApart = rings[1..<index].allSatisfy { other in
        !ring.crosses(other) && !other.encloses(ring.corners[0])
          && !ring.encloses(other.corners[0])
      }
      guard isInside, isApart else { throw Fault(message: holeOutside) }
    }
  }

  private static var tooLarge: Message {
    Message("A zone reaches at most 100 km from its middle. Draw a smaller one.")
  }

  private static var holeOutside: Message {
    Message("A hole lies within the border, and apart from other holes. Move or remove it.")
  }
}

extension Polygon: Hashable {
  /// Areas with the same corners in the same order are the same.
  public static func == (one: Polygon, other: Polygon) -> Bool {
    one.exterior == other.exterior && one.holes == other.holes
  }

  /// By the corners.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(exterior)
    hasher.combine(holes)
  }
}
