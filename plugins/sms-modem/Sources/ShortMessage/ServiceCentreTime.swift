public import Moments

/// When the message centre took a message, or finished with it.
///
///     octet  0  1  2  3  4  5  6
///     field  yy MM dd hh mm ss zone     each two decimal digits, the first one low
///     bytes  62 11 02 02 94 50 40       26-11-20 20:49:05, zone +1:00 (04 quarters)
///
/// `zone` counts quarters of an hour; bit 3 of the octet says west.
///
/// - Source: 3GPP TS 23.040, section 9.2.3.11. Bytes above: synthetic.
public enum ServiceCentreTime {
  /// The moment; nil when the seven octets name none.
  public static func moment(_ octets: [UInt8]) -> Timestamp? {
    guard octets.count == 7 else { return nil }
    let isWest = octets[6] & 0x08 != 0
    let fields = (octets.dropLast() + [octets[6] & 0xF7]).map { octet -> Int64? in
      let (tens, ones) = (octet & 0x0F, octet >> 4)
      return tens <= 9 && ones <= 9 ? Int64(tens * 10 + ones) : nil
    }
    let known = fields.compactMap { $0 }
    guard known.count == 7, (1...12).contains(known[1]), (1...31).contains(known[2]),
      known[3] < 24, known[4] < 60, known[5] < 60, known[6] <= 56
    else { return nil }
    let days = days(year: 2000 + known[0], month: known[1], day: known[2])
    let local = days * 86_400 + known[3] * 3600 + known[4] * 60 + known[5]
    return .seconds(local - (isWest ? -1 : 1) * known[6] * 900)
  }

  /// Days since 1970-01-01 of a date of the Gregorian calendar.
  private static func days(year: Int64, month: Int64, day: Int64) -> Int64 {
    let shifted = month <= 2 ? year - 1 : year
    let era = shifted / 400
    let yearOfEra = shifted - era * 400
    let dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
    return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
  }
}
