import Bytes

/// Damages bytes in a way that follows from its seed alone.
struct Mutator {
  private var chance: SplitMix64

  /// Bytes at which signs, lengths and special numbers turn.
  private static let corners: [UInt8] = [0x00, 0x01, 0x07, 0x08, 0x7F, 0x80, 0xFE, 0xFF]

  init(seed: UInt64) { chance = SplitMix64(seed: seed) }

  /// One of a message's samples, damaged in one to four places; half of them are mended afterwards.
  mutating func next(_ message: FuzzedMessage) -> [UInt8] {
    var bytes = message.samples[below(message.samples.count)]
    for _ in 0...below(4) { damage(&bytes) }
    return below(2) == 0 ? message.mend(bytes) : bytes
  }

  private mutating func below(_ limit: Int) -> Int { Int(chance.next() % UInt64(limit)) }

  private mutating func byte() -> UInt8 { UInt8(truncatingIfNeeded: chance.next()) }

  private mutating func damage(_ bytes: inout [UInt8]) {
    guard !bytes.isEmpty else { return bytes.append(byte()) }
    let place = below(bytes.count)
    switch below(10) {
    case 0, 1, 2: bytes[place] ^= 1 << UInt8(below(8))
    case 3, 4: bytes[place] = byte()
    case 5, 6: bytes[place] = Self.corners[below(Self.corners.count)]
    case 7: bytes.remove(at: place)
    case 8: bytes.insert(byte(), at: place)
    default: bytes.removeLast(bytes.count - place)
    }
  }
}
