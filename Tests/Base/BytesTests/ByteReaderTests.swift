import Bytes
import Testing

@Suite("Reader of bytes")
struct ByteReaderTests {
  private static let bytes: [UInt8] = [0x01, 0x02, 0x03, 0x04, 0x05, 0x06, 0x07, 0xF8, 0xF9]

  @Test("Bytes are read one after the other, and nil at the end")
  func oneByOne() {
    var reader = ByteReader(Self.bytes)
    for (offset, byte) in Self.bytes.enumerated() {
      #expect(reader.offset == offset && reader.count == 9 - offset && !reader.isAtEnd)
      #expect(reader.peek == byte && reader.rest.elementsEqual(Self.bytes.dropFirst(offset)))
      let read = reader.next()
      #expect(read == byte)
    }
    let behind = reader.next()
    #expect(reader.peek == nil && behind == nil)
    #expect(reader.isAtEnd && reader.count == 0 && reader.rest.isEmpty && reader.offset == 9)
  }

  @Test(
    "So many bytes are taken at once, or none",
    arguments: [(0, 0), (1, 1), (9, 9), (10, nil), (Int.max, nil), (-1, nil)] as [(Int, Int?)])
  func several(count: Int, expected: Int?) {
    var reader = ByteReader(Self.bytes)
    let taken = reader.next(count)
    #expect(taken == expected.map { Self.bytes.prefix($0) })
    #expect(reader.offset == expected ?? 0)
  }

  @Test(
    "Numbers have their lowest or their highest byte first, or are not there",
    arguments: [
      (0, 0, 0), (1, 0x01, 0x01), (2, 0x0201, 0x0102), (3, 0x03_0201, 0x01_0203),
      (4, 0x0403_0201, 0x0102_0304), (8, 0xF807_0605_0403_0201, 0x0102_0304_0506_07F8),
      (10, nil, nil),
    ] as [(Int, UInt64?, UInt64?)])
  func numbers(count: Int, lowestFirst: UInt64?, highestFirst: UInt64?) {
    let place = lowestFirst == nil ? 0 : count
    var reader = ByteReader(Self.bytes)
    let low = reader.littleEndian(count)
    #expect(low == lowestFirst && reader.offset == place)
    reader = ByteReader(Self.bytes)
    let high = reader.bigEndian(count)
    #expect(high == highestFirst && reader.offset == place)
  }

  @Test("Places count from the start of the whole input, whatever the bytes are a part of")
  func places() {
    let readers = [
      ByteReader(Self.bytes[3..<6], at: 20), ByteReader(Array(Self.bytes[3..<6]), at: 20),
      ByteReader(repeatElement(0x04, count: 3), at: 20),
    ]
    for var reader in readers {
      #expect(reader.offset == 20 && reader.end == 23 && reader.count == 3)
      let taken = reader.next(2)
      #expect(taken?.first == 0x04)
      #expect(reader.offset == 22 && reader.end == 23 && reader.count == 1)
      #expect(reader.error(.outOfRange) == DecodeError(.outOfRange, at: 22))
      let fault = reader.error(.checksum, "crc", back: 2)
      #expect(fault == DecodeError(.checksum, at: 20, field: "crc"))
    }
  }

  @Test("What lacks is told with its field, where the bytes end")
  func faults() throws {
    var reader = ByteReader(Self.bytes[3..<6], at: 20)
    let kind = try reader.byte("kind")
    #expect(kind == 0x04)
    #expect(throws: DecodeError(.truncated, at: 23, field: "text")) { try reader.take(3, "text") }
    let text = try reader.take(2, "text")
    #expect(text == [0x05, 0x06])
    #expect(throws: DecodeError(.truncated, at: 23, field: "kind")) { try reader.byte("kind") }
  }

  @Test(
    "A fault says what, of which field, and where",
    arguments: [
      (DecodeError(.missingField, at: 12, field: "text"), "missing field \"text\" at byte 12"),
      (DecodeError(.unexpectedByte, at: 0), "unexpected byte at byte 0"),
    ])
  func words(fault: DecodeError, words: String) { #expect(fault.description == words) }
}
