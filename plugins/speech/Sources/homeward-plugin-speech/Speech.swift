/// Samples of speech and what is done to them.
struct Speech: Hashable, Sendable {
  /// Silence left before the first sound, in milliseconds.
  static let leadMilliseconds = 20
  /// Silence left after the last sound, in milliseconds.
  static let tailMilliseconds = 80
  /// A sample further from zero than this is sound; about -50 dB beside full scale.
  static let threshold: UInt16 = 100

  /// 16-bit samples of one channel.
  var samples: [Int16]
  /// Samples a second.
  var sampleRate: Int

  /// The speech without the silence around it, but for a little; without any sample when all of it is silent.
  var trimmed: Speech {
    let isSound = { (sample: Int16) in sample.magnitude > Self.threshold }
    guard let first = samples.firstIndex(where: isSound),
      let last = samples.lastIndex(where: isSound)
    else { return Speech(samples: [], sampleRate: sampleRate) }
    let start = max(0, first - sampleRate * Self.leadMilliseconds / 1000)
    let end = min(samples.count, last + 1 + sampleRate * Self.tailMilliseconds / 1000)
    return Speech(samples: Array(samples[start..<end]), sampleRate: sampleRate)
  }

  /// A RIFF WAVE file.
  ///
  ///     offset  0     4     8     12     16  20   22  24    28    32  34  36    40    44...
  ///     field   RIFF  size  WAVE  fmt    16  PCM  ch  rate  B/s   blk bit data  size  samples
  ///     bytes   RIFF  ....  WAVE  "fmt " 16  1    1   22050 44100 2   16  data  ....  little-endian
  ///
  /// - Source: Microsoft and IBM, Multimedia Programming Interface and Data Specifications 1.0, 1991, pages 56-65.
  var waveFile: [UInt8] {
    let size = UInt32(clamping: samples.count * 2)
    var file: [UInt8] = []
    file.reserveCapacity(44 + samples.count * 2)
    func append<Number: FixedWidthInteger>(_ number: Number) {
      for shift in stride(from: 0, to: Number.bitWidth, by: 8) {
        file.append(UInt8(truncatingIfNeeded: number >> Number(shift)))
      }
    }
    file += Array("RIFF".utf8)
    append(size &+ 36)
    file += Array("WAVEfmt ".utf8)
    append(UInt32(16))
    append(UInt16(1))
    append(UInt16(1))
    append(UInt32(clamping: sampleRate))
    append(UInt32(clamping: sampleRate * 2))
    append(UInt16(2))
    append(UInt16(16))
    file += Array("data".utf8)
    append(size)
    for sample in samples { append(UInt16(bitPattern: sample)) }
    return file
  }
}
