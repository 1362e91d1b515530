import Bytes

/// Spoken words as samples, one channel.
struct WaveClip: Hashable, Sendable {
  /// Samples a second, 4,000 through 192,000.
  var rate: Int
  var samples: [Int16]

  var milliseconds: Int64 { Int64(samples.count) * 1000 / Int64(rate) }

  init(rate: Int, samples: [Int16]) {
    self.rate = rate
    self.samples = samples
  }

  /// Reads a WAV file of 16-bit PCM; of several channels the first.
  ///
  ///     offset  0....3  4..7  8..11  then chunks: 0..3   4..7    8…
  ///     field   RIFF    size  WAVE               name   length  content, padded to an even length
  ///     `fmt `  0.1 format (1)  2.3 channels  4..7 rate  12.13 bytes a frame  14.15 bits
  ///
  /// - Source: Microsoft and IBM, Multimedia Programming Interface and Data Specifications 1.0.
  init(waveFile bytes: [UInt8]) throws(DecodeError) {
    guard Self.word(bytes, 0) == "RIFF", Self.word(bytes, 8) == "WAVE" else {
      throw DecodeError(.unexpectedByte, at: 0, field: "RIFF")
    }
    var offset = 12
    var format: (rate: Int, channels: Int)?
    while let name = Self.word(bytes, offset), let length = Self.number(bytes, offset + 4, 4) {
      let start = offset + 8
      if name == "fmt " { format = try Self.format(bytes, start) }
      if name == "data" {
        guard let format else { throw DecodeError(.unexpectedByte, at: offset, field: "data") }
        // A file that was written while its length was not known yet says too much.
        let end = min(bytes.count, start + length)
        samples = stride(from: start, through: end - 2, by: 2 * format.channels).map {
          Int16(bitPattern: UInt16(bytes[$0]) | UInt16(bytes[$0 + 1]) << 8)
        }
        rate = format.rate
        guard !samples.isEmpty else { throw DecodeError(.truncated, at: start, field: "data") }
        return
      }
      offset = start + length + length % 2
    }
    throw DecodeError(.truncated, at: bytes.count, field: "data")
  }

  private static func format(
    _ bytes: [UInt8], _ start: Int
  ) throws(DecodeError) -> (rate: Int, channels: Int) {
    guard let kind = number(bytes, start, 2), let channels = number(bytes, start + 2, 2),
      let rate = number(bytes, start + 4, 4), let bits = number(bytes, start + 14, 2)
    else { throw DecodeError(.truncated, at: bytes.count, field: "fmt") }
    guard kind == 1, bits == 16, (1...8).contains(channels), (4000...192_000).contains(rate) else {
      throw DecodeError(.outOfRange, at: start, field: "fmt")
    }
    return (rate, channels)
  }

  private static func word(_ bytes: [UInt8], _ offset: Int) -> String? {
    guard offset + 4 <= bytes.count else { return nil }
    return String(decoding: bytes[offset..<(offset + 4)], as: UTF8.self)
  }

  private static func number(_ bytes: [UInt8], _ offset: Int, _ count: Int) -> Int? {
    guard offset + count <= bytes.count else { return nil }
    let number = bytes[offset..<(offset + count)].reversed().reduce(UInt64(0)) {
      $0 << 8 | UInt64($1)
    }
    return Int(exactly: number)
  }

  /// The same words at another rate; upwards on straight lines, downwards the mean of what falls together.
  func resampled(to other: Int) -> WaveClip {
    guard other != rate, other > 0, let last = samples.indices.last else { return self }
    let count = samples.count * other / rate
    let sounds = (0..<count).map { index -> Int16 in
      let first = min(index * rate / other, last)
      guard other < rate else {
        let next = min(first + 1, last)
        let share = index * rate % other
        return Int16(
          clamping: (Int(samples[first]) * (other - share) + Int(samples[next]) * share) / other)
      }
      let end = min(max(first + 1, (index + 1) * rate / other), last + 1)
      return Int16(clamping: samples[first..<end].reduce(0) { $0 + Int($1) } / (end - first))
    }
    return WaveClip(rate: other, samples: sounds)
  }
}
