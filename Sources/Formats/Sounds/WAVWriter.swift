/// Writes patterns as WAV files: 16 bits PCM, one channel.
public enum WAVWriter {
  /// The whole file of one pass of a pattern; the longest pattern takes 1 MB.
  public static func file(of pattern: SoundPattern, sampleRate: Int = 48_000) -> [UInt8] {
    var synthesizer = PatternSynthesizer(pattern, sampleRate: sampleRate)
    var bytes = header(frames: synthesizer.totalFrames, sampleRate: synthesizer.sampleRate)
    bytes.reserveCapacity(bytes.count + 2 * synthesizer.totalFrames)
    withUnsafeTemporaryAllocation(of: Float.self, capacity: 4096) { block in
      while case let count = synthesizer.render(into: block), count > 0 {
        for frame in block[..<count] { append(UInt16(bitPattern: sample(frame)), 2, to: &bytes) }
      }
    }
    return bytes
  }

  /// The 44 bytes before so many frames of one channel.
  public static func header(frames: Int, sampleRate: Int) -> [UInt8] {
    var bytes = Array("RIFF".utf8)
    append(36 + 2 * frames, 4, to: &bytes)
    bytes += Array("WAVEfmt ".utf8)
    for (number, size) in [(16, 4), (1, 2), (1, 2), (sampleRate, 4), (2 * sampleRate, 4)] {
      append(number, size, to: &bytes)
    }
    for (number, size) in [(2, 2), (16, 2)] { append(number, size, to: &bytes) }
    bytes += Array("data".utf8)
    append(2 * frames, 4, to: &bytes)
    return bytes
  }

  /// A frame of -1...1 as 16 bits; what lies outside stays at the rim, what is no number is silence.
  public static func sample(_ frame: Float) -> Int16 {
    guard frame.isFinite else { return 0 }
    return Int16(max(-32_768, min(32_767, (frame * 32_767).rounded())))
  }

  private static func append(_ number: some FixedWidthInteger, _ size: Int, to bytes: inout [UInt8])
  {
    for index in 0..<size { bytes.append(UInt8(truncatingIfNeeded: number >> (8 * index))) }
  }
}
