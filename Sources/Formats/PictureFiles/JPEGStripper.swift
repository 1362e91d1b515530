import Bytes
import Texts

/// JPEG, marker by marker.
///
///     FF D8 | FF E1 len EXIF | FF DB len tables | FF C0 len frame | FF C4 len tables | FF DA len scan data … | FF D9
///
/// `len` counts itself; within the data of a scan FF is followed by 00 or by a restart marker.
///
/// - Source: ITU-T T.81, annex B; JFIF 1.02; EXIF 2.32, section 4.5.
struct JPEGStripper {
  static let start: [UInt8] = [0xFF, 0xD8]

  private enum Marker {
    static let end: UInt8 = 0xD9
    static let scan: UInt8 = 0xDA
    static let quantization: UInt8 = 0xDB
    static let huffman: UInt8 = 0xC4
    static let restartInterval: UInt8 = 0xDD
    static let restarts: ClosedRange<UInt8> = 0xD0...0xD7
    static let applications: ClosedRange<UInt8> = 0xE0...0xEF
    static let comment: UInt8 = 0xFE
    /// Baseline, extended and progressive, Huffman coded: what every program shows.
    static let frames: ClosedRange<UInt8> = 0xC0...0xC2
    static let otherFrames: ClosedRange<UInt8> = 0xC3...0xCF
  }

  private var reader: ByteReader
  private let keepsPosition: Bool
  private var kept: [UInt8] = start
  private var size: (width: Int, height: Int)?
  private var components = 0
  private var orientation: UInt16?
  /// Where the orientation is put back: after JFIF's own segment, which comes first.
  private var orientationPlace = 2
  private var hasScan = false
  private var hasKeptEXIF = false
  private var hasProfile = false

  private init(_ file: [UInt8], keepsPosition: Bool) {
    reader = ByteReader(file)
    self.keepsPosition = keepsPosition
    kept.reserveCapacity(file.count)
  }

  static func strip(
    _ file: [UInt8], keepsPosition: Bool
  ) throws(PictureFault) -> StrippedPicture {
    var stripper = JPEGStripper(file, keepsPosition: keepsPosition)
    return try stripper.run()
  }

  private mutating func run() throws(PictureFault) -> StrippedPicture {
    _ = try reader.take(2)
    while true {
      let marker = try nextMarker()
      if marker == Marker.end { break }
      try take(marker)
    }
    guard let size, hasScan else {
      throw PictureFault(
        .malformed, at: reader.offset, Message("There is no picture in this JPEG file."))
    }
    kept += [0xFF, Marker.end]
    if let orientation, !hasKeptEXIF, (2...8).contains(orientation) {
      kept.insert(contentsOf: EXIF.segment(orientation: orientation), at: orientationPlace)
    }
    return StrippedPicture(
      width: size.width, height: size.height, orientation: orientation, bytes: kept)
  }

  private mutating func nextMarker() throws(PictureFault) -> UInt8 {
    let place = reader.offset
    guard try reader.byte() == 0xFF else {
      throw PictureFault(.malformed, at: place, Message("The JPEG file is damaged."))
    }
    var marker = try reader.byte()
    // Fill bytes.
    while marker == 0xFF { marker = try reader.byte() }
    return marker
  }

  private mutating func take(_ marker: UInt8) throws(PictureFault) {
    let place = reader.offset
    // Markers without a segment stand nowhere but within a scan.
    guard marker >= 0xC0, marker != 0xD8, !Marker.restarts.contains(marker) else {
      throw PictureFault(.malformed, at: place, Message("The JPEG file is damaged."))
    }
    let length = try reader.number(2)
    guard length >= 2 else {
      throw PictureFault(.malformed, at: place, Message("The JPEG file is damaged."))
    }
    let content = try reader.take(length - 2)
    switch marker {
    case Marker.frames: try takeFrame(marker, content, at: place)
    case Marker.huffman:
      try check(Self.isHuffmanTables(content), at: place)
      keep(marker, content)
    case Marker.otherFrames:
      throw PictureFault(
        .unsupported, at: place,
        Message(
          "This kind of JPEG is shown by few programs. Save the picture as an ordinary JPEG first.")
      )
    case Marker.quantization:
      try check(Self.isQuantizationTables(content), at: place)
      keep(marker, content)
    case Marker.restartInterval:
      try check(content.count == 2, at: place)
      keep(marker, content)
    case Marker.scan: try takeScan(content, at: place)
    case Marker.applications: takeApplication(marker, content)
    case Marker.comment: break
    default:
      throw PictureFault(
        .unsupported, at: place,
        Message(
          "This kind of JPEG is shown by few programs. Save the picture as an ordinary JPEG first.")
      )
    }
  }

  private func check(_ isRight: Bool, at place: Int) throws(PictureFault) {
    guard isRight else {
      throw PictureFault(.malformed, at: place, Message("The JPEG file is damaged."))
    }
  }

  private mutating func keep(_ marker: UInt8, _ content: some Collection<UInt8>) {
    let length = content.count + 2
    kept += [
      0xFF, marker, UInt8(truncatingIfNeeded: length >> 8), UInt8(truncatingIfNeeded: length),
    ]
    kept += content
  }

  // MARK: Frame and scans

  /// `precision height height width width components (id sampling table)…`
  private mutating func takeFrame(
    _ marker: UInt8, _ content: ArraySlice<UInt8>, at place: Int
  ) throws(PictureFault) {
    let frame = Array(content)
    try check(size == nil && frame.count >= 6, at: place)
    components = Int(frame[5])
    let (height, width) = (Int(frame[1]) << 8 | Int(frame[2]), Int(frame[3]) << 8 | Int(frame[4]))
    try check((1...4).contains(components) && frame.count == 6 + 3 * components, at: place)
    try PictureFile.checkSize(width, height, at: place)
    guard frame[0] == 8 else {
      throw PictureFault(
        .unsupported, at: place,
        Message(
          "This JPEG has {n} bits a colour, which few programs show. Save it with 8 first.",
          ["n": frame[0]]))
    }
    size = (width, height)
    keep(marker, content)
  }

  /// A scan's header and, up to the next marker, its data.
  private mutating func takeScan(
    _ content: ArraySlice<UInt8>, at place: Int
  ) throws(PictureFault) {
    let count = content.first.map(Int.init) ?? 0
    try check(
      size != nil && (1...components).contains(count) && content.count == 4 + 2 * count, at: place)
    keep(Marker.scan, content)
    let (data, first) = (reader.rest, reader.offset)
    while true {
      try reader.skip(to: 0xFF)
      guard let next = reader.rest.dropFirst().first else {
        throw reader.truncated(at: reader.offset)
      }
      if next != 0, next != 0xFF, !Marker.restarts.contains(next) { break }
      _ = try reader.take(next == 0xFF ? 1 : 2)
    }
    try check(reader.offset > first, at: first)
    kept += data.prefix(reader.offset - first)
    hasScan = true
  }

  // MARK: What stands beside the picture

  private mutating func takeApplication(_ marker: UInt8, _ content: ArraySlice<UInt8>) {
    switch marker {
    case 0xE0 where content.starts(with: Array("JFIF\0".utf8)) && content.count >= 14:
      // Version, unit and density; the small copy of the picture that may follow is left out.
      keep(marker, content.prefix(12) + [0, 0])
      if kept.count == 2 + 18 { orientationPlace = kept.count }
    case 0xE1 where content.starts(with: EXIF.header):
      if keepsPosition {
        keep(marker, content)
        hasKeptEXIF = true
      }
      if orientation == nil {
        orientation = EXIF.orientation(Array(content.dropFirst(EXIF.header.count)))
      }
    case 0xE2 where content.starts(with: Self.profileName): takeProfile(content)
    case 0xEE where content.starts(with: Array("Adobe".utf8)) && content.count >= 12:
      // Version 100, no flags, and how the colours were turned into components.
      let transform = content[content.startIndex + 11]
      keep(marker, Array("Adobe".utf8) + [0, 100, 0, 0, 0, 0, min(transform, 2)])
    default: break
    }
  }

  private static let profileName = Array("ICC_PROFILE\0".utf8)

  /// `name number of` and the profile; one that is cut in pieces is one of tables, which is not kept.
  private mutating func takeProfile(_ content: ArraySlice<UInt8>) {
    let rest = content.dropFirst(Self.profileName.count)
    guard !hasProfile, rest.starts(with: [1, 1]),
      let profile = ICCProfile.trimmed(Array(rest.dropFirst(2)))
    else { return }
    hasProfile = true
    keep(0xE2, Self.profileName + [1, 1] + profile)
  }

  /// One or more tables of `precision|number` and 64 numbers of one or two bytes.
  private static func isQuantizationTables(_ content: ArraySlice<UInt8>) -> Bool {
    var rest = content
    guard !rest.isEmpty else { return false }
    while let head = rest.first {
      let bytes = head >> 4 == 0 ? 65 : 129
      guard head >> 4 <= 1, head & 15 <= 3, rest.count >= bytes else { return false }
      rest = rest.dropFirst(bytes)
    }
    return true
  }

  /// One or more tables of `class|number`, 16 counts, and as many values as these say.
  private static func isHuffmanTables(_ content: ArraySlice<UInt8>) -> Bool {
    var rest = content
    guard !rest.isEmpty else { return false }
    while let head = rest.first {
      guard head >> 4 <= 1, head & 15 <= 3, rest.count >= 17 else { return false }
      let values = rest.dropFirst().prefix(16).reduce(0) { $0 + Int($1) }
      guard values <= 256, rest.count >= 17 + values else { return false }
      rest = rest.dropFirst(17 + values)
    }
    return true
  }
}
