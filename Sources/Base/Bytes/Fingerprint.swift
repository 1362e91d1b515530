/// A short stable name of a text: the same in every process, on every machine, in every version.
///
/// It tells texts apart, it does not protect: somebody who wants to can find two texts of one fingerprint.
///
/// - Source: FNV-1a with 128 bits, draft-eastlake-fnv-17, sections 2 and 5.
public struct Fingerprint: Hashable, Sendable {
  private static let start = UInt128(0x6c62_272e_07bb_0142_62b8_2175_6295_c58d)
  private static let prime = UInt128(0x0000_0000_0100_0000_0000_0000_0000_013b)

  private var state = Self.start

  /// The fingerprint of texts in order; a boundary between two texts counts.
  public init(_ parts: [String]) {
    for (index, part) in parts.enumerated() {
      if index > 0 { take(0xFF) }
      for byte in part.utf8 { take(byte) }
    }
  }

  /// 32 lower-case hexadecimal digits.
  public var hexadecimal: String {
    let digits = String(state, radix: 16)
    return String(repeating: "0", count: 32 - digits.utf8.count) + digits
  }

  private mutating func take(_ byte: UInt8) {
    state = (state ^ UInt128(byte)) &* Self.prime
  }
}
