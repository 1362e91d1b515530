import Care
import Glibc
import Moments

/// Whether it is light outside.
enum Sun {
  /// The sun's height above the horizon in degrees, without refraction; within half a degree for this century.
  ///
  /// - Source: The Astronomical Almanac, low-precision formulas for the sun (1950 through 2050, 0.01 degrees).
  static func altitudeDegrees(at place: Coordinate, _ time: Timestamp) -> Double {
    let days = Double(time.milliseconds) / 86_400_000 - 10_957.5
    let meanLongitude = 280.460 + 0.985_647_4 * days
    let anomaly = radians(357.528 + 0.985_600_3 * days)
    let longitude = radians(meanLongitude + 1.915 * sin(anomaly) + 0.020 * sin(2 * anomaly))
    let obliquity = radians(23.439 - 0.000_000_4 * days)
    let declination = asin(sin(obliquity) * sin(longitude))
    let ascension = atan2(cos(obliquity) * sin(longitude), cos(longitude))
    let siderealDegrees = 280.460_618_37 + 360.985_647_366_29 * days
    let hour = radians(siderealDegrees + place.longitudeDegrees) - ascension
    let latitude = radians(place.latitudeDegrees)
    let height = asin(
      sin(latitude) * sin(declination) + cos(latitude) * cos(declination) * cos(hour))
    return height * 180 / .pi
  }

  /// Whether it is darker than at the end of civil twilight, when one sees the way without a lamp.
  static func isDark(at place: Coordinate, _ time: Timestamp) -> Bool {
    altitudeDegrees(at: place, time) < -6
  }

  private static func radians(_ degrees: Double) -> Double {
    degrees.truncatingRemainder(dividingBy: 360) * .pi / 180
  }
}
