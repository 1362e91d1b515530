import Advertisements
import BluetoothKeys
import Bytes
import Care
import Moments
import Testing

@Suite("What keys are needed for in advertisements")
struct MbedCipherTests {
  private let cipher = MbedCipher()

  private func bytes(_ hex: String) throws -> [UInt8] { try #require(Hexadecimal.bytes(hex)) }

  @Test("AES of FIPS 197, appendix C.1")
  func block() throws {
    let key = try #require(AES128Key("000102030405060708090a0b0c0d0e0f"))
    let encrypted = cipher.encrypt(try bytes("00112233445566778899aabbccddeeff"), key: key)
    #expect(encrypted == (try bytes("69c4e0d86a7b0430d8cdb78070b4c55a")))
    #expect(cipher.encrypt([1, 2, 3], key: key) == nil)
  }

  /// Key, nonce, plain text, cipher text, check.
  ///
  /// - Source: made with the independent AESCCM of Python's cryptography 50.
  static let sealed = [
    (
      "fe5518cbe8dfe59296946bd26935a014", "be3a2b7c73a420c339a0f94209", "889a1d004425",
      "3f099b5e88df", "89509137"
    ),
    ("347aaea9cfd7239622956278262c2cf7", "ecb47dc2c13a1ebc3170875f51", "", "", "30810da1"),
    (
      "79e227c5e1919a05a48acf4596b3247d", "57554acd8f22b732c2ccd5badf",
      "6053fc69d14a1be9f75ece8900510c8a69f19aae18", "14185c486cc1258ecf1f52be5631f9bc891845bfaf",
      "bdc617d3"
    ),
    (
      "fe746731c92a3c902cb9b98d7efc13b3", "179c1cce6a6698ba0c30f943",
      "a2d1b3a95759a9cdc20a2c9c5b5f89af87508e16f9e222d85e18b96cebb3e855fd",
      "805bc4f0b65a77ffd950f7317420380e12fd5ee0fbbaa3b1df2c92fa8c8b7be99f", "e2c182ebc5380157"
    ),
    ("4b8ec8a7b21fa5e9c5d5415cb181987c", "b5ddc7ee59572dd5b9d5e8", "31", "c0", "3c49c846"),
  ]

  @Test("What another program sealed opens, and nothing that was touched does", arguments: sealed)
  func unseal(key: String, nonce: String, plain: String, sealed: String, check: String) throws {
    let secret = try #require(AES128Key(key))
    let (nonce, sealed, check) = (try bytes(nonce), try bytes(sealed), try bytes(check))
    #expect(
      cipher.unseal(sealed, check: check, nonce: nonce, key: secret) == (try bytes(plain)))
    #expect(cipher.unseal(sealed, check: check, nonce: nonce, key: secret.reversed) == nil)
    for bit in 0..<8 {
      var touched = check
      touched[bit % check.count] ^= 1 << bit
      #expect(cipher.unseal(sealed, check: touched, nonce: nonce, key: secret) == nil)
      guard !sealed.isEmpty else { continue }
      var other = sealed
      other[bit % sealed.count] ^= 1 << bit
      #expect(cipher.unseal(other, check: check, nonce: nonce, key: secret) == nil)
    }
  }

  @Test("Lengths that CCM does not have are refused")
  func lengths() throws {
    let key = try #require(AES128Key("000102030405060708090a0b0c0d0e0f"))
    let nonce = [UInt8](repeating: 0, count: 13)
    for check in [[], [0], [0, 0], [0, 0, 0], [UInt8](repeating: 0, count: 17)] as [[UInt8]] {
      #expect(cipher.unseal([1], check: check, nonce: nonce, key: key) == nil)
    }
    for count in [0, 6, 14, 100] {
      let nonce = [UInt8](repeating: 0, count: count)
      #expect(cipher.unseal([1], check: [0, 0, 0, 0], nonce: nonce, key: key) == nil)
    }
    let long = [UInt8](repeating: 0, count: 70_000)
    #expect(cipher.unseal(long, check: [0, 0, 0, 0], nonce: nonce, key: key) == nil)
  }

  @Test("Changing addresses of a known key, the specification's own example first")
  func resolvableAddresses() throws {
    // Core Specification 5.4, volume 3, part H, appendix D.7.
    let key = try #require(AES128Key("ec0234a357c8ad05341010a60a397d9b"))
    for text in ["70:81:94:0D:FB:AA", "40:00:01:A7:12:B0", "7F:FF:FF:D5:9A:83"] {
      let address = try #require(BluetoothAddress(text, kind: .random))
      #expect(address.isResolved(by: key, with: cipher))
      #expect(!address.isResolved(by: key.reversed, with: cipher))
      let neighbour = try #require(BluetoothAddress(bits: address.bits ^ 1, kind: .random))
      #expect(!neighbour.isResolved(by: key, with: cipher))
      let lasting = try #require(BluetoothAddress(text))
      #expect(!lasting.isResolved(by: key, with: cipher), "a public address hides nothing")
    }
  }

  private func frame(_ hex: String) throws -> BTHomeFrame {
    let data = AdvertisingData(serviceData: [
      ServiceData(service: BluetoothUUID(0xFCD2), bytes: try bytes(hex))
    ])
    return try #require(AdvertisementReading(data).bthome)
  }

  @Test("The example of BTHome's page on encryption opens with its key and address alone")
  func bthome() throws {
    let sealed = try frame("41e445f3c9962b332211006c7c4519")
    let key = try #require(AES128Key("231d39c1d7cc1ab1aee224cd096db932"))
    let sender = try #require(BluetoothAddress("54:48:E6:8F:80:A5"))
    let opened = try #require(sealed.opened(key: key, from: sender, with: cipher))
    #expect(opened.isAuthentic && opened.fault == nil)
    #expect(opened.readings.map(\.content) == [.number(25.06), .number(50.55)])
    let other = try #require(BluetoothAddress("54:48:E6:8F:80:A6"))
    #expect(sealed.opened(key: key, from: other, with: cipher) == nil)
    #expect(sealed.opened(key: key.reversed, from: sender, with: cipher) == nil)
    #expect(try frame("4002ca09").opened(key: key, from: sender, with: cipher) == nil)
  }

  @Test("A sealed button is a press once, and a recording of it is none")
  func button() throws {
    var matcher = TagMatcher(
      [
        (
          tag: "button",
          identity: try TagIdentity("bthome:54:48:E6:8F:80:A5:231d39c1d7cc1ab1aee224cd096db932")
        )
      ], cipher: cipher)
    let sender = try #require(BluetoothAddress("54:48:E6:8F:80:A5"))
    var filter = BTHomePressFilter()
    func gestures(_ hex: String, at seconds: Int64) throws -> [ButtonGesture] {
      let data = AdvertisingData(serviceData: [
        ServiceData(service: BluetoothUUID(0xFCD2), bytes: try bytes(hex))
      ])
      let found = matcher.matches(in: AdvertisementReading(data), from: sender).first
      let frame = try #require(found?.bthome)
      return filter.presses(in: frame, from: sender, at: .seconds(seconds)).map(\.gesture)
    }
    let (first, second) = ("459d089fe8e8030000339bb8c4", "45db4606e5e90300002254adbe")
    #expect(try gestures(first, at: 0) == [.hold])
    #expect(try gestures(first, at: 1) == [])
    #expect(try gestures(second, at: 2) == [.hold])
    #expect(try gestures(first, at: 600) == [])
    #expect(try gestures("45d4eb1d3f0300000090dc8dcc", at: 700) == [.hold], "a new battery")
  }
}
