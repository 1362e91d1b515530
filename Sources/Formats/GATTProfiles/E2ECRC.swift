import Bytes

/// The checksum over values of the Continuous Glucose Monitoring Service, sent behind them with its lowest octet first.
///
/// CRC-16/MCRF4XX: polynomial 1021 reflected, begins with FFFF, nothing added at the end; `123456789` gives 6F91.
///
/// - Source: Bluetooth Continuous Glucose Monitoring Service 1.0.2, E2E-CRC.
public enum E2ECRC {
  /// The checksum of octets.
  public static func of(_ octets: some Sequence<UInt8>) -> UInt16 {
    octets.reduce(0xFFFF) { checksum, octet in
      (0..<8).reduce(checksum ^ UInt16(octet)) { bits, _ in
        bits & 1 == 0 ? bits >> 1 : bits >> 1 ^ 0x8408
      }
    }
  }

  /// Octets with their checksum behind them.
  public static func appended(to octets: [UInt8]) -> [UInt8] {
    var octets = octets
    octets.append(word: of(octets))
    return octets
  }
}

/// Whether values of a continuous monitor have a checksum, which its ``CGMFeature`` says.
public enum E2ECRCRule: Hashable, Sendable, CaseIterable {
  /// Without one a value is damaged.
  case required
  /// There is none.
  case absent
  /// The feature is not known: a value of the right length with one is checked, one without is taken.
  case unknown

  /// Takes the checksum off a value whose fields have `length` octets.
  func strip(_ octets: [UInt8], to length: Int) throws(DecodeError) -> (fields: [UInt8], has: Bool)
  {
    let withChecksum = length + 2
    switch self {
    case .required where octets.count < withChecksum:
      throw DecodeError(.truncated, at: octets.count, field: "crc")
    case .absent, .unknown:
      guard octets.count >= length else {
        throw DecodeError(.truncated, at: octets.count, field: "crc")
      }
      if octets.count == length { return (octets, false) }
    case .required: break
    }
    guard octets.count == withChecksum, self != .absent else {
      throw DecodeError(.unexpectedByte, at: min(octets.count, length), field: "crc")
    }
    let sent = UInt16(octets[length]) | UInt16(octets[length + 1]) << 8
    guard sent == E2ECRC.of(octets.prefix(length)) else {
      throw DecodeError(.checksum, at: length, field: "crc")
    }
    return (Array(octets.prefix(length)), true)
  }
}
