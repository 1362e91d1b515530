import Glibc

/// Makes headings of what a magnetometer and an accelerometer measure: tilt is taken out, and the iron of the tracker itself.
struct MagneticHeading: Hashable, Sendable {
  /// What both measured at one moment.
  struct Sample: Hashable, Sendable {
    /// In gauss.
    var field: Vector
    /// In metres per second squared; upwards for a device at rest.
    var acceleration: Vector
  }

  /// The field of the Earth is 0.22 to 0.67 gauss; what is beyond these is iron or a magnet near by.
  private static let plausibleGauss = 0.15...0.9
  /// With the iron of the tracker itself it may be more; what is still more comes and goes.
  private static let mostGauss = 1.2
  /// Of the field at least so much is level, in gauss; nearer to a magnetic pole a compass says nothing.
  private static let leastLevelGauss = 0.06
  /// Whoever is thrown about is not measured: gravity is 9.8.
  private static let plausibleAcceleration = 7.0...12.5
  /// How much a new acceleration counts against those before.
  private static let newShare = 0.3
  /// An axis whose readings went so far apart has shown its middle, in gauss.
  private static let turnedGauss = 0.3

  private var up: Vector?
  private var least: Vector?
  private var most: Vector?

  /// Takes a sample; the heading of the device's front in degrees clockwise from magnetic north, 0 through 360, or nil
  /// where the field or the movement is none to tell it by.
  ///
  /// The front is the top of a device that lies, and the back of one that stands.
  mutating func take(_ sample: Sample) -> Double? {
    guard sample.field.length <= Self.mostGauss else { return nil }
    learn(sample.field)
    guard Self.plausibleAcceleration.contains(sample.acceleration.length) else { return nil }
    let smoothed = up.map { $0 + (sample.acceleration - $0) * Self.newShare }
    up = smoothed ?? sample.acceleration
    let field = sample.field - middle
    guard Self.plausibleGauss.contains(field.length) else {
      // A magnet was near, or is: what was learned of the tracker's own iron may be wrong.
      (least, most) = (nil, nil)
      return nil
    }
    guard let up = up?.unit else { return nil }
    let east = field.cross(up)
    guard east.length >= Self.leastLevelGauss, let east = east.unit else { return nil }
    let north = up.cross(east)
    let front = abs(up.y) > 0.7 ? Vector(x: 0, y: 0, z: -1) : Vector(x: 0, y: 1, z: 0)
    let degrees = atan2(front.dot(east), front.dot(north)) * 180 / .pi
    return degrees < 0 ? degrees + 360 : degrees
  }

  /// The field of what is magnetic in the tracker itself: it turns with it, so that it lies in the middle of all readings.
  private mutating func learn(_ field: Vector) {
    least = least.map { Self.each($0, field, min) } ?? field
    most = most.map { Self.each($0, field, max) } ?? field
  }

  private var middle: Vector {
    guard let least, let most else { return Vector(x: 0, y: 0, z: 0) }
    return Self.each(least, most) { $1 - $0 >= Self.turnedGauss ? ($0 + $1) / 2 : 0 }
  }

  private static func each(
    _ left: Vector, _ right: Vector, _ of: (Double, Double) -> Double
  ) -> Vector {
    Vector(x: of(left.x, right.x), y: of(left.y, right.y), z: of(left.z, right.z))
  }
}
