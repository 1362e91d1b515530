import Texts

/// Judges whether bytes are a sentence that a speaker can play.
///
///     offset  0     4     8     12    16            20  22  24    28    32  34
///     field   RIFF  size  WAVE  fmt   16 or more    PCM ch  rate  B/s   blk bit   … data  size  samples
///
/// - Source: Microsoft and IBM, Multimedia Programming Interface and Data Specifications 1.0, 1991, pages 56-65.
enum WaveCheck {
  /// The smallest and the largest file, in bytes.
  static let fileBytes = 46...(16 << 20)
  /// The shortest and the longest speech, in milliseconds.
  static let milliseconds = 50...300_000
  /// Rates that a sound card is asked for.
  static let sampleRates = 8000...48_000

  /// Why bytes are no sentence.
  enum Fault: Error, Hashable, Sendable {
    case size(Int)
    case notWave
    case truncated
    case format
    case length(milliseconds: Int)

    var sentence: Message {
      switch self {
      case .size(let bytes): Message("its file has {bytes} bytes", ["bytes": bytes])
      case .notWave: Message("its file is no WAV file")
      case .truncated: Message("its file ends too early")
      case .format: Message("its file is not PCM with 16 bits and one channel")
      case .length(let milliseconds):
        Message("it lasts {milliseconds} ms", ["milliseconds": milliseconds])
      }
    }
  }

  /// Accepts a file or says what is wrong with it; answers how long the speech lasts.
  @discardableResult
  static func check(_ file: [UInt8]) throws(Fault) -> Int {
    guard fileBytes.contains(file.count) else { throw .size(file.count) }
    guard word(file, 0) == "RIFF", word(file, 8) == "WAVE" else { throw .notWave }
    var offset = 12
    var rate: Int?
    while let size = number(file, offset + 4, bytes: 4) {
      let start = offset + 8
      guard size <= file.count - start else { throw .truncated }
      switch word(file, offset) {
      case "fmt ": rate = try sampleRate(file, start, size: size)
      case "data":
        guard let rate else { throw .format }
        return try duration(bytes: size, rate: rate)
      default: break
      }
      offset = start + size + size % 2
    }
    throw .truncated
  }

  private static func sampleRate(
    _ file: [UInt8], _ start: Int, size: Int
  ) throws(Fault) -> Int {
    guard size >= 16, number(file, start, bytes: 2) == 1, number(file, start + 2, bytes: 2) == 1,
      let rate = number(file, start + 4, bytes: 4), sampleRates.contains(rate),
      number(file, start + 8, bytes: 4) == rate * 2, number(file, start + 12, bytes: 2) == 2,
      number(file, start + 14, bytes: 2) == 16
    else { throw .format }
    return rate
  }

  private static func duration(bytes: Int, rate: Int) throws(Fault) -> Int {
    guard bytes.isMultiple(of: 2) else { throw .truncated }
    let lasts = bytes / 2 * 1000 / rate
    guard milliseconds.contains(lasts) else { throw .length(milliseconds: lasts) }
    return lasts
  }

  private static func word(_ file: [UInt8], _ offset: Int) -> String? {
    guard offset >= 0, offset <= file.count - 4 else { return nil }
    return String(decoding: file[offset..<offset + 4], as: UTF8.self)
  }

  /// An unsigned little-endian number; nil when the file ends before it.
  private static func number(_ file: [UInt8], _ offset: Int, bytes: Int) -> Int? {
    guard offset >= 0, offset <= file.count - bytes else { return nil }
    return file[offset..<offset + bytes].reversed().reduce(0) { $0 << 8 | Int($1) }
  }
}
