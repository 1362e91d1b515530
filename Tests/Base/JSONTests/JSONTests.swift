import Bytes
import Foundation
import JSON
import Testing

@Suite struct JSONTests {
  private let sample = """
    {"name":"李奶奶 \\"Mary\\" 🙂","list":[1,-2,3.5,1e3,true,false,null,"\\u00e9\\ud83d\\ude00"],"deep":{"a":{"b":[]}},"big":9223372036854775807}
    """

  @Test func anObjectKeepsItsOrderAndExactNumbers() throws {
    let value = try JSONValue(parsing: sample)
    #expect(value.objectContent?.map(\.key) == ["name", "list", "deep", "big"])
    #expect(value["big"]?.integerContent == .max)
    #expect(value["name"]?.stringContent == "李奶奶 \"Mary\" 🙂")
    #expect(value["list"]?.arrayContent?.last?.stringContent == "é😀")
  }

  @Test func whatIsWrittenReadsBackAsTheSame() throws {
    let value = try JSONValue(parsing: sample)
    #expect(try JSONValue(parsing: value.serializedBytes) == value)
  }

  @Test(arguments: [
    ("", DecodeError.Code.truncated, 0), ("{", .truncated, 1), ("[1,]", .unexpectedByte, 3),
    ("01", .unexpectedByte, 1), ("\"\u{1}\"", .unexpectedByte, 1), ("nul", .truncated, 3),
    ("1 2", .unexpectedByte, 2), ("{\"a\":1,\"a\":2}", .duplicateKey, 7),
    ("\"\\ud800\"", .invalidText, 7), ("\"\\x\"", .invalidText, 2), ("1e999", .outOfRange, 0),
    ("-", .truncated, 1), ("[1}", .unexpectedByte, 2), ("{\"a\" 1}", .unexpectedByte, 5),
    ("NaN", .unexpectedByte, 0), ("Infinity", .unexpectedByte, 0),
  ])
  func aFaultIsNamedWithItsPlace(text: String, code: DecodeError.Code, offset: Int) {
    #expect {
      try JSONValue(parsing: text)
    } throws: { error in
      let fault = error as? DecodeError
      return fault?.code == code && fault?.offset == offset
    }
  }

  @Test("A name stands once in an object, however many there are", arguments: [1, 15, 16, 17, 200])
  func namesOfLargeObjects(count: Int) throws {
    let members = (0..<count).map { "\"n\($0)\":\($0)" }
    let whole = try JSONValue(parsing: "{\(members.joined(separator: ","))}")
    #expect(whole.objectContent?.map(\.key) == (0..<count).map { "n\($0)" })
    for again in Set([0, count / 2, count - 1]) {
      let text = "{\(members.joined(separator: ",")),\"n\(again)\":0}"
      #expect {
        try JSONValue(parsing: text)
      } throws: { error in
        (error as? DecodeError)?.code == .duplicateKey
          && (error as? DecodeError)?.offset == text.utf8.count - "\"n\(again)\":0}".utf8.count
      }
    }
  }

  @Test func invalidUTF8IsRefused() {
    #expect(throws: DecodeError.self) { try JSONValue(parsing: [0x22, 0xFF, 0x22]) }
    #expect(throws: DecodeError.self) { try JSONValue(parsing: [0x22, 0xC0, 0xAF, 0x22]) }
  }

  @Test func nestingAndSizeHaveLimits() {
    let deep = String(repeating: "[", count: 100_000)
    #expect(throws: DecodeError.self) { try JSONValue(parsing: deep) }
    let large = "\"" + String(repeating: "a", count: 2 << 20) + "\""
    #expect(throws: DecodeError.self) { try JSONValue(parsing: large) }
  }

  @Test func everyPrefixIsRefusedAndNeverTraps() {
    let bytes = Array(sample.utf8)
    for count in 0..<bytes.count {
      #expect(throws: DecodeError.self) { try JSONValue(parsing: bytes.prefix(count)) }
    }
  }

  @Test func flippedBitsReadTheSameAsTheIndependentReaderOrAreRefused() throws {
    var random = SplitMix64(seed: 7)
    let original = Array(sample.utf8)
    var accepted = 0
    for _ in 0..<5_000 {
      var bytes = original
      let bit = Int(random.next() % UInt64(bytes.count * 8))
      bytes[bit / 8] ^= 1 << UInt8(bit % 8)
      guard let value = try? JSONValue(parsing: bytes) else { continue }
      accepted += 1
      let independent = try JSONSerialization.jsonObject(
        with: Data(bytes), options: .fragmentsAllowed)
      let ours = try JSONSerialization.jsonObject(
        with: Data(value.serializedBytes), options: .fragmentsAllowed)
      #expect((ours as? NSObject) == (independent as? NSObject))
    }
    #expect(accepted > 500)
  }

  @Test func slicesOfAnArrayAreTheExactBytes() throws {
    let bytes = Array(" [ {\"a\":\"]}\\\"\"} ,12,\"x,y\" , [1,[2]] ] ".utf8)
    let texts = try JSONSlices.arrayElements(of: bytes).map {
      String(decoding: bytes[$0], as: UTF8.self)
    }
    #expect(texts == ["{\"a\":\"]}\\\"\"}", "12", "\"x,y\"", "[1,[2]]"])
  }

  @Test func slicesOfBrokenArraysAreRefused() {
    for text in ["", "[", "[1", "[{]", "[\"a", "[\"a\\", "[1 2]", "{}", "[}"] {
      #expect(throws: DecodeError.self, "\(text)") {
        try JSONSlices.arrayElements(of: Array(text.utf8))
      }
    }
  }

  @Test func membersAreFoundUnread() throws {
    let bytes = Array("{\"jsonrpc\":\"2.0\",\"params\":{\"a\":[1,2]},\"id\":7}".utf8)
    let members = try JSONSlices.members(of: bytes)
    #expect(members.map(\.key) == ["jsonrpc", "params", "id"])
    #expect(String(decoding: bytes[members[1].range], as: UTF8.self) == "{\"a\":[1,2]}")
  }

  @Test func numbersThatAreNotFiniteAreWrittenAsNull() {
    #expect(
      JSONValue.array([.number(.nan), .number(.infinity), 1.5]).serialized == "[null,null,1.5]")
  }

  @Test func aReaderNamesTheMemberThatDoesNotFit() throws {
    let reader = try JSONReader(["zone": ["radius": "wide"]])
    let zone = try reader.object("zone")
    #expect(throws: DecodeError(.wrongType, at: 0, field: "zone.radius")) {
      try zone.double("radius")
    }
    #expect(throws: DecodeError(.missingField, at: 0, field: "zone.name")) {
      try zone.string("name")
    }
  }
}
