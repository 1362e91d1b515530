public import Bytes
public import Care

/// Points as a text of printable characters, each as the difference to the one before.
///
///     text       _evi{A  }zcw\
///     latitude   48410168 millionths of a degree
///     longitude           15600062
///
/// A number is shifted left by one, inverted where it is negative, and cut into groups of five bits, the lowest first; each
/// group but the last has 32 added, and all have 63.
///
/// - Source: Google, Encoded Polyline Algorithm Format; six digits as Valhalla's documentation has it (Decoding Polylines).
public enum EncodedPolyline {
  private static let unitsPerDegree = 1e6

  /// The points of a text.
  ///
  /// - Throws: ``DecodeError`` with the byte that does not fit.
  public static func points(of text: String, atMost limit: Int) throws(DecodeError) -> [Coordinate]
  {
    let bytes = Array(text.utf8)
    var points: [Coordinate] = []
    var (place, latitude, longitude) = (0, Int64(0), Int64(0))
    while place < bytes.count {
      let start = place
      guard points.count < limit else { throw DecodeError(.tooLarge, at: start) }
      latitude = try sum(latitude, next(in: bytes, &place), at: start)
      longitude = try sum(longitude, next(in: bytes, &place), at: start)
      let point = Coordinate(
        latitudeDegrees: Double(latitude) / unitsPerDegree,
        longitudeDegrees: Double(longitude) / unitsPerDegree)
      guard let point else { throw DecodeError(.outOfRange, at: start) }
      points.append(point)
    }
    return points
  }

  private static func sum(
    _ left: Int64, _ right: Int64, at place: Int
  ) throws(DecodeError) -> Int64 {
    let (sum, overflows) = left.addingReportingOverflow(right)
    guard !overflows else { throw DecodeError(.outOfRange, at: place) }
    return sum
  }

  private static func next(
    in bytes: [UInt8], _ place: inout Int
  ) throws(DecodeError) -> Int64 {
    var number: UInt64 = 0
    // 180 degrees and their sign take 30 bits.
    for shift in stride(from: UInt64(0), to: 35, by: 5) {
      guard place < bytes.count else { throw DecodeError(.truncated, at: place) }
      guard (63...126).contains(bytes[place]) else {
        throw DecodeError(.unexpectedByte, at: place)
      }
      let group = UInt64(bytes[place] - 63)
      place += 1
      number |= (group & 0x1F) << shift
      guard group & 0x20 != 0 else {
        let half = Int64(number >> 1)
        return number & 1 == 0 ? half : ~half
      }
    }
    throw DecodeError(.tooLarge, at: place)
  }

  /// The text of points, to a millionth of a degree.
  public static func text(of points: [Coordinate]) -> String {
    var bytes: [UInt8] = []
    var before: (Int64, Int64) = (0, 0)
    for point in points {
      let here = (units(point.latitudeDegrees), units(point.longitudeDegrees))
      append(here.0 - before.0, to: &bytes)
      append(here.1 - before.1, to: &bytes)
      before = here
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  private static func units(_ degrees: Double) -> Int64 {
    Int64((degrees * unitsPerDegree).rounded())
  }

  private static func append(_ difference: Int64, to bytes: inout [UInt8]) {
    var rest = UInt64(bitPattern: difference << 1)
    if difference < 0 { rest = ~rest }
    while rest >= 0x20 {
      bytes.append(UInt8(rest & 0x1F | 0x20) + 63)
      rest >>= 5
    }
    bytes.append(UInt8(rest) + 63)
  }
}
