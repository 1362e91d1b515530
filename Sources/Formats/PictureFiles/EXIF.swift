/// The one thing of an EXIF block that a picture needs: how it is to be turned.
///
///     TIFF   II 2A00 08000000 | 0100 | 1201 0300 01000000 06000000 | 00000000
///            byte order, 42,   count  tag  type count     number     no more
///            first directory
///
/// - Source: TIFF 6.0, section 2; EXIF 2.32, section 4.6.4 (tag 0x0112).
enum EXIF {
  /// What an EXIF segment of a JPEG begins with.
  static let header: [UInt8] = Array("Exif\0\0".utf8)

  /// The orientation, 1 through 8; nil when it says none or cannot be read.
  static func orientation(_ tiff: [UInt8]) -> UInt16? {
    let isLittle: Bool
    switch tiff.prefix(4) {
    case [0x49, 0x49, 0x2A, 0]: isLittle = true
    case [0x4D, 0x4D, 0, 0x2A]: isLittle = false
    default: return nil
    }
    func number(_ offset: Int, _ count: Int) -> Int? {
      guard offset >= 0, offset <= tiff.count - count else { return nil }
      let bytes = tiff[offset..<offset + count]
      return (isLittle ? Array(bytes.reversed()) : Array(bytes)).reduce(0) { $0 << 8 | Int($1) }
    }
    guard let directory = number(4, 4), let count = number(directory, 2) else { return nil }
    for index in 0..<count {
      let entry = directory + 2 + 12 * index
      guard let tag = number(entry, 2) else { return nil }
      guard tag == 0x0112 else { continue }
      guard number(entry + 2, 2) == 3, number(entry + 4, 4) == 1, let turn = number(entry + 8, 2),
        (1...8).contains(turn)
      else { return nil }
      return UInt16(turn)
    }
    return nil
  }

  /// A TIFF block that says how a picture is to be turned, and nothing else.
  static func tiff(orientation: UInt16) -> [UInt8] {
    [
      0x49, 0x49, 0x2A, 0, 8, 0, 0, 0, 1, 0, 0x12, 0x01, 3, 0, 1, 0, 0, 0,
      UInt8(truncatingIfNeeded: orientation), 0, 0, 0, 0, 0, 0, 0,
    ]
  }

  /// The same as a segment of a JPEG.
  static func segment(orientation: UInt16) -> [UInt8] {
    let content = header + tiff(orientation: orientation)
    return [0xFF, 0xE1, 0, UInt8(content.count + 2)] + content
  }
}
