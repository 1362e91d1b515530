import Glibc

/// A closed line of a polygon on the map of longitude and latitude, with longitudes that run on across the antimeridian.
struct Ring: Sendable {
  /// A point on the map: degrees east, possibly beyond 180, and degrees north.
  struct Point: Hashable, Sendable {
    var x: Double
    var y: Double
  }

  /// Pieces of a border that count as straight on the ground are not longer than this, in metres.
  private static let pieceMeters = 500.0
  private static let mostPieces = 1000.0
  private static let metersPerDegree = 111_320.0
  /// Less than this, about a square decimetre, is no area; in square degrees.
  private static let leastArea = 1e-12

  /// The corners, and the first of them once more, a turn further where the ring goes around a pole.
  private(set) var corners: [Point]
  /// The pole that it goes around, in degrees north.
  let pole: Double?
  /// Points of the border, near each other, and where they are in metres east and north of the area's middle.
  private var border: [Coordinate] = []
  private var plane: [(east: Double, north: Double)] = []

  /// A ring through three corners or more, not closed.
  init(_ places: [Coordinate]) {
    var corners: [Point] = []
    for place in places + places.prefix(1) {
      let x = corners.last.map { $0.x + Self.shortWay(place.longitudeDegrees - $0.x) }
      corners.append(Point(x: x ?? place.longitudeDegrees, y: place.latitudeDegrees))
    }
    self.corners = corners
    let isAround = abs(corners[corners.count - 1].x - corners[0].x) > 180
    let height = corners.dropLast().reduce(0) { $0 + $1.y }
    pole = isAround ? (height < 0 ? -90 : 90) : nil
  }

  /// The shorter of the two ways around, in degrees.
  private static func shortWay(_ degrees: Double) -> Double {
    degrees - 360 * (degrees / 360).rounded()
  }

  // MARK: What it encloses

  /// The corners of what it encloses on the map: around a pole that is the strip as far as the pole.
  private var outline: [Point] {
    guard let pole, let first = corners.first, let last = corners.last else { return corners }
    return corners + [Point(x: last.x, y: pole), Point(x: first.x, y: pole), first]
  }

  /// From the westernmost corner to the easternmost, in degrees.
  private var width: ClosedRange<Double> {
    let all = corners.map(\.x)
    return (all.min() ?? 0)...(all.max() ?? 0)
  }

  /// Whether it encloses a position.
  func encloses(_ place: Coordinate) -> Bool {
    // The pole itself is no point of the map, but the whole of its edge.
    if place.latitudeDegrees == pole { return true }
    let width = width
    return (-2...2).contains { turn in
      let x = place.longitudeDegrees + 360 * Double(turn)
      return width.contains(x) && encloses(Point(x: x, y: place.latitudeDegrees))
    }
  }

  /// Whether it encloses a point of its own map: an odd number of its sides lies to the east.
  func encloses(_ point: Point) -> Bool { Self.encloses(point, outline) }

  /// Whether a closed line encloses a point.
  static func encloses(_ point: Point, _ outline: [Point]) -> Bool {
    var isInside = false
    for (one, other) in zip(outline, outline.dropFirst())
    where (one.y > point.y) != (other.y > point.y) {
      let x = one.x + (point.y - one.y) / (other.y - one.y) * (other.x - one.x)
      if point.x < x { isInside.toggle() }
    }
    return isInside
  }

  /// Whether it encloses anything.
  var hasArea: Bool { abs(doubleArea) / 2 > Self.leastArea }

  /// Whether it goes around what it encloses counter-clockwise.
  var turnsLeft: Bool { doubleArea > 0 }

  /// Twice what it encloses, in square degrees; less than 0 where it turns clockwise.
  private var doubleArea: Double {
    let outline = outline
    return zip(outline, outline.dropFirst()).reduce(0) { sum, side in
      sum + (side.0.x - outline[0].x) * (side.1.y - outline[0].y)
        - (side.1.x - outline[0].x) * (side.0.y - outline[0].y)
    }
  }

  // MARK: Lines that cross

  private var sides: [(Point, Point)] { Array(zip(corners, corners.dropFirst())) }

  var crossesItself: Bool {
    let sides = sides
    return sides.indices.contains { one in
      sides[(one + 1)...].contains { Self.cross(sides[one], $0) }
    }
  }

  func crosses(_ other: Ring) -> Bool {
    let others = other.sides
    return sides.contains { side in others.contains { Self.cross(side, $0) } }
  }

  /// Whether the straight way on the map from one position to another crosses it.
  func isCrossed(from start: Coordinate, to end: Coordinate) -> Bool {
    let sides = sides
    return (-2...2).contains { turn in
      let x = start.longitudeDegrees + 360 * Double(turn)
      let way = (
        Point(x: x, y: start.latitudeDegrees),
        Point(x: x + Self.shortWay(end.longitudeDegrees - x), y: end.latitudeDegrees)
      )
      return sides.contains { Self.cross(way, $0) }
    }
  }

  /// Whether two lines cross; those that touch do not.
  private static func cross(_ one: (Point, Point), _ other: (Point, Point)) -> Bool {
    side(of: other.0, one) * side(of: other.1, one) < 0
      && side(of: one.0, other) * side(of: one.1, other) < 0
  }

  /// 1 for a point to the left of a line, -1 to its right, 0 on it.
  private static func side(of point: Point, _ line: (Point, Point)) -> Int {
    let (start, end) = line
    let turn =
      (end.x - start.x) * (point.y - start.y) - (end.y - start.y) * (point.x - start.x)
    return turn > 0 ? 1 : turn < 0 ? -1 : 0
  }

  /// The same ring, by whole turns moved to where another is on its map.
  func moved(to other: Ring) -> Ring {
    let (own, wanted) = (width, other.width)
    let apart = (own.lowerBound + own.upperBound - wanted.lowerBound - wanted.upperBound) / 2
    let turns = 360 * (apart / 360).rounded()
    var ring = self
    for index in ring.corners.indices { ring.corners[index].x -= turns }
    return ring
  }

  // MARK: On the ground

  /// The boxes that hold what it encloses.
  var boxes: [DegreeBox] {
    let heights = corners.map(\.y) + (pole.map { [$0] } ?? [])
    let (south, north) = (heights.min() ?? 0, heights.max() ?? 0)
    guard pole == nil else {
      return [DegreeBox(south: south, west: -180, north: north, east: 180)]
    }
    let turns = 360 * (width.lowerBound / 360).rounded()
    return DegreeBox.pieces(
      south: south, west: width.lowerBound - turns, north: north, east: width.upperBound - turns)
  }

  /// The middle of a circle around it.
  var middle: Coordinate? {
    if let pole { return Coordinate(latitudeDegrees: pole, longitudeDegrees: 0) }
    let heights = corners.map(\.y)
    return Self.place(
      Point(
        x: (width.lowerBound + width.upperBound) / 2,
        y: ((heights.min() ?? 0) + (heights.max() ?? 0)) / 2))
  }

  private static func place(_ point: Point) -> Coordinate? {
    Coordinate(latitudeDegrees: point.y, longitudeDegrees: shortWay(point.x))
  }

  /// Measures the border from the middle of the area.
  mutating func measure(from middle: Coordinate) {
    border = []
    for (start, end) in sides {
      let narrow = cos(min(abs(start.y), abs(end.y)) * .pi / 180)
      let length =
        Self.metersPerDegree * ((end.x - start.x) * narrow).magnitude
        + Self.metersPerDegree * (end.y - start.y).magnitude
      let pieces = max(1, min(Self.mostPieces, (length / Self.pieceMeters).rounded(.up)))
      for piece in 0..<Int(pieces) {
        let part = Double(piece) / pieces
        let point = Point(
          x: start.x + part * (end.x - start.x), y: start.y + part * (end.y - start.y))
        if let place = Self.place(point) { border.append(place) }
      }
    }
    if let first = border.first { border.append(first) }
    plane = border.map { place in
      let (east, north) = place.planeOffset(from: middle)
      return (east: east, north: north)
    }
  }

  /// Metres from a position to the border's farthest point.
  func farthestMeters(from place: Coordinate) -> Double {
    border.reduce(0) { max($0, $1.distanceMeters(to: place)) }
  }

  /// Metres from a far position to the border.
  func farMeters(from place: Coordinate) -> Double {
    border.reduce(.infinity) { min($0, $1.distanceMeters(to: place)) }
  }

  /// Metres from a point, in metres east and north of the middle, to the border.
  func meters(east: Double, north: Double) -> Double {
    var least = Double.infinity
    for (start, end) in zip(plane, plane.dropFirst()) {
      let (x, y) = (end.east - start.east, end.north - start.north)
      let squared = x * x + y * y
      let along = squared > 0 ? ((east - start.east) * x + (north - start.north) * y) / squared : 0
      let part = max(0, min(1, along))
      let (awayEast, awayNorth) = (start.east + part * x - east, start.north + part * y - north)
      least = min(least, awayEast * awayEast + awayNorth * awayNorth)
    }
    return least.squareRoot()
  }
}
