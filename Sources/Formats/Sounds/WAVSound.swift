public import Bytes

/// A WAV file in memory: 8 or 16 bits PCM, one or two channels, 4,000 through 192,000 frames a second.
///
///     offset  0...3  4...7  8..11  12..15  16..19  20.21  22.23  24..27  28..31  32.33  34.35  then chunks
///     field   RIFF   size   WAVE   "fmt "  16      format ch     rate    B/s     align  bits   "data" size samples
///     bytes   52494646 …           666d7420 10000000 0100 0100   22560000 44ac0000 0200 1000
///
/// Chunks may stand in any order as long as `fmt ` comes before `data`; unknown ones are passed over, each padded to an
/// even length. Sizes of RIFF and `data` are believed only as far as there are bytes: a speech engine that writes to a pipe
/// puts 0x7ffff000 there. Two channels become one.
///
/// - Source: Multimedia Programming Interface and Data Specifications 1.0, RIFF WAVE; WAVEFORMATEXTENSIBLE.
public struct WAVSound: Sendable, Hashable {
  /// Frames a second.
  public let sampleRate: Int
  /// How many frames there are.
  public let frameCount: Int
  private let bytes: [UInt8]
  private let start: Int
  private let channels: Int
  private let bits: Int

  /// Reads a whole file.
  public init(_ bytes: [UInt8]) throws(DecodeError) {
    self.bytes = bytes
    let reader = ChunkReader(bytes: bytes)
    try reader.expect("RIFF", at: 0)
    try reader.expect("WAVE", at: 8)
    var format: Format?
    var offset = 12
    while true {
      guard offset < bytes.count else {
        throw DecodeError(.missingField, at: offset, field: "data")
      }
      let size = try reader.number(4, at: offset + 4)
      let content = offset + 8
      if reader.isName("fmt ", at: offset) {
        format = try Format(reader, at: content, size: size)
      } else if reader.isName("data", at: offset) {
        guard let format else { throw DecodeError(.missingField, at: offset, field: "fmt ") }
        sampleRate = format.sampleRate
        channels = format.channels
        bits = format.bits
        start = content
        frameCount = min(size, bytes.count - content) / (format.channels * format.bits / 8)
        return
      }
      offset = content + size + size % 2
    }
  }

  /// How long it lasts, rounded down.
  public var durationMilliseconds: Int { frameCount * 1000 / sampleRate }

  /// One frame, both channels as one, within -1..<1; silence before the first and after the last.
  func frame(_ index: Int) -> Float {
    guard index >= 0, index < frameCount else { return 0 }
    let place = start + index * channels * bits / 8
    let left = sample(at: place)
    return channels == 1 ? left : (left + sample(at: place + bits / 8)) / 2
  }

  private func sample(at place: Int) -> Float {
    if bits == 8 { return Float(Int(bytes[place]) - 128) / 128 }
    return Float(Int16(bitPattern: UInt16(bytes[place]) | UInt16(bytes[place + 1]) << 8)) / 32_768
  }

  private struct Format {
    var sampleRate: Int
    var channels: Int
    var bits: Int

    init(_ reader: ChunkReader, at offset: Int, size: Int) throws(DecodeError) {
      guard size >= 16 else { throw DecodeError(.truncated, at: offset, field: "fmt ") }
      var code = try reader.number(2, at: offset)
      if code == 0xFFFE {
        guard size >= 40 else { throw DecodeError(.truncated, at: offset, field: "fmt ") }
        code = try reader.number(2, at: offset + 24)
      }
      guard code == 1 else { throw DecodeError(.wrongType, at: offset, field: "format") }
      channels = try reader.number(2, at: offset + 2)
      guard (1...2).contains(channels) else {
        throw DecodeError(.outOfRange, at: offset + 2, field: "channels")
      }
      sampleRate = try reader.number(4, at: offset + 4)
      guard (4_000...192_000).contains(sampleRate) else {
        throw DecodeError(.outOfRange, at: offset + 4, field: "sample rate")
      }
      bits = try reader.number(2, at: offset + 14)
      guard bits == 8 || bits == 16 else {
        throw DecodeError(.outOfRange, at: offset + 14, field: "bits per sample")
      }
      guard try reader.number(2, at: offset + 12) == channels * bits / 8 else {
        throw DecodeError(.outOfRange, at: offset + 12, field: "block align")
      }
    }
  }
}

/// Checked access to little-endian numbers and four-letter names.
private struct ChunkReader {
  private let chunks: WAVChunks

  init(bytes: [UInt8]) { chunks = WAVChunks(bytes: bytes) }

  func number(_ size: Int, at offset: Int) throws(DecodeError) -> Int {
    guard let number = chunks.number(size, at: offset) else {
      throw DecodeError(.truncated, at: chunks.bytes.count)
    }
    return number
  }

  func isName(_ name: String, at offset: Int) -> Bool { chunks.isName(name, at: offset) }

  func expect(_ name: String, at offset: Int) throws(DecodeError) {
    guard chunks.bytes.count >= offset + 4 else {
      throw DecodeError(.truncated, at: chunks.bytes.count)
    }
    guard isName(name, at: offset) else {
      throw DecodeError(.unexpectedByte, at: offset, field: name)
    }
  }
}
