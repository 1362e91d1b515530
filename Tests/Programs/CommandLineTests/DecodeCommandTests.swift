import JSON
import Testing

@Suite("What devices send, read on the command line")
struct DecodeCommandTests {
  private let tool = Tool(environment: ["HOMEWARD_SOCKET": "/nowhere/s"])

  private func decode(_ words: String...) throws -> Tool.Outcome {
    try tool.run(["decode", "advertisement"] + words)
  }

  private static let beacon =
    "043e2a02010001433ea2c96b6a1e02011a1aff4c000215e2c56db5dffb48d2b060d0f5a71096e000640000c5b3"

  @Test("A whole event is read without a gateway, for people")
  func event() throws {
    let outcome = try decode(Self.beacon)
    #expect(outcome.code == 0 && outcome.errors.isEmpty)
    #expect(
      outcome.output.hasPrefix(
        "From 6A:6B:C9:A2:3E:43 (an address that changes), received with -77 dBm\n"))
    #expect(
      outcome.output.contains(
        "A tag that can be known by ibeacon:e2c56db5-dffb-48d2-b060-d0f5a71096e0:100:0\n"))
  }

  @Test("The same for programs")
  func json() throws {
    let json = try JSONValue(parsing: try decode(Self.beacon, "--json").output)
    let report = try #require(json["reports"]?.arrayContent?.first)
    #expect(report["address"] == "6A:6B:C9:A2:3E:43" && report["rssi_dbm"] == -77)
    #expect(report["address_changes"] == true)
    let beacon = try #require(report["data"]?["contents"]?.arrayContent?.first)
    #expect(beacon["kind"] == "ibeacon" && beacon["major"] == 100 && beacon["power_1m_dbm"] == -59)
  }

  @Test("Digits are taken as logs and manuals write them")
  func spelling() throws {
    let plain = try decode("0201060616d2fc403a02").output
    #expect(plain.contains("BTHome\n  button double_press\n"))
    for words in [
      ["02", "01", "06", "06", "16", "D2", "FC", "40", "3A", "02"],
      ["02:01:06:06:16:d2:fc:40:3a:02"], ["0x0201060616d2fc403a02"],
      ["0x02 0x01 0x06 0x06, 0x16 0xd2 0xfc 0x40 0x3a 0x02"],
    ] {
      #expect(try tool.run(["decode", "advertisement"] + words).output == plain, "\(words)")
    }
  }

  @Test("A sealed device opens with its key, and with no other")
  func key() throws {
    let sealed = "1216d2fc41e445f3c9962b332211006c7c4519"
    let (sender, key) = ("54:48:E6:8F:80:A5", "231d39c1d7cc1ab1aee224cd096db932")
    let closed = try decode(sealed, "--from", sender)
    #expect(closed.code == 0 && closed.output.contains("sealed: give its key"))
    let opened = try decode(sealed, "--from", sender, "--identity", "bthome:\(sender):\(key)")
    #expect(opened.output.contains("  temperature 25.06 °C\n  humidity 50.55 %\n"))
    #expect(!opened.output.contains(key), "a key is not shown")
    let other = try decode(
      sealed, "--from", sender, "--identity",
      "bthome:\(sender):\(key.reversed().map(String.init).joined())")
    #expect(other.output.hasSuffix("This is not the tag that --identity names.\n"))
    let json = try JSONValue(
      parsing: try decode(
        sealed, "--from", sender, "--identity", "bthome:\(sender):\(key)", "--json"
      ).output)
    let match = try #require(json["matches"]?.arrayContent?.first)
    #expect(match["authentic"] == true)
    #expect(match["bthome"]?["readings"]?.arrayContent?.first?["value"] == 25.06)
  }

  @Test("A changing address is known by its key")
  func resolvingKey() throws {
    let key = "irk:ec0234a357c8ad05341010a60a397d9b"
    let own = try decode("020106", "--from", "70:81:94:0D:FB:AA", "--identity", key)
    #expect(own.output.contains("This is the tag irk:********.\n"))
    let other = try decode("020106", "--from", "70:81:94:0D:FB:AB", "--identity", key)
    #expect(other.output.contains("This is not the tag"))
  }

  @Test(
    "What is wrong is told with its byte and what is expected",
    arguments: [
      (["0201061aff4c00"], 1, "byte 3, counted from 0, is 1a; expected: a length that fits"),
      (
        ["043e0a02010007010203040506"], 1,
        "byte 6, counted from 0, is 07; expected: a kind of address"
      ),
      (["043e0c0201000001020304050603aa"], 1, "the bytes end behind number 15; expected"),
      (
        ["0516d2fc40ff"], 1,
        "byte 5, counted from 0, is ff; expected: the number of a BTHome object"
      ),
      (["02010"], 2, "5 digits are not whole bytes"),
      (["02 01 xy"], 2, "\"x\" is no hexadecimal digit"),
      (["0x"], 2, "there are no bytes"), ([], 2, "HEX is missing."),
      (["020106", "--from", "me"], 2, "\"me\" is no Bluetooth address"),
      (["020106", "--identity", "tile"], 2, "A tag is known by address:…"),
    ])
  func faults(words: [String], code: Int32, sentence: String) throws {
    let outcome = try tool.run(["decode", "advertisement"] + words)
    #expect(outcome.code == code)
    #expect(outcome.errors.contains(sentence), "\(outcome.errors)")
  }

  @Test("What can be read of damaged bytes is printed before the fault")
  func partial() throws {
    let outcome = try decode("0516d2fc40ff", "--json")
    #expect(outcome.code == 1)
    let json = try JSONValue(parsing: outcome.output)
    #expect(json["contents"]?.arrayContent?.first?["kind"] == "bthome")
    #expect(json["faults"]?.arrayContent?.first?["byte"] == 5)
  }

  @Test("A changing device is named as one")
  func changing() throws {
    let outcome = try decode("1eff4c0012190057364dc7fb77866c40c91076603cb37c1f59f923ab3a0300")
    #expect(outcome.output.contains("apple-find-my: it changes what it sends"))
  }

  @Test("An unknown kind is refused with what was probably meant")
  func unknownKind() throws {
    let outcome = try tool.run(["decode", "advertisment", "02"])
    #expect(outcome.code == 2)
    #expect(outcome.errors.contains("Did you mean \"homeward decode advertisement\"?"))
  }
}
