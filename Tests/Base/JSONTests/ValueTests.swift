import Bytes
import JSON
import Testing

/// What is read and written, value by value.
@Suite("JSON values")
struct ValueTests {
  @Test(
    "A number keeps its value, a whole one all of its digits, and is written as short as can be",
    arguments: [
      ("0", .integer(0), "0"), ("-1", .integer(-1), "-1"),
      ("9007199254740993", .integer(9_007_199_254_740_993), "9007199254740993"),
      ("9223372036854775807", .integer(.max), "9223372036854775807"),
      ("-9223372036854775808", .integer(.min), "-9223372036854775808"),
      ("9223372036854775808", .number(0x1p63), "9.223372036854776e+18"),
      ("1.0", .number(1), "1.0"), ("1E2", .number(100), "100.0"), ("0.10", .number(0.1), "0.1"),
      ("-0.0", .number(-0.0), "-0.0"), ("1e22", .number(1e22), "1e+22"),
      ("5e-324", .number(.leastNonzeroMagnitude), "5e-324"), ("1e-400", .number(0), "0.0"),
      ("0.1000000000000000055511151231257827", .number(0.1), "0.1"),
      ("1.7976931348623157e308", .number(.greatestFiniteMagnitude), "1.7976931348623157e+308"),
    ] as [(String, JSONValue, String)])
  func numbers(text: String, value: JSONValue, written: String) throws {
    let read = try JSONValue(parsing: text)
    #expect(read == value)
    #expect(read.serialized == written)
    #expect(try JSONValue(parsing: written) == read)
  }

  @Test(
    "A whole number is one however it is written, where 64 bits hold it",
    arguments: [
      (3, 3), (.number(3), 3), (.number(-0.0), 0), (.number(-0x1p63), .min), (.number(3.5), nil),
      (.number(0x1p63), nil), (.number(.nan), nil), (.number(-.infinity), nil), ("3", nil),
      (true, nil), (.null, nil),
    ] as [(JSONValue, Int64?)])
  func wholeNumbers(value: JSONValue, whole: Int64?) {
    #expect(value.integerContent == whole)
  }

  /// - Source: RFC 8259, section 7.
  @Test("Escapes are read as the letters that they stand for")
  func escapesRead() throws {
    let text = #""\"\\\/\b\f\n\r\t\u0000\u00e9\u20AC\uD83D\uDE00\uFFFF""#
    let expected = "\"\\/\u{8}\u{C}\n\r\t\u{0}é€😀\u{FFFF}"
    let read = try #require(try JSONValue(parsing: text).stringContent)
    #expect(read.unicodeScalars.elementsEqual(expected.unicodeScalars))
    #expect(try JSONValue(parsing: #""\uD800\uDC00""#) == "\u{10000}")
    #expect(try JSONValue(parsing: #""\uDBFF\uDFFF""#) == "\u{10FFFF}")
  }

  @Test("Only what has to be escaped is, in names too")
  func escapesWritten() {
    let text = JSONValue.string("\u{0}\u{8}\u{C}\u{1F}\u{7F}\"\\/\n\r\t\u{2028}é😀")
    #expect(
      text.serialized
        == "\"\\u0000\\u0008\\u000c\\u001f\u{7F}\\\"\\\\/\\n\\r\\t\u{2028}é😀\"")
    #expect(JSONValue.object(["a\"\n": 1]).serialized == #"{"a\"\n":1}"#)
  }

  @Test("Every letter of the first planes comes through, and none is changed")
  func letters() throws {
    for block in stride(from: UInt32(0), to: 0x2_0000, by: 0x100) {
      var text = ""
      for code in block..<block + 0x100 {
        if let scalar = Unicode.Scalar(code) { text.unicodeScalars.append(scalar) }
      }
      let read = try JSONValue(parsing: JSONValue.string(text).serializedBytes).stringContent
      #expect(read.map { Array($0.utf8) } == Array(text.utf8), "\(block)")
    }
  }

  @Test(
    "A member that is set keeps its place, a new one comes last, one without content is left out")
  func members() {
    let object = JSONValue.object(["b": 1, "left": nil, "a": .null])
    #expect(object.serialized == #"{"b":1,"a":null}"#)
    #expect(object["a"] == .null && object["left"] == nil && object["c"] == nil)
    #expect(object.setting("b", to: 2).serialized == #"{"b":2,"a":null}"#)
    #expect(object.setting("c", to: []).serialized == #"{"b":1,"a":null,"c":[]}"#)
    #expect(JSONValue.array([1]).setting("c", to: 2) == ["c": 2])
    #expect(JSONValue.array([1])["c"] == nil)
  }

  @Test("White space may stand around every part, and none is written")
  func whiteSpace() throws {
    let text = " \t{ \"a\" :\r\n[ 1 , { } , [ ] ] }\n"
    #expect(try JSONValue(parsing: text).serialized == #"{"a":[1,{},[]]}"#)
  }

  @Test("Parts of a part are found where it stands, by the names that escapes stand for")
  func slices() throws {
    let bytes = Array(#"{"\u0061":{"in\"ner":[ 1,"]" ]}, "b":{}}"#.utf8)
    func text(_ range: Range<Int>) -> String { String(decoding: bytes[range], as: UTF8.self) }
    let outer = try JSONSlices.members(of: bytes)
    #expect(outer.map(\.key) == ["a", "b"] && outer.map { text($0.range) }.last == "{}")
    let inner = try JSONSlices.members(of: bytes, at: outer[0].range.lowerBound)
    #expect(inner.map(\.key) == ["in\"ner"])
    let elements = try JSONSlices.arrayElements(of: bytes, at: inner[0].range.lowerBound)
    #expect(elements.map(text) == ["1", "\"]\""])
    #expect(try JSONSlices.members(of: bytes, at: outer[1].range.lowerBound).isEmpty)
    #expect(try JSONSlices.arrayElements(of: Array("[ ]".utf8)).isEmpty)
  }

  @Test(
    "Members of what is no object, or does not end, are not found",
    arguments: [
      "", "[]", "{", "{\"a\"", "{\"a\":", "{\"a\":1", "{\"a\":}", "{\"a\" 1}", "{a:1}",
      "{\"a\":1,}",
      "{\"a\":[1}", "{\"a\":\"x}", "{\"a\":1 2}", "{\"\\x\":1}",
    ])
  func brokenMembers(text: String) {
    #expect(throws: DecodeError.self) { try JSONSlices.members(of: Array(text.utf8)) }
  }
}
