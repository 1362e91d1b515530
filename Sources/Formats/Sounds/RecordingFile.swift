public import Texts

/// A recording of somebody's voice that was checked, and written anew with nothing in it but the sound.
///
/// It is a WAV file of 16 bits PCM, one channel, 8,000 through 48,000 frames a second, at most a minute long. Unlike
/// ``WAVSound``, which plays what speech engines make, it takes nothing that does not say exactly what is there: it comes
/// from outside. Texts that stand beside the sound, such as who recorded it with what, go.
public struct RecordingFile: Hashable, Sendable {
  /// The largest file that is taken, in bytes: a minute of 16,000 frames a second, and a little.
  public static let bytesAtMost = 2_000_000
  /// The longest recording, in milliseconds.
  public static let millisecondsAtMost = 60_000
  /// The shortest one, in milliseconds: a key that was touched by mistake says nothing.
  public static let millisecondsAtLeast = 300
  /// Frames a second.
  public static let sampleRates = 8_000...48_000
  /// Chunks of a file, the sound among them.
  static let chunksAtMost = 32

  /// Frames a second.
  public let sampleRate: Int
  /// How many frames there are, each one sample.
  public let frameCount: Int
  /// The file: 44 bytes and the samples.
  public let bytes: [UInt8]

  /// How long it lasts, in milliseconds, rounded down.
  public var milliseconds: Int { frameCount * 1000 / sampleRate }

  /// Checks a file and writes it anew.
  ///
  /// - Throws: what is wrong, with the offset of the fault.
  /// - Source: Multimedia Programming Interface and Data Specifications 1.0, RIFF WAVE; WAVEFORMATEXTENSIBLE.
  public init(checking file: [UInt8]) throws(RecordingFault) {
    guard !file.isEmpty else {
      throw RecordingFault(.notASound, at: 0, Message("The file is empty."))
    }
    guard file.count <= Self.bytesAtMost else {
      throw RecordingFault(
        .tooLarge, at: Self.bytesAtMost,
        Message(
          "The recording is larger than {limit} MB. Make it shorter.",
          ["limit": Self.bytesAtMost / 1_000_000]))
    }
    let sound = try Self.sound(in: file)
    sampleRate = sound.sampleRate
    frameCount = sound.samples.count / 2
    guard frameCount * 1000 >= Self.millisecondsAtLeast * sampleRate else {
      throw RecordingFault(
        .tooShort, at: sound.samples.startIndex,
        Message("There is nothing to hear in this recording: it is too short."))
    }
    guard frameCount * 1000 <= Self.millisecondsAtMost * sampleRate else {
      throw RecordingFault(
        .tooLarge, at: sound.samples.startIndex,
        Message(
          "The recording is longer than {limit} seconds. Make it shorter.",
          ["limit": Self.millisecondsAtMost / 1000]))
    }
    bytes = WAVWriter.header(frames: frameCount, sampleRate: sampleRate) + sound.samples
  }

  private static func sound(
    in file: [UInt8]
  ) throws(RecordingFault) -> (sampleRate: Int, samples: ArraySlice<UInt8>) {
    let chunks = WAVChunks(bytes: file)
    guard chunks.isName("RIFF", at: 0), chunks.isName("WAVE", at: 8) else {
      throw RecordingFault(
        .notASound, at: 0, Message("The file is no WAV. Save the recording in this format first."))
    }
    guard chunks.number(4, at: 4) == file.count - 8 else {
      throw RecordingFault.truncated(at: 4)
    }
    var sampleRate: Int?
    var samples: ArraySlice<UInt8>?
    var offset = 12
    for _ in 0..<chunksAtMost {
      guard offset < file.count else { break }
      guard let size = chunks.number(4, at: offset + 4), size <= file.count - offset - 8 else {
        throw RecordingFault.truncated(at: offset)
      }
      let content = offset + 8
      if chunks.isName("fmt ", at: offset) {
        guard sampleRate == nil else { throw RecordingFault.malformed(at: offset) }
        sampleRate = try Self.sampleRate(chunks, at: content, size: size)
      } else if chunks.isName("data", at: offset) {
        guard sampleRate != nil, samples == nil, size % 2 == 0 else {
          throw RecordingFault.malformed(at: offset)
        }
        samples = file[content..<content + size]
      }
      offset = content + size + size % 2
    }
    // The padding of the last chunk may be missing, and nothing else.
    guard offset == file.count || offset == file.count + 1, let sampleRate, let samples else {
      throw RecordingFault.malformed(at: min(offset, file.count))
    }
    return (sampleRate, samples)
  }

  private static func sampleRate(
    _ chunks: WAVChunks, at offset: Int, size: Int
  ) throws(RecordingFault) -> Int {
    func number(_ size: Int, at place: Int) -> Int { chunks.number(size, at: offset + place) ?? 0 }
    guard size == 16 || size == 18 || size == 40 else {
      throw RecordingFault.malformed(at: offset)
    }
    let isExtensible = size == 40 && number(2, at: 0) == 0xFFFE
    guard number(2, at: isExtensible ? 24 : 0) == 1, number(2, at: 14) == 16 else {
      throw RecordingFault(
        .unsupported, at: offset,
        Message("The recording is no PCM of 16 bits. Save it as such first."))
    }
    guard number(2, at: 2) == 1 else {
      throw RecordingFault(
        .unsupported, at: offset + 2,
        Message("The recording has more than one channel. Save it as mono first."))
    }
    let rate = number(4, at: 4)
    guard sampleRates.contains(rate) else {
      throw RecordingFault(
        .unsupported, at: offset + 4,
        Message(
          "The recording has {rate} samples a second. Save it with {least} through {most} first.",
          ["rate": rate, "least": sampleRates.lowerBound, "most": sampleRates.upperBound]))
    }
    guard number(4, at: 8) == 2 * rate, number(2, at: 12) == 2 else {
      throw RecordingFault.malformed(at: offset + 8)
    }
    return rate
  }
}

/// Why a file is not taken as a recording.
public struct RecordingFault: Error, Hashable, Sendable, CustomStringConvertible {
  /// Kinds of fault.
  public enum Code: String, Hashable, Sendable, CaseIterable {
    /// It is something else.
    case notASound = "not-a-sound"
    /// It ends before it says that it does, or goes on behind.
    case truncated
    /// It breaks the rules of its format.
    case malformed
    /// It is a kind of sound that is not taken: of other samples, channels or rates.
    case unsupported
    /// There is nothing to hear.
    case tooShort = "too-short"
    /// Too many bytes or seconds.
    case tooLarge = "too-large"
  }

  /// The kind.
  public let code: Code
  /// Offset of the fault from the start of the file.
  public let offset: Int
  /// One plain sentence, or two.
  public let message: Message

  init(_ code: Code, at offset: Int, _ message: Message) {
    self.code = code
    self.offset = offset
    self.message = message
  }

  static func truncated(at offset: Int) -> RecordingFault {
    RecordingFault(
      .truncated, at: offset, Message("The recording is not as long as it says. Bring it again."))
  }

  static func malformed(at offset: Int) -> RecordingFault {
    RecordingFault(
      .malformed, at: offset, Message("The recording breaks the rules of WAV files."))
  }

  /// The sentence.
  public var description: String { message.description }
}

/// Looks at little-endian numbers and four-letter names, as far as there are bytes.
struct WAVChunks {
  let bytes: [UInt8]

  /// A number of 2 or 4 bytes; nil where the file ends before it does.
  func number(_ size: Int, at offset: Int) -> Int? {
    guard offset >= 0, offset <= bytes.count - size else { return nil }
    return (0..<size).reduce(0) { $0 | Int(bytes[offset + $1]) << (8 * $1) }
  }

  func isName(_ name: String, at offset: Int) -> Bool {
    offset >= 0 && offset <= bytes.count - 4 && bytes[offset..<offset + 4].elementsEqual(name.utf8)
  }
}
