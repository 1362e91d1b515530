import Bytes
import Texts

/// What lacks is a picture that is not complete.
extension ByteReader {
  mutating func byte() throws(PictureFault) -> UInt8 {
    guard let byte = next() else { throw truncated(at: end) }
    return byte
  }

  mutating func take(_ count: Int) throws(PictureFault) -> ArraySlice<UInt8> {
    guard let taken = next(count) else { throw truncated(at: offset) }
    return taken
  }

  /// The number that so many bytes are, the highest first.
  mutating func number(_ count: Int) throws(PictureFault) -> Int {
    guard let number = bigEndian(count) else { throw truncated(at: end) }
    return Int(truncatingIfNeeded: number)
  }

  /// Goes on until the next byte is one that is looked for; the end of the file is none.
  mutating func skip(to wanted: UInt8) throws(PictureFault) {
    let left = rest
    guard let found = left.firstIndex(of: wanted) else { throw truncated(at: end) }
    _ = next(found - left.startIndex)
  }

  func truncated(at place: Int) -> PictureFault {
    PictureFault(
      .truncated, at: place, Message("The picture is not complete: the file ends in its middle."))
  }
}
