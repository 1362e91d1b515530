import Texts

/// Reads a file from its start to its end, never beyond.
struct Cursor {
  let bytes: [UInt8]
  private(set) var offset = 0

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  var isAtEnd: Bool { offset >= bytes.count }

  mutating func byte() throws(PictureFault) -> UInt8 {
    guard offset < bytes.count else { throw truncated }
    defer { offset += 1 }
    return bytes[offset]
  }

  /// Two bytes, the higher first.
  mutating func word() throws(PictureFault) -> Int {
    let high = try byte()
    return try Int(high) << 8 | Int(byte())
  }

  /// Four bytes, the highest first.
  mutating func longWord() throws(PictureFault) -> Int {
    let high = try word()
    return try high << 16 | word()
  }

  mutating func take(_ count: Int) throws(PictureFault) -> ArraySlice<UInt8> {
    guard count >= 0, count <= bytes.count - offset else { throw truncated }
    defer { offset += count }
    return bytes[offset..<offset + count]
  }

  /// Goes on until the next byte is one that is looked for; the end of the file is none.
  mutating func skip(to wanted: UInt8) throws(PictureFault) {
    guard let found = bytes[offset...].firstIndex(of: wanted) else {
      offset = bytes.count
      throw truncated
    }
    offset = found
  }

  var truncated: PictureFault {
    PictureFault(
      .truncated, at: offset, Message("The picture is not complete: the file ends in its middle."))
  }
}
