import Bytes
import JSON
import Testing

/// Every refusal names the member that does not fit, with the objects around it.
@Suite("Reading members")
struct ReaderTests {
  private enum Word: String, CaseIterable {
    case north
    case south
  }

  /// A way to read a member that has to be there, or may be absent.
  enum Way: CaseIterable {
    case any
    case text
    case number
    case whole
    case count
    case flag
    case object
    case word

    func read(_ name: String, of reader: JSONReader) throws(DecodeError) {
      switch self {
      case .any: _ = try reader.required(name)
      case .text: _ = try reader.string(name)
      case .number: _ = try reader.double(name)
      case .whole: _ = try reader.integer(name)
      case .count: _ = try reader.count(name)
      case .flag: _ = try reader.bool(name)
      case .object: _ = try reader.object(name).names
      case .word: _ = try reader.word(name, as: Word.self)
      }
    }

    func readIfThere(_ name: String, of reader: JSONReader) throws(DecodeError) {
      switch self {
      case .any: _ = reader.optional(name)
      case .text: _ = try reader.optionalString(name)
      case .number: _ = try reader.optionalDouble(name)
      case .whole: _ = try reader.optionalInteger(name)
      case .count: _ = try reader.optionalCount(name)
      case .flag: _ = try reader.optionalBool(name)
      case .object: _ = try reader.optionalObject(name)?.names
      case .word: _ = try reader.optionalWord(name, as: Word.self)
      }
    }
  }

  private static let sample: JSONValue = [
    "text": "x", "whole": 7, "part": 1.5, "flag": true, "none": .null, "list": ["a", 2],
    "in": ["deep": ["word": "west"]],
  ]

  private func fault(_ read: (JSONReader) throws(DecodeError) -> Void) throws -> DecodeError? {
    let reader = try JSONReader(Self.sample, path: "top")
    do throws(DecodeError) {
      try read(reader)
      return nil
    } catch { return error }
  }

  @Test(
    "What has to be there and is not, or is null, is missing",
    arguments: Way.allCases, ["none", "other"])
  func missing(way: Way, name: String) throws {
    let fault = try fault { reader throws(DecodeError) in try way.read(name, of: reader) }
    #expect(fault == DecodeError(.missingField, at: 0, field: "top.\(name)"))
    #expect(
      try self.fault { reader throws(DecodeError) in try way.readIfThere(name, of: reader) } == nil)
  }

  @Test(
    "What has another type is told as such, also where it may be absent",
    arguments: [
      (.text, "whole"), (.text, "list"), (.number, "text"), (.number, "flag"), (.whole, "part"),
      (.whole, "text"), (.count, "part"), (.flag, "whole"), (.flag, "text"), (.object, "list"),
      (.object, "text"), (.word, "flag"),
    ] as [(Way, String)])
  func wrongType(way: Way, name: String) throws {
    let expected = DecodeError(.wrongType, at: 0, field: "top.\(name)")
    #expect(
      try fault { reader throws(DecodeError) in try way.read(name, of: reader) } == expected)
    #expect(
      try fault { reader throws(DecodeError) in try way.readIfThere(name, of: reader) }
        == expected)
  }

  @Test("What is no array, or not one of texts, is told as such")
  func arrays() throws {
    let reader = try JSONReader(Self.sample, path: "top")
    #expect(throws: DecodeError(.wrongType, at: 0, field: "top.text")) {
      try reader.array("text")
    }
    #expect(throws: DecodeError(.wrongType, at: 0, field: "top.list")) {
      try reader.strings("list")
    }
  }

  @Test("A word of none of the known ones is told with the whole path to it")
  func words() throws {
    let deep = try JSONReader(Self.sample).object("in").object("deep")
    #expect(throws: DecodeError(.unknownWord, at: 0, field: "in.deep.word")) {
      try deep.word("word", as: Word.self)
    }
    #expect(throws: DecodeError(.unknownWord, at: 0, field: "in.deep.word")) {
      try deep.optionalWord("word", as: Word.self)
    }
    let south = try JSONReader(["word": "south"])
    #expect(try south.word("word", as: Word.self) == .south)
    #expect(try south.optionalWord("other", as: Word.self) == nil)
  }

  @Test("An array that is absent or null is empty")
  func absent() throws {
    let reader = try JSONReader(Self.sample)
    for name in ["none", "other"] {
      #expect(try reader.array(name) == [])
      #expect(try reader.strings(name) == [])
      #expect(try reader.optionalObject(name)?.names == nil)
      #expect(reader.optional(name) == nil)
    }
  }

  @Test(
    "What is counted on is never negative, and never the number that has no successor",
    arguments: [
      (0, 0), (12, 12), (-1, 0), (.integer(.min), 0), (2_147_483_647, 2_147_483_647),
      (2_147_483_648, 2_147_483_647), (.integer(.max), 2_147_483_647), (5.0, 5),
    ] as [(JSONValue, Int64)])
  func counts(value: JSONValue, count: Int64) throws {
    let reader = try JSONReader(["n": value])
    #expect(try reader.count("n") == count)
    #expect(try reader.optionalCount("n") == count)
  }

  @Test("A whole number is a number, and one with a zero behind the point is whole")
  func numbers() throws {
    let reader = try JSONReader(["whole": 7, "pointed": 7.0])
    #expect(try reader.double("whole") == 7)
    #expect(try reader.integer("pointed") == 7)
  }

  @Test("Only an object has members; where it stands is told when it has a name")
  func objects() {
    for value in [JSONValue.null, true, 1, 1.5, "x", []] {
      #expect(throws: DecodeError(.wrongType, at: 0)) { try JSONReader(value) }
      #expect(throws: DecodeError(.wrongType, at: 0, field: "a.b")) {
        try JSONReader(value, path: "a.b")
      }
    }
  }

  @Test("Members that nobody knows are refused by their name, the first of them")
  func unknown() throws {
    let reader = try JSONReader(["a": 1, "c": 2, "d": 3], path: "top")
    try reader.refuseUnknown(besides: ["d", "c", "b", "a"])
    #expect(throws: DecodeError(.unknownWord, at: 0, field: "top.c")) {
      try reader.refuseUnknown(besides: ["a"])
    }
    // Also what is null was written by somebody who means something.
    let null = try JSONReader(["a": .null])
    #expect(throws: DecodeError(.unknownWord, at: 0, field: "a")) {
      try null.refuseUnknown(besides: [])
    }
  }

  @Test("Elements are converted in order, and the first that does not fit is what is told")
  func lists() throws {
    let reader = try JSONReader(["list": [1, 2, "x", "y"], "fine": [3, 4]])
    var seen: [JSONValue] = []
    let whole = { (value: JSONValue) throws(DecodeError) -> Int64 in
      guard let whole = value.integerContent else {
        throw DecodeError(.wrongType, at: 0, field: value.stringContent)
      }
      return whole
    }
    #expect(try reader.list("fine", whole) == [3, 4])
    #expect(throws: DecodeError(.wrongType, at: 0, field: "x")) {
      try reader.list("list") { value throws(DecodeError) in
        seen.append(value)
        return try whole(value)
      }
    }
    #expect(seen == [1, 2, "x"])
  }
}
