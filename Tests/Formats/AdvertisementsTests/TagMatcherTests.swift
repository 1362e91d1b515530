import Advertisements
import Bytes
import Care
import Moments
import Testing

/// A cipher whose arithmetic a reader can follow: every block is its bytes added to the key's.
struct ToyCipher: AdvertisementCipher {
  func encrypt(_ block: [UInt8], key: AES128Key) -> [UInt8]? {
    zip(block, key.bytes).map { $0 &+ $1 }
  }

  /// Opens what has the key's first bytes for a check, and leaves it as it is.
  func unseal(
    _ cipherText: [UInt8], check: [UInt8], nonce: [UInt8], key: AES128Key
  ) -> [UInt8]? {
    Array(key.bytes.prefix(check.count)) == check ? cipherText : nil
  }
}

@Suite("Known tags among all that advertises")
struct TagMatcherTests {
  private let beacon = "ibeacon:e2c56db5-dffb-48d2-b060-d0f5a71096e0:100:0"
  private let key = "0102030405060708090a0b0c0d0e0f10"

  private func matcher(_ known: KeyValuePairs<String, String>) throws -> TagMatcher<String> {
    TagMatcher(
      try known.map { (tag: $0.key, identity: try TagIdentity($0.value)) }, cipher: ToyCipher())
  }

  private func report(_ hex: String) throws -> AdvertisingReport {
    try #require(AdvertisingEvent(try Samples.bytes(hex)).reports.first)
  }

  private func tags(
    _ matcher: inout TagMatcher<String>, _ report: AdvertisingReport
  ) -> [String] {
    matcher.matches(in: AdvertisementReading(report.data), from: report.address).map(\.tag)
  }

  @Test("Tags are found by their address, their beacon, or both, each once and in order")
  func plain() throws {
    var matcher = try matcher([
      "wallet": "bthome:54:48:E6:8F:80:A5", "keys": beacon, "bag": "address:54:48:E6:8F:80:A5",
      "bag": "bthome:54:48:E6:8F:80:A5", "other": "address:54:48:E6:8F:80:A6",
    ])
    #expect(tags(&matcher, try report(Samples.events[0])) == ["keys"])
    #expect(tags(&matcher, try report(Samples.events[1])) == [])
    let found = try report(Samples.events[2])
    let matches = matcher.matches(in: AdvertisementReading(found.data), from: found.address)
    #expect(matches.map(\.tag) == ["bag", "wallet"])
    #expect(matches.allSatisfy { $0.bthome?.batteryPercent == 97 && !$0.isAuthentic })
  }

  @Test("How a lasting address was assigned does not matter; a changing one never matches")
  func addressKinds() throws {
    var matcher = try matcher(["tag": "address:C0:11:22:33:44:55"])
    let nothing = AdvertisementReading(AdvertisingData())
    let random = try #require(BluetoothAddress("C0:11:22:33:44:55", kind: .random))
    #expect(matcher.matches(in: nothing, from: random).map(\.tag) == ["tag"])
    var changing = try self.matcher(["tag": "address:40:11:22:33:44:55"])
    let address = try #require(BluetoothAddress("40:11:22:33:44:55", kind: .random))
    #expect(changing.matches(in: nothing, from: address).isEmpty)
    #expect(changing.matches(in: nothing, from: nil).isEmpty)
  }

  @Test("A changing address is known by its key, again and again, among thousands")
  func resolving() throws {
    var matcher = try matcher(["phone": "irk:\(key)"])
    let nothing = AdvertisementReading(AdvertisingData())
    var generator = SplitMix64(seed: 6)
    var own: [BluetoothAddress] = []
    for _ in 0..<3000 {
      let random = 0x40_0000 | generator.next() & 0x3F_FFFF
      // The toy's hash: the three bytes, each with the key's last three added.
      let hash = [14, 15, 16].enumerated().reduce(UInt64(0)) { sum, place in
        let byte = UInt8(truncatingIfNeeded: random >> (16 - 8 * place.offset))
        return sum << 8 | UInt64(byte &+ UInt8(place.element))
      }
      let address = try #require(BluetoothAddress(bits: random << 24 | hash, kind: .random))
      own.append(address)
      #expect(matcher.matches(in: nothing, from: address).map(\.tag) == ["phone"])
      let foreign = try #require(BluetoothAddress(bits: random << 24 | (hash ^ 1), kind: .random))
      #expect(matcher.matches(in: nothing, from: foreign).isEmpty)
    }
    for address in own.suffix(600) {
      let match = try #require(matcher.matches(in: nothing, from: address).first)
      #expect(match == TagMatch(tag: "phone", isAuthentic: true))
    }
  }

  @Test("A sensor with a key counts only when the key opens what it sends")
  func sealedSensor() throws {
    var matcher = try matcher(["button": "bthome:54:48:E6:8F:80:A5:\(key)"])
    let sender = try #require(BluetoothAddress("54:48:E6:8F:80:A5"))
    func matches(_ hex: String) throws -> [TagMatch<String>] {
      matcher.matches(in: try Samples.reading(service: 0xFCD2, hex), from: sender)
    }
    let own = try matches("45015e3a010500000001020304")
    #expect(own.map(\.tag) == ["button"] && own.first?.isAuthentic == true)
    #expect(own.first?.bthome?.buttons == [.press] && own.first?.bthome?.batteryPercent == 94)
    #expect(try matches("45015e3a010500000001020305").isEmpty, "a wrong check")
    #expect(try matches("44015e3a01").isEmpty, "what is sent in the clear anybody can send")
    let other = try #require(BluetoothAddress("54:48:E6:8F:80:A6"))
    #expect(
      matcher.matches(
        in: try Samples.reading(service: 0xFCD2, "45015e3a010500000001020304"), from: other
      ).isEmpty)
  }

  @Test("Counters: a recording that is played again is no press, a new battery's first press is")
  func replay() throws {
    var matcher = try matcher(["button": "bthome:54:48:E6:8F:80:A5:\(key)"])
    let sender = try #require(BluetoothAddress("54:48:E6:8F:80:A5"))
    var filter = BTHomePressFilter()
    func presses(_ counter: UInt32, at seconds: Int64) throws -> Int {
      let digits = (0..<4).map { UInt8(truncatingIfNeeded: counter >> (8 * $0)) }
      let hex = "453a80" + Hexadecimal.text(digits) + "01020304"
      let match = try #require(
        matcher.matches(in: try Samples.reading(service: 0xFCD2, hex), from: sender).first)
      let frame = try #require(match.bthome)
      return filter.presses(in: frame, from: sender, at: .seconds(seconds)).count
    }
    #expect(try presses(1000, at: 0) == 1)
    #expect(try presses(1000, at: 1) == 0)
    #expect(try presses(1000, at: 500) == 0, "the same counter is never new")
    #expect(try presses(1001, at: 501) == 1)
    #expect(try presses(1000, at: 900) == 0)
    // The counter outlives a restart of the gateway.
    filter = try BTHomePressFilter(json: filter.json)
    #expect(try presses(1001, at: 1) == 0)
    #expect(try presses(500, at: 2) == 0)
    #expect(try presses(1002, at: 3) == 1)
    #expect(try presses(2, at: 4) == 1, "a new battery")
    #expect(try presses(3, at: 5) == 1)
  }
}
