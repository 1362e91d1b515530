public import Bytes
public import Care
public import Moments

/// One fix of a recorded track.
public struct TimedFix: Hashable, Sendable {
  /// When it was measured, as far as the file says.
  public var time: Timestamp?
  /// What the receiver reported.
  public var report: FixReport

  /// A fix with its time.
  public init(time: Timestamp?, report: FixReport) {
    self.time = time
    self.report = report
  }
}

/// Reads recorded tracks: GPX, NMEA 0183 and the JSON lines of gpsd, told apart by their content.
///
/// Damaged parts are skipped and counted; only a file of no known format, or one that is too large, is an error.
public enum TrackFile {
  /// The kinds of file that are understood.
  public enum Format: String, Hashable, Sendable, CaseIterable {
    /// GPX 1.0 and 1.1, track points.
    case gpx
    /// NMEA 0183 sentences RMC, GGA, GSA and ZDA of any talker.
    case nmea
    /// One JSON object a line, as gpsd sends them; TPV is used.
    case gpsd
  }

  /// What a file holds.
  public struct Contents: Hashable, Sendable {
    /// How it was understood.
    public var format: Format
    /// The fixes in the order of the file.
    public var fixes: [TimedFix]
    /// Lines or points that were damaged and left out.
    public var skippedCount: Int

    /// Contents from their parts.
    public init(format: Format, fixes: [TimedFix], skippedCount: Int) {
      self.format = format
      self.fixes = fixes
      self.skippedCount = skippedCount
    }
  }

  /// The largest file that is read: 64 MiB, some months of a receiver at 1 Hz.
  public static let maximumBytes = 64 << 20

  /// The fixes of a file given as text; see ``contents(of:)``.
  public static func read(_ text: String) throws(DecodeError) -> [TimedFix] {
    try contents(of: Array(text.utf8)).fixes
  }

  /// The fixes of a file given as bytes; see ``contents(of:)``.
  public static func read(_ bytes: [UInt8]) throws(DecodeError) -> [TimedFix] {
    try contents(of: bytes).fixes
  }

  /// What a file holds, with the count of what was left out.
  ///
  /// - Throws: `tooLarge` beyond ``maximumBytes``; `unexpectedByte` when it is neither GPX nor NMEA nor gpsd JSON.
  public static func contents(of bytes: [UInt8]) throws(DecodeError) -> Contents {
    guard bytes.count <= maximumBytes else { throw DecodeError(.tooLarge, at: maximumBytes) }
    switch format(of: bytes) {
    case .gpx:
      var reader = GPXReader(bytes)
      reader.run()
      return Contents(format: .gpx, fixes: reader.fixes, skippedCount: reader.skippedCount)
    case .nmea:
      var reader = NMEAReader()
      for line in Lines(bytes) { reader.take(line) }
      reader.finish()
      return Contents(format: .nmea, fixes: reader.fixes, skippedCount: reader.skippedCount)
    case .gpsd:
      var reader = GPSDReader()
      for line in Lines(bytes) { reader.take(line) }
      return Contents(format: .gpsd, fixes: reader.fixes, skippedCount: reader.skippedCount)
    case nil: throw DecodeError(.unexpectedByte, at: 0)
    }
  }

  /// How a file will be understood; nil when it is of no known format.
  ///
  /// A file with JSON and NMEA lines, as gpsd's own test outputs are, counts as gpsd's.
  public static func format(of bytes: [UInt8]) -> Format? {
    var hasSentence = false
    for line in Lines(bytes) {
      guard let first = line.first(where: { !Lines.isBlank($0) && !Lines.byteOrderMark($0) })
      else { continue }
      if first == UInt8(ascii: "<") { return .gpx }
      if first == UInt8(ascii: "{") { return .gpsd }
      if first == UInt8(ascii: "$") { hasSentence = true }
    }
    return hasSentence ? .nmea : nil
  }

  /// The name under which fixes of a file are reported.
  static let source: SourceID = "track"
}

/// The lines of a file, ended by line feeds, carriage returns or both.
struct Lines: Sequence, IteratorProtocol {
  private let bytes: [UInt8]
  private var index = 0

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  mutating func next() -> ArraySlice<UInt8>? {
    guard index < bytes.count else { return nil }
    let rest = bytes[index...]
    let end = rest.firstIndex { $0 == 0x0A || $0 == 0x0D } ?? bytes.count
    index = end + 1
    return rest[..<end]
  }

  static func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || (0x09...0x0D).contains(byte) }

  static func byteOrderMark(_ byte: UInt8) -> Bool { [0xEF, 0xBB, 0xBF].contains(byte) }
}
