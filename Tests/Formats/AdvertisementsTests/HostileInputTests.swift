import Advertisements
import Bytes
import Care
import JSON
import Testing

@Suite("Hostile advertisements")
struct HostileInputTests {
  /// Reads bytes as what they look like, and checks what is promised for any bytes.
  private func read(_ bytes: [UInt8], _ matcher: inout TagMatcher<Int>) -> Bool {
    let event = AdvertisingEvent(bytes)
    let parts =
      AdvertisingEvent.isEvent(bytes) ? event.reports.map(\.data) : [AdvertisingData(bytes)]
    var isFine = (event.fault?.offset ?? 0) <= bytes.count
    for part in parts {
      isFine = isFine && part.structures.reduce(0) { $0 + $1.body.count + 2 } <= bytes.count
      isFine = isFine && (part.fault?.offset ?? 0) <= bytes.count
      let reading = AdvertisementReading(part)
      isFine = isFine && reading.faults.allSatisfy { $0.offset <= bytes.count }
      isFine = isFine && reading.contents.count <= bytes.count
      let sender = event.reports.first?.address ?? BluetoothAddress(bits: 1)
      isFine = isFine && matcher.matches(in: reading, from: sender).count <= 3
    }
    return isFine
  }

  private func matcher() throws -> TagMatcher<Int> {
    let key = "0102030405060708090a0b0c0d0e0f10"
    let known = ["irk:\(key)", "bthome:54:48:E6:8F:80:A5:\(key)", "address:54:48:E6:8F:80:A5"]
    return TagMatcher(
      try known.enumerated().map { (tag: $0.offset, identity: try TagIdentity($0.element)) },
      cipher: ToyCipher())
  }

  private var samples: [[UInt8]] {
    (Samples.events + Samples.data).compactMap { Hexadecimal.bytes($0) }
  }

  @Test("Every prefix of every sample is read or refused")
  func prefixes() throws {
    var matcher = try matcher()
    #expect(samples.count == Samples.events.count + Samples.data.count)
    for sample in samples {
      for length in 0...sample.count {
        let prefix = Array(sample.prefix(length))
        #expect(read(prefix, &matcher), "\(Hexadecimal.text(prefix))")
        if AdvertisingEvent.isEvent(sample), length < sample.count {
          #expect(AdvertisingEvent(prefix).fault != nil, "\(Hexadecimal.text(prefix))")
        }
      }
    }
  }

  @Test("200,000 mutations of the samples are read or refused")
  func mutations() throws {
    var matcher = try matcher()
    var generator = SplitMix64(seed: 0x4144_5645)
    let samples = self.samples
    for _ in 0..<200_000 {
      var bytes = samples[Int(generator.next() % UInt64(samples.count))]
      for _ in 0...generator.next() % 4 { mutate(&bytes, &generator) }
      if !read(bytes, &matcher) { Issue.record("\(Hexadecimal.text(bytes))") }
    }
  }

  private func mutate(_ bytes: inout [UInt8], _ generator: inout SplitMix64) {
    guard !bytes.isEmpty else { return bytes.append(UInt8(truncatingIfNeeded: generator.next())) }
    let place = Int(generator.next() % UInt64(bytes.count))
    switch generator.next() % 5 {
    case 0: bytes[place] ^= 1 << (generator.next() % 8)
    case 1: bytes[place] = UInt8(truncatingIfNeeded: generator.next())
    case 2: bytes.remove(at: place)
    case 3: bytes.insert(UInt8(truncatingIfNeeded: generator.next()), at: place)
    default: bytes = Array(bytes.prefix(place))
    }
  }

  @Test("What is written as JSON is JSON, for all samples and every prefix of their contents")
  func json() throws {
    for sample in samples {
      for length in 0...sample.count {
        let data = AdvertisingData(sample.prefix(length))
        #expect(try JSONValue(parsing: data.json.serialized) == data.json)
        let event = AdvertisingEvent(sample.prefix(length))
        #expect(try JSONValue(parsing: event.json.serialized) == event.json)
      }
    }
  }
}
