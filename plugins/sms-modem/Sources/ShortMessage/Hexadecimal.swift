public import Bytes

/// Octets as modems write them in PDU mode: two hexadecimal digits each.
public enum Hexadecimal {
  /// Reads digits; the offset of an error counts characters.
  public static func octets(_ digits: some Collection<UInt8>) throws(DecodeError) -> [UInt8] {
    var octets: [UInt8] = []
    var high: UInt8?
    for (offset, digit) in digits.enumerated() {
      guard let nibble = nibble(digit) else { throw DecodeError(.unexpectedByte, at: offset) }
      if let first = high {
        octets.append(first << 4 | nibble)
        high = nil
      } else {
        high = nibble
      }
    }
    guard high == nil else { throw DecodeError(.truncated, at: digits.count) }
    return octets
  }

  /// Writes octets in capital digits.
  public static func digits(_ octets: [UInt8]) -> [UInt8] {
    let alphabet = Array("0123456789ABCDEF".utf8)
    return octets.flatMap { [alphabet[Int($0 >> 4)], alphabet[Int($0 & 0x0F)]] }
  }

  private static func nibble(_ digit: UInt8) -> UInt8? {
    switch digit {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): digit - UInt8(ascii: "0")
    case UInt8(ascii: "A")...UInt8(ascii: "F"): digit - UInt8(ascii: "A") + 10
    case UInt8(ascii: "a")...UInt8(ascii: "f"): digit - UInt8(ascii: "a") + 10
    default: nil
    }
  }
}
