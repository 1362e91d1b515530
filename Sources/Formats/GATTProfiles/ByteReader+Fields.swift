import Bytes

/// The fields of a characteristic; all numbers have their lowest octet first.
extension ByteReader {
  mutating func word(_ field: String) throws(DecodeError) -> UInt16 {
    guard let word = littleEndian(2) else { throw error(.truncated, field) }
    return UInt16(truncatingIfNeeded: word)
  }

  mutating func signedWord(_ field: String) throws(DecodeError) -> Int16 {
    Int16(bitPattern: try word(field))
  }

  mutating func float(_ field: String) throws(DecodeError) -> SFLOAT {
    SFLOAT(bits: try word(field))
  }

  mutating func dateTime(_ field: String) throws(DecodeError) -> DateTime {
    guard count >= DateTime.octetCount else { throw error(.truncated, field) }
    return DateTime(
      year: try word(field), month: try byte(field), day: try byte(field),
      hour: try byte(field), minute: try byte(field), second: try byte(field))
  }

  /// Refuses octets behind the last field.
  func expectEnd(_ field: String) throws(DecodeError) {
    guard isAtEnd else { throw error(.unexpectedByte, field) }
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
