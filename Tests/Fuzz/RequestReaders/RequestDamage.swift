import Bytes

/// Damages what browsers send, in a way that follows from its seed alone: bytes, words, and whole values.
public struct RequestDamage {
  private var chance: SplitMix64
  private let samples: [[UInt8]]

  /// What readers of texts and numbers may stumble over.
  private static let corners: [[UInt8]] = [
    "", "0", "-1", "9223372036854775807", "-9223372036854775808", "9223372036854775808", "1e308",
    "-0.0", "1e-400", "nan", "inf", "null", "true", "[]", "{}", "\"\"", "\"\\u0000\"",
    "\"\\ud800\"",
    "..", "%2e%2e", "%2f", "%00", "%ff", "%", "+", "*", "//", "\\", "\r\n", "\u{0}", "\u{FEFF}",
    "\u{202E}", "e\u{301}", "10000-01-01T00:00:00Z", "0000-00-00", "24:00:00", "localhost:0",
    "[::1]:65536", "Bearer", "W/", "\"", ";q=1e9", "application/json", "null;",
  ].map { Array($0.utf8) }

  /// Damage of samples.
  public init(of samples: [[UInt8]], seed: UInt64) {
    chance = SplitMix64(seed: seed)
    self.samples = samples
  }

  /// One of the samples, damaged in one to four places.
  public mutating func next() -> [UInt8] {
    var bytes = samples[below(samples.count)]
    for _ in 0...below(4) { damage(&bytes) }
    return bytes
  }

  private mutating func below(_ limit: Int) -> Int { Int(chance.next() % UInt64(limit)) }

  private mutating func damage(_ bytes: inout [UInt8]) {
    guard !bytes.isEmpty else { return bytes.append(UInt8(truncatingIfNeeded: chance.next())) }
    let place = below(bytes.count)
    switch below(8) {
    case 0: bytes[place] ^= 1 << UInt8(below(8))
    case 1: bytes[place] = UInt8(truncatingIfNeeded: chance.next())
    case 2: bytes.removeLast(bytes.count - place)
    case 3: bytes.insert(contentsOf: Self.corners[below(Self.corners.count)], at: place)
    case 4: bytes.replaceSubrange(word(at: place, in: bytes), with: other())
    default:
      let corner = Self.corners[below(Self.corners.count)]
      bytes.replaceSubrange(word(at: place, in: bytes), with: corner)
    }
  }

  /// The word around a place, with its quotation marks half of the time.
  private mutating func word(at place: Int, in bytes: [UInt8]) -> Range<Int> {
    func belongs(_ byte: UInt8) -> Bool {
      byte >= 0x80 || byte == 0x2B || byte == 0x2D || byte == 0x2E || byte == 0x5F
        || (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte)
        || (0x61...0x7A).contains(byte)
    }
    var (start, end) = (place, place)
    while start > 0, belongs(bytes[start - 1]) { start -= 1 }
    while end < bytes.count, belongs(bytes[end]) { end += 1 }
    let isQuoted =
      start > 0 && end < bytes.count && bytes[start - 1] == 0x22 && bytes[end] == 0x22
    return isQuoted && below(2) == 0 ? start - 1..<end + 1 : start..<end
  }

  /// A word of another sample.
  private mutating func other() -> [UInt8] {
    let sample = samples[below(samples.count)]
    return sample.isEmpty ? [] : Array(sample[word(at: below(sample.count), in: sample)])
  }
}
