import Bytes
import JSON
import Testing

/// What is no JSON is refused at the byte that does not fit.
///
/// - Source: RFC 8259.
@Suite("JSON that is malformed")
struct MalformedTextTests {
  private func fault(
    _ bytes: [UInt8], limits: JSONValue.Limits = JSONValue.Limits()
  ) -> DecodeError? {
    do throws(DecodeError) {
      _ = try JSONValue(parsing: bytes, limits: limits)
      return nil
    } catch { return error }
  }

  @Test(
    "Arrays and objects have their commas, colons and ends where they belong",
    arguments: [
      ("[1", .truncated, 2), ("[1,", .truncated, 3), ("[,1]", .unexpectedByte, 1),
      ("[1,,2]", .unexpectedByte, 3), ("]", .unexpectedByte, 0), ("[1]]", .unexpectedByte, 3),
      ("{\"a\"", .truncated, 4), ("{\"a\":", .truncated, 5), ("{\"a\":1", .truncated, 6),
      ("{\"a\":1,", .truncated, 7), ("{\"a\":1,}", .unexpectedByte, 7),
      ("{\"a\"::1}", .unexpectedByte, 5), ("{\"a\":1]", .unexpectedByte, 6),
      ("{,}", .unexpectedByte, 1), ("{1:2}", .unexpectedByte, 1), ("{a:1}", .unexpectedByte, 1),
      ("{'a':1}", .unexpectedByte, 1), ("{} {}", .unexpectedByte, 3), ("1,", .unexpectedByte, 1),
    ] as [(String, DecodeError.Code, Int)])
  func structure(text: String, code: DecodeError.Code, offset: Int) {
    #expect(fault(Array(text.utf8)) == DecodeError(code, at: offset))
  }

  @Test(
    "Words are in lower case, and only the four kinds of white space stand between",
    arguments: [
      ("True", .unexpectedByte, 0), ("nULL", .unexpectedByte, 1), ("tru", .truncated, 3),
      ("falsf", .unexpectedByte, 4), ("truefalse", .unexpectedByte, 4),
      ("nullx", .unexpectedByte, 4), ("\u{FEFF}1", .unexpectedByte, 0),
      ("\u{A0}1", .unexpectedByte, 0), ("\u{B}1", .unexpectedByte, 0),
      ("1\u{C}", .unexpectedByte, 1), ("\u{0}", .unexpectedByte, 0), ("//\n1", .unexpectedByte, 0),
      (" \t\r\n", .truncated, 4),
    ] as [(String, DecodeError.Code, Int)])
  func words(text: String, code: DecodeError.Code, offset: Int) {
    #expect(fault(Array(text.utf8)) == DecodeError(code, at: offset))
  }

  @Test(
    "A number is written as the standard has it, and is one that a double holds",
    arguments: [
      ("+1", .unexpectedByte, 0), (".5", .unexpectedByte, 0), ("1.", .truncated, 2),
      ("1.e3", .unexpectedByte, 2), ("1e", .truncated, 2), ("1e+", .truncated, 3),
      ("1e5.5", .unexpectedByte, 3), ("--1", .unexpectedByte, 1), ("-a", .unexpectedByte, 1),
      ("00", .unexpectedByte, 1), ("-01", .unexpectedByte, 2), ("0x10", .unexpectedByte, 1),
      ("1_000", .unexpectedByte, 1), ("１", .unexpectedByte, 0), ("-1e400", .outOfRange, 0),
      ("[1e400]", .outOfRange, 1), ("[1, -Infinity]", .unexpectedByte, 5),
    ] as [(String, DecodeError.Code, Int)])
  func numbers(text: String, code: DecodeError.Code, offset: Int) {
    #expect(fault(Array(text.utf8)) == DecodeError(code, at: offset))
  }

  @Test("A whole number of four hundred digits is beyond what a double holds")
  func endlessNumber() {
    let digits = [UInt8](repeating: UInt8(ascii: "9"), count: 400)
    #expect(fault(digits) == DecodeError(.outOfRange, at: 0))
  }

  @Test(
    "An escape is one that there is, and whole",
    arguments: [
      (#""\"#, .truncated, 2), (#""\'""#, .invalidText, 2), (#""\U0041""#, .invalidText, 2),
      (#""\0""#, .invalidText, 2), (#""\u12"#, .truncated, 5), (#""\u12""#, .invalidText, 5),
      (#""\u00g0""#, .invalidText, 5), (#""\u+123""#, .invalidText, 3),
      (#""\""#, .truncated, 3), ("\"a\nb\"", .unexpectedByte, 2),
      ("\"\\ta\tb\"", .unexpectedByte, 4),
    ] as [(String, DecodeError.Code, Int)])
  func escapes(text: String, code: DecodeError.Code, offset: Int) {
    #expect(fault(Array(text.utf8)) == DecodeError(code, at: offset))
  }

  @Test(
    "Half of a surrogate pair is no letter",
    arguments: [
      (#""\uDC00""#, 7), (#""\uDFFF\uD800""#, 7), (#""\uD83D""#, 7), (#""\uD83Dx""#, 7),
      (#""\uD83D\n""#, 7), (#""\uD83D\u0041""#, 13), (#""\uD83D\uD83D""#, 13),
      (#""\uD83D\uE000""#, 13),
    ])
  func surrogates(text: String, offset: Int) {
    #expect(fault(Array(text.utf8)) == DecodeError(.invalidText, at: offset))
  }

  /// - Source: RFC 3629, sections 3 and 4.
  @Test(
    "Bytes that are no UTF-8 are refused at their text",
    arguments: [
      [0x80], [0xC0, 0x80], [0xE0, 0x80, 0xAF], [0xED, 0xA0, 0x80], [0xF4, 0x90, 0x80, 0x80],
      [0xF8, 0x88, 0x80, 0x80, 0x80], [0xE2, 0x82], [0xFE], [0xFF],
    ] as [[UInt8]])
  func invalidUTF8(bytes: [UInt8]) {
    let quote = UInt8(ascii: "\"")
    let expected = DecodeError(.invalidText, at: 1)
    #expect(fault([0x5B, quote] + bytes + [quote, 0x5D]) == expected)
    // The same behind an escape, which is read another way.
    #expect(fault([0x5B, quote, 0x5C, 0x6E] + bytes + [quote, 0x5D]) == expected)
    // And as the name of a member.
    #expect(fault([0x7B, quote] + bytes + [quote, 0x3A, 0x31, 0x7D]) == expected)
  }

  @Test("A name is there twice also where it is written otherwise, but not in another object")
  func duplicates() throws {
    #expect(
      fault(Array(#"{"a":1,"\u0061":2}"#.utf8)) == DecodeError(.duplicateKey, at: 7, field: "a"))
    #expect(
      fault(Array(#"{"b":{"a":1, "a":2}}"#.utf8)) == DecodeError(.duplicateKey, at: 13, field: "a")
    )
    #expect(fault(Array(#"{"":1,"":2}"#.utf8)) == DecodeError(.duplicateKey, at: 6, field: ""))
    for text in [#"{"a":{"a":1}}"#, #"[{"a":1},{"a":1}]"#, #"{"a":1,"A":2}"#] {
      #expect(fault(Array(text.utf8)) == nil, "\(text)")
    }
  }

  @Test("As deep as allowed is read, one level more is not, and neighbours add nothing")
  func depth() {
    func nested(_ open: String, _ close: String, _ levels: Int) -> [UInt8] {
      Array((String(repeating: open, count: levels) + "1").utf8)
        + Array(String(repeating: close, count: levels).utf8)
    }
    #expect(fault(nested("[", "]", 64)) == nil)
    #expect(fault(nested("[", "]", 65)) == DecodeError(.tooLarge, at: 64))
    #expect(fault(nested("{\"a\":", "}", 64)) == nil)
    #expect(fault(nested("{\"a\":", "}", 65)) == DecodeError(.tooLarge, at: 64 * 5))
    #expect(fault(nested("[{\"a\":", "}]", 33)) == DecodeError(.tooLarge, at: 32 * 6))
    let wide = "[" + Array(repeating: "[],{}", count: 200).joined(separator: ",") + "]"
    #expect(fault(Array(wide.utf8)) == nil)
    let flat = JSONValue.Limits(maximumDepth: 0)
    #expect(fault(Array("1".utf8), limits: flat) == nil)
    #expect(fault(Array("[]".utf8), limits: flat) == DecodeError(.tooLarge, at: 0))
  }

  @Test("As long as allowed is read, and one byte more is not")
  func size() {
    let five = JSONValue.Limits(maximumBytes: 5)
    #expect(fault(Array("12345".utf8), limits: five) == nil)
    #expect(fault(Array("12345 ".utf8), limits: five) == DecodeError(.tooLarge, at: 5))
    #expect(fault(Array("\"é€".utf8), limits: five) == DecodeError(.tooLarge, at: 5))
  }
}
