import Bytes
import Moments
import Texts

/// Reads bytes from front to back, never behind their end.
struct ByteCursor {
  private let bytes: ArraySlice<UInt8>
  private var index: Int
  /// What is added to a place so that it counts from the start of the whole input.
  private let base: Int

  /// A cursor at the front of `bytes`, whose first byte stands at `offset` of the whole input.
  init(_ bytes: ArraySlice<UInt8>, at offset: Int = 0) {
    self.bytes = bytes
    index = bytes.startIndex
    base = offset - bytes.startIndex
  }

  init(_ bytes: [UInt8], at offset: Int = 0) { self.init(bytes[...], at: offset) }

  /// Where the next byte stands in the whole input.
  var offset: Int { base + index }
  var count: Int { bytes.endIndex - index }
  var isAtEnd: Bool { count == 0 }
  var rest: ArraySlice<UInt8> { bytes[index...] }

  mutating func byte(_ expected: @autoclosure () -> Message) throws(AdvertisementFault) -> UInt8 {
    guard index < bytes.endIndex else {
      throw AdvertisementFault(.truncated, at: offset, expected())
    }
    defer { index += 1 }
    return bytes[index]
  }

  mutating func take(
    _ wanted: Int, _ expected: @autoclosure () -> Message
  ) throws(AdvertisementFault) -> ArraySlice<UInt8> {
    guard wanted <= count else {
      throw AdvertisementFault(.truncated, at: base + bytes.endIndex, expected())
    }
    defer { index += wanted }
    return bytes[index..<index + wanted]
  }

  mutating func signedByte(_ expected: @autoclosure () -> Message) throws(AdvertisementFault)
    -> Int8
  {
    Int8(bitPattern: try byte(expected()))
  }
}

extension Collection<UInt8> {
  /// The number that up to eight bytes are, the lowest first.
  var littleEndian: UInt64 { reversed().bigEndian }

  /// The number that up to eight bytes are, the highest first.
  var bigEndian: UInt64 { reduce(0) { $0 << 8 | UInt64($1) } }
}
