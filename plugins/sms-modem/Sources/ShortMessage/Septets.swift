/// Seven-bit characters in octets, first one lowest.
///
///     octet      0         1         2
///     bits   bbaaaaaa a cccbbbbb … : 7 bits of each septet follow the last one's, from bit 0 upwards
///     "hell" 68 65 6C 6C → E8 32 9B 0D
///
/// - Source: 3GPP TS 23.038, section 6.1.2.1.
enum Septets {
  /// Packs septets behind so many fill bits.
  static func packed(_ septets: [UInt8], fillBits: Int = 0) -> [UInt8] {
    var octets = [UInt8](repeating: 0, count: (septets.count * 7 + fillBits + 7) / 8)
    for (index, septet) in septets.enumerated() {
      let bit = index * 7 + fillBits
      let shifted = UInt16(septet & 0x7F) << UInt16(bit % 8)
      octets[bit / 8] |= UInt8(truncatingIfNeeded: shifted)
      if shifted > 0xFF { octets[bit / 8 + 1] |= UInt8(truncatingIfNeeded: shifted >> 8) }
    }
    return octets
  }

  /// Unpacks at most `count` septets behind so many fill bits; fewer when the octets end before.
  static func unpacked(_ octets: [UInt8], count: Int, fillBits: Int = 0) -> [UInt8] {
    let available = max(0, (octets.count * 8 - fillBits) / 7)
    return (0..<min(max(0, count), available)).map { index in
      let bit = index * 7 + fillBits
      let low = UInt16(octets[bit / 8])
      let high = bit / 8 + 1 < octets.count ? UInt16(octets[bit / 8 + 1]) : 0
      return UInt8(truncatingIfNeeded: (high << 8 | low) >> UInt16(bit % 8)) & 0x7F
    }
  }
}
