import Bytes
import Care
import JSON
import Testing
import Texts

@Suite("What tags are known by")
struct TagIdentityTests {
  static let texts = [
    "address:A4:C1:38:8D:18:B2", "address:C0:11:22:33:44:55/random",
    "ibeacon:e2c56db5-dffb-48d2-b060-d0f5a71096e0:100:65535",
    "eddystone:626c7565636861726d31:000000000001",
    "altbeacon:d3162f5af3ee494799db09756062d0fc005a0005",
    "irk:ec0234a357c8ad05341010a60a397d9b", "bthome:54:48:E6:8F:80:A5",
    "bthome:54:48:E6:8F:80:A5:231d39c1d7cc1ab1aee224cd096db932",
    "bthome:C0:11:22:33:44:55/random:231d39c1d7cc1ab1aee224cd096db932",
  ]

  @Test("An identity is read from its text, and written as it was", arguments: texts)
  func roundTrip(text: String) throws {
    let identity = try TagIdentity(text)
    #expect(identity.text == text)
    #expect(try TagIdentity(text.uppercased()) == identity, "the case of letters does not matter")
    #expect(try TagIdentity(json: identity.json) == identity)
  }

  @Test("What each text means")
  func meanings() throws {
    let address = try #require(BluetoothAddress("C0:11:22:33:44:55", kind: .random))
    #expect(try TagIdentity("address:C0:11:22:33:44:55/random") == .address(address))
    let uuid = try #require(BluetoothUUID("e2c56db5-dffb-48d2-b060-d0f5a71096e0"))
    #expect(
      try TagIdentity("ibeacon:e2c56db5-dffb-48d2-b060-d0f5a71096e0:100:0")
        == .iBeacon(uuid: uuid, major: 100, minor: 0))
    guard case .eddystone(let id) = try TagIdentity("eddystone:626c7565636861726d31:000000000001")
    else {
      Issue.record("no Eddystone beacon")
      return
    }
    #expect(id.namespace == Array("bluecharm1".utf8) && id.instance == [0, 0, 0, 0, 0, 1])
  }

  @Test("Keys are not told in passing")
  func keysAreHidden() throws {
    for text in Self.texts where text.contains("231d39") || text.contains("ec0234") {
      let identity = try TagIdentity(text)
      for shown in ["\(identity)", String(reflecting: identity)] {
        #expect(!shown.contains("231d") && !shown.contains("ec02"), "\(shown)")
        #expect(!shown.contains("35, 29"), "\(shown)")
      }
    }
    let key = try #require(AES128Key("ec0234a357c8ad05341010a60a397d9b"))
    #expect(!"\(key) \(String(reflecting: key))".contains("ec02"))
    #expect(key.reversed.hexadecimal == "9b7d390aa6101034 05adc857a33402ec".filter { $0 != " " })
    #expect(key.reversed.reversed == key)
    #expect(AES128Key("ec02") == nil && AES128Key(bytes: [1]) == nil)
  }

  @Test(
    "What is none is refused, with what to write instead",
    arguments: [
      ("", "address:…"), ("tile:1", "not by \"tile\""), ("address:", "is no Bluetooth address"),
      ("address:C0:11:22:33:44", "is no Bluetooth address"),
      ("address:40:11:22:33:44:55/random", "identity resolving key"),
      ("bthome:3F:11:22:33:44:55/random", "identity resolving key"),
      ("ibeacon:e2c5:1:2", "UUID, major and minor"),
      ("ibeacon:e2c56db5-dffb-48d2-b060-d0f5a71096e0:100", "UUID, major and minor"),
      ("ibeacon:e2c56db5-dffb-48d2-b060-d0f5a71096e0:65536:0", "UUID, major and minor"),
      ("ibeacon:e2c56db5-dffb-48d2-b060-d0f5a71096e0:+1:0", "UUID, major and minor"),
      ("ibeacon:e2c56db5-dffb-48d2-b060-d0f5a71096e0:1:-0", "UUID, major and minor"),
      ("eddystone:626c7565636861726d31", "20 digits"), ("eddystone:62:01", "20 digits"),
      ("eddystone:626c7565636861726d3:1000000000001", "20 digits"),
      ("altbeacon:d316", "40 hexadecimal digits"), ("irk:12", "32 hexadecimal digits"),
      ("bthome:54:48:E6:8F:80:A5:", "32 hexadecimal digits"),
      ("bthome:54:48:E6:8F:80", "is no Bluetooth address"),
    ])
  func refused(text: String, advice: String) throws {
    let fault = #expect(throws: TagIdentityFault.self) { try TagIdentity(text) }
    #expect(fault?.message.description.contains(advice) == true)
    #expect(throws: DecodeError.self) { try TagIdentity(json: .string(text)) }
    #expect(throws: DecodeError.self) { try TagIdentity(json: 3) }
  }
}
