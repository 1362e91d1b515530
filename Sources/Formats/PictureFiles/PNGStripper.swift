import Bytes
import Texts

/// PNG, chunk by chunk.
///
///     89 50 4E 47 0D 0A 1A 0A | length type content crc | … | 0 IEND crc
///
/// - Source: PNG (Third Edition), sections 5 and 11.
struct PNGStripper {
  static let signature: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]

  /// What pixels and colours need beside the critical chunks, with the bytes that each may have. Profiles and suggestions
  /// stay out: they hold texts; and so does what is longer than its numbers.
  private static let harmless: [String: Set<Int>] = [
    "tRNS": Set(1...256), "gAMA": [4], "cHRM": [32], "sRGB": [1], "sBIT": [1, 2, 3, 4],
    "bKGD": [1, 2, 6], "pHYs": [9],
  ]

  private var reader: ByteReader
  private let keepsPosition: Bool
  private var kept: [UInt8] = signature
  private var size: (width: Int, height: Int)?
  private var colourType: UInt8 = 0
  private var hasPalette = false
  private var hasPixels = false
  /// Whether the last chunk held pixels: those that do follow each other.
  private var isInPixels = false
  private var orientation: UInt16?
  /// After the header, before anything that refers to the pixels.
  private var orientationPlace = 0
  private var hasKeptEXIF = false
  private var beside: Set<String> = []

  private init(_ file: [UInt8], keepsPosition: Bool) {
    reader = ByteReader(file)
    self.keepsPosition = keepsPosition
    kept.reserveCapacity(file.count)
  }

  static func strip(
    _ file: [UInt8], keepsPosition: Bool
  ) throws(PictureFault) -> StrippedPicture {
    var stripper = PNGStripper(file, keepsPosition: keepsPosition)
    return try stripper.run()
  }

  private mutating func run() throws(PictureFault) -> StrippedPicture {
    _ = try reader.take(Self.signature.count)
    while try takeChunk() {}
    guard let size, hasPixels else { throw damaged(at: reader.offset) }
    if let orientation, !hasKeptEXIF, (2...8).contains(orientation) {
      kept.insert(
        contentsOf: Self.chunk("eXIf", EXIF.tiff(orientation: orientation)), at: orientationPlace)
    }
    return StrippedPicture(
      width: size.width, height: size.height, orientation: orientation, bytes: kept)
  }

  private func damaged(at place: Int) -> PictureFault {
    PictureFault(.malformed, at: place, Message("The PNG file is damaged."))
  }

  /// Takes one chunk; false after the last.
  private mutating func takeChunk() throws(PictureFault) -> Bool {
    let place = reader.offset
    let length = try reader.number(4)
    guard length <= Int(Int32.max) else { throw damaged(at: place) }
    let following = reader.rest
    let type = try reader.take(4)
    guard type.allSatisfy({ (0x41...0x5A).contains($0 & 0xDF) }) else { throw damaged(at: place) }
    let content = try reader.take(length)
    guard try reader.number(4) == Int(CRC32.of(following.prefix(4 + length))) else {
      throw PictureFault(
        .checksum, at: place, Message("The PNG file is damaged: a checksum does not match."))
    }
    return try take(String(decoding: type, as: UTF8.self), Array(content), at: place)
  }

  private mutating func take(
    _ type: String, _ content: [UInt8], at place: Int
  ) throws(PictureFault) -> Bool {
    guard size != nil || type == "IHDR" else { throw damaged(at: place) }
    let followsPixels = isInPixels
    isInPixels = type == "IDAT"
    switch type {
    case "IHDR": try takeHeader(content, at: place)
    case "PLTE":
      guard !hasPalette, !hasPixels, content.count.isMultiple(of: 3),
        (1...256).contains(content.count / 3), colourType != 0, colourType != 4
      else { throw damaged(at: place) }
      hasPalette = true
      kept += Self.chunk(type, content)
    case "IDAT":
      guard followsPixels || !hasPixels, hasPalette || colourType != 3 else {
        throw damaged(at: place)
      }
      hasPixels = true
      kept += Self.chunk(type, content)
    case "IEND":
      guard content.isEmpty else { throw damaged(at: place) }
      kept += Self.chunk(type, content)
      return false
    case "eXIf":
      if keepsPosition, !hasKeptEXIF {
        kept += Self.chunk(type, content)
        hasKeptEXIF = true
      }
      if orientation == nil {
        orientation = EXIF.orientation(content)
      }
    default:
      // A capital first letter says that nobody can show the picture without it.
      guard type.utf8.first ?? 0 >= 0x61 else {
        throw PictureFault(
          .unsupported, at: place,
          Message("This kind of PNG is shown by few programs. Save it anew first."))
      }
      if isHarmless(type, content) { kept += Self.chunk(type, content) }
    }
    return true
  }

  private mutating func isHarmless(_ type: String, _ content: [UInt8]) -> Bool {
    guard Self.harmless[type]?.contains(content.count) ?? false,
      type != "tRNS"
        || [0: 2, 2: 6].allSatisfy({ $0.key != colourType || $0.value == content.count })
    else { return false }
    // Each may come once.
    return beside.insert(type).inserted
  }

  /// `width height depth colour compression filter interlace`
  private mutating func takeHeader(_ content: [UInt8], at place: Int) throws(PictureFault) {
    guard size == nil, content.count == 13 else { throw damaged(at: place) }
    func number(_ offset: Int) -> Int {
      content[offset..<offset + 4].reduce(0) { $0 << 8 | Int($1) }
    }
    let (width, height) = (number(0), number(4))
    try PictureFile.checkSize(width, height, at: place)
    let depths: [UInt8: [UInt8]] = [
      0: [1, 2, 4, 8, 16], 2: [8, 16], 3: [1, 2, 4, 8], 4: [8, 16], 6: [8, 16],
    ]
    colourType = content[9]
    guard depths[colourType]?.contains(content[8]) ?? false, content[10] == 0, content[11] == 0,
      content[12] <= 1
    else { throw damaged(at: place) }
    size = (width, height)
    kept += Self.chunk("IHDR", content)
    orientationPlace = kept.count
  }

  static func chunk(_ type: String, _ content: [UInt8]) -> [UInt8] {
    let body = Array(type.utf8) + content
    return bytes(UInt32(content.count)) + body + bytes(CRC32.of(body[...]))
  }

  private static func bytes(_ number: UInt32) -> [UInt8] {
    [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: number >> UInt32($0)) }
  }
}

/// The checksum of PNG's chunks.
///
/// - Source: PNG (Third Edition), annex D; ISO 3309.
enum CRC32 {
  private static let table: [UInt32] = (0..<256).map { start in
    (0..<8).reduce(UInt32(start)) { number, _ in
      number & 1 == 1 ? 0xEDB8_8320 ^ (number >> 1) : number >> 1
    }
  }

  static func of(_ bytes: ArraySlice<UInt8>) -> UInt32 {
    ~bytes.reduce(0xFFFF_FFFF) { sum, byte in
      table[Int((sum ^ UInt32(byte)) & 0xFF)] ^ (sum >> 8)
    }
  }
}
