import Care
public import Moments

extension Outing {
  /// The sentences that a receiver sends for one second: RMC, GGA, GSA, GST and GSV, each with checksum and line end.
  ///
  /// `time` is the true time; a fault may make the receiver say another, or nothing at all (an empty text).
  ///
  /// - Source: NMEA 0183, version 3.01; order and precision as of a u-blox 8.
  public func nmea(at time: Timestamp, second: Int) -> String {
    if faults.contains(where: { $0.silences(second: second) }) { return "" }
    let epoch = Epoch(
      time: CivilDateTime(utc: faults.reduce(time) { $1.shifted($0, atSecond: second) }),
      position: faults.contains { $0.takesFix(atSecond: second) }
        ? nil : position(atSecond: second),
      knots: speedMetersPerSecond(atSecond: second) * 3600 / 1852,
      courseDegrees: courseDegrees(atSecond: second))
    return epoch.bodies.map(sentence).joined()
  }

  private func sentence(_ body: String) -> String {
    let checksum = body.utf8.reduce(0, ^)
    let digits = String(checksum, radix: 16, uppercase: true)
    return "$\(body)*\(checksum < 16 ? "0" : "")\(digits)\r\n"
  }
}

/// What a receiver knows in one second.
private struct Epoch {
  /// Satellites in view: number, elevation and azimuth in degrees, signal in dB-Hz.
  private static let satellites = [
    (2, 62, 211, 44), (5, 41, 118, 41), (7, 28, 301, 38), (13, 55, 45, 43), (15, 19, 160, 35),
    (18, 71, 330, 46), (20, 12, 82, 31), (24, 33, 255, 39), (29, 47, 12, 42),
  ]

  let time: CivilDateTime
  let position: Coordinate?
  let knots: Double
  let courseDegrees: Double

  var bodies: [String] {
    [recommendedMinimum, fixData, satellitesUsed] + [errors].compactMap { $0 } + inView
  }

  private var recommendedMinimum: String {
    guard let place else { return "GPRMC,\(clock),V,,,,,,,\(date),,,N" }
    return "GPRMC,\(clock),A,\(place),\(fixed(knots, 3)),\(fixed(courseDegrees, 2)),\(date),,,A"
  }

  private var fixData: String {
    guard let place else { return "GPGGA,\(clock),,,,,0,00,99.99,,,,,," }
    return "GPGGA,\(clock),\(place),1,09,0.80,12.0,M,0.0,M,,"
  }

  private var satellitesUsed: String {
    guard position != nil else { return "GPGSA,A,1,,,,,,,,,,,,,99.99,99.99,99.99" }
    let numbers = Self.satellites.map { padded($0.0, 2) } + ["", "", ""]
    return "GPGSA,A,3,\(numbers.joined(separator: ",")),1.50,0.80,1.27"
  }

  private var errors: String? {
    position == nil ? nil : "GPGST,\(clock),3.2,2.4,1.9,63.0,2.2,2.1,4.8"
  }

  private var inView: [String] {
    let seen = position == nil ? [] : Self.satellites
    guard !seen.isEmpty else { return ["GPGSV,1,1,00"] }
    let groups = stride(from: 0, to: seen.count, by: 4).map { seen[$0..<min($0 + 4, seen.count)] }
    return groups.enumerated().map { index, group in
      let entries = group.map {
        "\(padded($0.0, 2)),\(padded($0.1, 2)),\(padded($0.2, 3)),\(padded($0.3, 2))"
      }
      let head = "GPGSV,\(groups.count),\(index + 1),\(padded(seen.count, 2))"
      return "\(head),\(entries.joined(separator: ","))"
    }
  }

  private var clock: String {
    "\(padded(time.hour, 2))\(padded(time.minute, 2))\(padded(time.second, 2)).00"
  }

  private var date: String {
    "\(padded(time.day, 2))\(padded(time.month, 2))\(padded(time.year % 100, 2))"
  }

  private var place: String? {
    guard let position else { return nil }
    let (latitude, longitude) = (position.latitudeDegrees, position.longitudeDegrees)
    return "\(angle(latitude, width: 2)),\(latitude < 0 ? "S" : "N"),"
      + "\(angle(longitude, width: 3)),\(longitude < 0 ? "W" : "E")"
  }

  /// Degrees and minutes with five decimals, about 2 cm: `4852.60200`.
  private func angle(_ degrees: Double, width: Int) -> String {
    let hundredThousandths = Int((abs(degrees) * 6_000_000).rounded())
    let (whole, rest) = hundredThousandths.quotientAndRemainder(dividingBy: 6_000_000)
    let (minutes, fraction) = rest.quotientAndRemainder(dividingBy: 100_000)
    return "\(padded(whole, width))\(padded(minutes, 2)).\(padded(fraction, 5))"
  }

  private func fixed(_ number: Double, _ digits: Int) -> String {
    let scale = (0..<digits).reduce(1) { power, _ in power * 10 }
    let (whole, fraction) = Int((abs(number) * Double(scale)).rounded())
      .quotientAndRemainder(dividingBy: scale)
    return "\(whole).\(padded(fraction, digits))"
  }

  private func padded(_ number: Int, _ width: Int) -> String {
    let digits = String(number)
    return String(repeating: "0", count: max(0, width - digits.utf8.count)) + digits
  }
}
