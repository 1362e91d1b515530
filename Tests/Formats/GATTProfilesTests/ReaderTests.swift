import Bytes
import Testing

@testable import GATTProfiles

@Suite("Bytes from outside")
struct ReaderTests {
  @Test("Every message is written as it was read", arguments: ReaderUnderTest.all)
  func roundTrip(reader: ReaderUnderTest) {
    for sample in reader.samples {
      let trip = reader.roundTrip(sample)
      #expect(trip?.octets == sample, "\(Hexadecimal.text(sample))")
      #expect(trip?.isSameAgain == true)
    }
  }

  @Test(
    "Every prefix of every message is refused, and octets too many are as the reader says",
    arguments: ReaderUnderTest.all)
  func prefixes(reader: ReaderUnderTest) {
    for sample in reader.samples {
      for length in 0..<sample.count where !reader.wholePrefixes.contains(length) {
        let prefix = Array(sample.prefix(length))
        #expect(reader.roundTrip(prefix) == nil, "\(Hexadecimal.text(prefix))")
      }
      let longer = sample + [0x5A]
      #expect((reader.roundTrip(longer) != nil) == reader.ignoresMore, "\(reader)")
    }
  }

  @Test("200,000 seeded mutations are refused or read, and what is read is the same when written")
  func mutations() {
    var chance = SplitMix64(seed: 20_261_120)
    var accepted = 0
    for round in 0..<200_000 {
      let reader = ReaderUnderTest.all[round % ReaderUnderTest.all.count]
      var bytes = reader.samples[Int(chance.next() % UInt64(reader.samples.count))]
      for _ in 0...chance.next() % 4 {
        switch chance.next() % 4 {
        case 0: bytes = Array(bytes.prefix(Int(chance.next() % UInt64(bytes.count + 1))))
        case 1: bytes.append(UInt8(truncatingIfNeeded: chance.next()))
        default:
          guard !bytes.isEmpty else { continue }
          let place = Int(chance.next() % UInt64(bytes.count))
          bytes[place] = UInt8(truncatingIfNeeded: chance.next())
        }
      }
      guard let trip = reader.roundTrip(bytes) else { continue }
      accepted += 1
      if !trip.isSameAgain { Issue.record("\(reader): \(Hexadecimal.text(bytes))") }
    }
    // Both outcomes were met often enough to mean something.
    #expect(accepted > 40_000 && accepted < 160_000, "\(accepted)")
  }

  @Test(
    "An error names the field and the byte",
    arguments: [
      ("1b0f00e807011e053a1b5301", DecodeError(.truncated, at: 12, field: "concentration")),
      ("1b0f00e807", DecodeError(.truncated, at: 3, field: "baseTime")),
      ("", DecodeError(.truncated, at: 0, field: "flags")),
    ])
  func errors(digits: String, expected: DecodeError) {
    #expect(throws: expected) { try GlucoseMeasurement(hex(digits)) }
  }

  @Test("A damaged record behind a whole one is refused at its own place")
  func placeInNotification() {
    #expect(throws: DecodeError(.checksum, at: 12, field: "crc")) {
      try CGMMeasurement.records(in: hex("060064000500 08000c100600586f"))
    }
    #expect(throws: DecodeError(.outOfRange, at: 6, field: "size")) {
      try CGMMeasurement.records(in: hex("060064000500 05000c1006"))
    }
  }
}

@Suite("Checksums of continuous monitors")
struct E2ECRCTests {
  @Test("The checksum is CRC-16/MCRF4XX")
  func checkValue() {
    #expect(E2ECRC.of(Array("123456789".utf8)) == 0x6F91)
    #expect(E2ECRC.of([]) == 0xFFFF)
    #expect(E2ECRC.appended(to: hex("6e9e0116")) == hex("6e9e01168ac1"))
  }

  @Test("Where a checksum is required a value without one is refused, where there is none one with")
  func rules() throws {
    let (bare, whole) = (hex("05003f3fff"), hex("05003f3fffa7e0"))
    #expect(try CGMStatus(bare, crc: .absent) == CGMStatus(bare, crc: .unknown))
    #expect(try CGMStatus(whole, crc: .required) == CGMStatus(whole, crc: .unknown))
    #expect(throws: DecodeError(.truncated, at: 5, field: "crc")) {
      try CGMStatus(bare, crc: .required)
    }
    #expect(throws: DecodeError(.unexpectedByte, at: 5, field: "crc")) {
      try CGMStatus(whole, crc: .absent)
    }
    for place in whole.indices {
      var damaged = whole
      damaged[place] ^= 0x10
      #expect(throws: DecodeError(.checksum, at: 5, field: "crc")) {
        try CGMStatus(damaged, crc: .unknown)
      }
    }
  }

  @Test("A feature that promises no checksum has FFFF in its place")
  func featureWithoutChecksum() throws {
    #expect(try !CGMFeature(hex("6e8e0116ffff")).hasCRC)
    #expect(throws: DecodeError(.checksum, at: 4, field: "crc")) {
      try CGMFeature(hex("6e8e01160000"))
    }
    #expect(throws: DecodeError(.checksum, at: 4, field: "crc")) {
      try CGMFeature(hex("6e9e0116afbe"))
    }
  }
}
