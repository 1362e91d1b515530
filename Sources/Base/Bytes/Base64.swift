/// Bytes as letters, digits, `+` and `/`, and back.
///
/// - Source: RFC 4648, section 4.
public enum Base64 {
  private static let alphabet = Array(
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)

  /// The text of some bytes, with `=` at its end as needed.
  public static func encode(_ bytes: some Collection<UInt8>) -> [UInt8] {
    var text: [UInt8] = []
    text.reserveCapacity((bytes.count + 2) / 3 * 4)
    var (bits, count): (UInt32, Int) = (0, 0)
    for byte in bytes {
      bits = bits << 8 | UInt32(byte)
      count += 1
      if count == 3 {
        append(bits, digits: 4, to: &text)
        (bits, count) = (0, 0)
      }
    }
    if count > 0 {
      append(bits << UInt32(8 * (3 - count)), digits: count + 1, to: &text)
      text.append(contentsOf: repeatElement(UInt8(ascii: "="), count: 3 - count))
    }
    return text
  }

  private static func append(_ bits: UInt32, digits: Int, to text: inout [UInt8]) {
    for digit in 0..<digits {
      text.append(alphabet[Int(bits >> UInt32(18 - 6 * digit) & 0x3F)])
    }
  }

  /// The bytes of a text; nil when it is not Base64 with its `=`.
  public static func decode(_ text: some StringProtocol) -> [UInt8]? {
    let letters = Array(text.utf8)
    guard letters.count.isMultiple(of: 4) else { return nil }
    let padding = letters.reversed().prefix { $0 == UInt8(ascii: "=") }.count
    guard padding <= 2 else { return nil }
    var bytes: [UInt8] = []
    var (bits, count): (UInt32, Int) = (0, 0)
    for letter in letters.dropLast(padding) {
      guard let digit = digit(letter) else { return nil }
      bits = bits << 6 | digit
      count += 6
      guard count >= 8 else { continue }
      count -= 8
      bytes.append(UInt8(truncatingIfNeeded: bits >> UInt32(count)))
    }
    return bytes
  }

  private static func digit(_ letter: UInt8) -> UInt32? {
    switch letter {
    case 0x41...0x5A: UInt32(letter) - 0x41
    case 0x61...0x7A: UInt32(letter) - 0x61 + 26
    case 0x30...0x39: UInt32(letter) - 0x30 + 52
    case UInt8(ascii: "+"): 62
    case UInt8(ascii: "/"): 63
    default: nil
    }
  }
}
