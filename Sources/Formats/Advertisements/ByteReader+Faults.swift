import Bytes
import Texts

/// What lacks is told with what was expected there.
extension ByteReader {
  mutating func byte(_ expected: @autoclosure () -> Message) throws(AdvertisementFault) -> UInt8 {
    guard let byte = next() else { throw AdvertisementFault(.truncated, at: end, expected()) }
    return byte
  }

  mutating func take(
    _ count: Int, _ expected: @autoclosure () -> Message
  ) throws(AdvertisementFault) -> ArraySlice<UInt8> {
    guard let taken = next(count) else { throw AdvertisementFault(.truncated, at: end, expected()) }
    return taken
  }

  mutating func signedByte(_ expected: @autoclosure () -> Message) throws(AdvertisementFault)
    -> Int8
  {
    Int8(bitPattern: try byte(expected()))
  }
}
