import Bytes

/// What Bluetooth names services and characteristics by: 128 bits, of which most share all but 16 or 32.
///
/// - Source: Bluetooth Core Specification 5.4, volume 3, part B, section 2.5.1.
public struct BluetoothUUID: Hashable, Sendable, Comparable {
  /// `00000000-0000-1000-8000-00805F9B34FB`, which short ones are offsets from.
  private static let base: UInt128 = 0x0000_0000_0000_1000_8000_0080_5F9B_34FB

  /// All 128 bits; the first digit written is the highest.
  public let bits: UInt128

  /// A UUID of 128 bits.
  public init(bits: UInt128) { self.bits = bits }

  /// A UUID of 16 bits, as the Bluetooth SIG assigns them.
  public init(_ short: UInt16) { self.init(short32: UInt32(short)) }

  /// A UUID of 32 bits.
  public init(short32: UInt32) { bits = Self.base + UInt128(short32) << 96 }

  /// A UUID from 2, 4 or 16 octets as they are sent: the lowest first; nil with another count.
  public init?(octets: some Collection<UInt8>) {
    guard [2, 4, 16].contains(octets.count) else { return nil }
    var bits: UInt128 = 0
    for (place, octet) in octets.enumerated() { bits |= UInt128(octet) << (8 * place) }
    self.bits = octets.count == 16 ? bits : Self.base + bits << 96
  }

  /// A UUID as written, in either case: `1808`, `0000FEAA`, or all 36 characters; nil when it is none.
  public init?(_ text: some StringProtocol) {
    let parts = text.split(separator: "-", omittingEmptySubsequences: false)
    let lengths = parts.map(\.utf8.count)
    guard [[4], [8], [8, 4, 4, 4, 12]].contains(lengths),
      let octets = Hexadecimal.bytes(parts.joined())
    else { return nil }
    self.init(octets: octets.reversed())
  }

  /// The 16 bits of one that the Bluetooth SIG assigned; nil for others.
  public var short: UInt16? {
    bits & (UInt128.max >> 32) == Self.base ? UInt16(exactly: bits >> 96) : nil
  }

  /// All 36 characters in lower case.
  public var text: String {
    let digits = Array(
      Hexadecimal.text((0..<16).reversed().map { UInt8(truncatingIfNeeded: bits >> (8 * $0)) }))
    return [0..<8, 8..<12, 12..<16, 16..<20, 20..<32].map { String(digits[$0]) }
      .joined(separator: "-")
  }

  /// By number.
  public static func < (one: Self, other: Self) -> Bool { one.bits < other.bits }
}

extension BluetoothUUID: CustomStringConvertible {
  /// Four digits where the Bluetooth SIG assigned them, else all 36 characters.
  public var description: String {
    short.map { Hexadecimal.text([UInt8($0 >> 8), UInt8(truncatingIfNeeded: $0)]) } ?? text
  }
}
