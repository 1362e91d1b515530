import Bytes

/// Reads the fields of a characteristic one after the other; all numbers have their lowest octet first.
struct OctetReader {
  private let octets: [UInt8]
  private let base: Int
  private(set) var offset = 0

  /// A reader over octets, whose first is at `base` of what errors speak of.
  init(_ octets: some Collection<UInt8>, base: Int = 0) {
    self.octets = Array(octets)
    self.base = base
  }

  var remaining: Int { octets.count - offset }

  func error(_ code: DecodeError.Code, _ field: String, back: Int = 0) -> DecodeError {
    DecodeError(code, at: base + offset - back, field: field)
  }

  mutating func octet(_ field: String) throws(DecodeError) -> UInt8 {
    guard offset < octets.count else { throw error(.truncated, field) }
    defer { offset += 1 }
    return octets[offset]
  }

  mutating func word(_ field: String) throws(DecodeError) -> UInt16 {
    guard remaining >= 2 else { throw error(.truncated, field) }
    let low = try octet(field)
    return UInt16(low) | UInt16(try octet(field)) << 8
  }

  mutating func signedWord(_ field: String) throws(DecodeError) -> Int16 {
    Int16(bitPattern: try word(field))
  }

  mutating func float(_ field: String) throws(DecodeError) -> SFLOAT {
    SFLOAT(bits: try word(field))
  }

  mutating func dateTime(_ field: String) throws(DecodeError) -> DateTime {
    guard remaining >= DateTime.octetCount else { throw error(.truncated, field) }
    return DateTime(
      year: try word(field), month: try octet(field), day: try octet(field),
      hour: try octet(field), minute: try octet(field), second: try octet(field))
  }

  /// Refuses octets behind the last field.
  func expectEnd(_ field: String) throws(DecodeError) {
    guard remaining == 0 else { throw error(.unexpectedByte, field) }
  }
}

extension [UInt8] {
  mutating func append(word: UInt16) {
    append(UInt8(truncatingIfNeeded: word))
    append(UInt8(truncatingIfNeeded: word >> 8))
  }

  mutating func append(_ float: SFLOAT) { append(word: float.bits) }

  mutating func append(_ time: DateTime) {
    append(word: time.year)
    append(contentsOf: [time.month, time.day, time.hour, time.minute, time.second])
  }
}
