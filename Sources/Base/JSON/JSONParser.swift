public import Bytes

extension JSONValue {
  /// Limits that keep hostile input from exhausting the stack or memory.
  public struct Limits: Sendable {
    /// The most bytes one text may have.
    public var maximumBytes: Int
    /// The deepest nesting of arrays and objects.
    public var maximumDepth: Int

    /// Limits; by default 1 MiB and 64 levels.
    public init(maximumBytes: Int = 1 << 20, maximumDepth: Int = 64) {
      self.maximumBytes = maximumBytes
      self.maximumDepth = maximumDepth
    }
  }

  /// Reads one JSON text (RFC 8259), the whole of `bytes` but for white space around it.
  ///
  /// Stricter than the standard where it leaves a choice: duplicate member names, numbers beyond the range of a
  /// double and lone surrogates are refused.
  ///
  /// - Throws: ``DecodeError`` with the offset of the fault.
  public init(parsing bytes: some Collection<UInt8>, limits: Limits = Limits()) throws(DecodeError)
  {
    guard bytes.count <= limits.maximumBytes else {
      throw DecodeError(.tooLarge, at: limits.maximumBytes)
    }
    var parser = JSONParser(Array(bytes), maximumDepth: limits.maximumDepth)
    self = try parser.parseDocument()
  }

  /// Reads one JSON text from a string; see ``init(parsing:limits:)-(Collection,_)``.
  public init(parsing text: String, limits: Limits = Limits()) throws(DecodeError) {
    try self.init(parsing: Array(text.utf8), limits: limits)
  }
}

/// The byte ranges of a JSON text's parts, found without building values.
public enum JSONSlices {
  /// The byte ranges of the elements of the array that starts at `start` in `bytes`.
  ///
  /// Elements are checked for balanced structure and well-formed strings only, so that stored bytes can be passed
  /// on unread.
  ///
  /// - Throws: ``DecodeError`` when no array stands there or it does not end.
  public static func arrayElements(
    of bytes: [UInt8], at start: Int = 0
  ) throws(DecodeError) -> [Range<Int>] {
    var parser = JSONParser(bytes, maximumDepth: 64)
    parser.index = start
    return try parser.arrayElementRanges()
  }

  /// The byte range of each member's value of the object that starts at `start` in `bytes`, with its name, in order.
  ///
  /// - Throws: ``DecodeError`` when no object stands there or it does not end.
  public static func members(
    of bytes: [UInt8], at start: Int = 0
  ) throws(DecodeError) -> [(key: String, range: Range<Int>)] {
    var parser = JSONParser(bytes, maximumDepth: 64)
    parser.index = start
    return try parser.memberRanges()
  }
}

/// Which names an object has so far. Nearly every object is small, and its few members are compared sooner than their
/// names are hashed.
private struct MemberNames {
  private static let comparedAtMost = 16
  private var hashed: Set<String> = []

  /// Takes the name of the next member; false where one of the members before has it.
  mutating func isNew(_ name: String, beside members: [JSONMember]) -> Bool {
    if members.count < Self.comparedAtMost { return !members.contains { $0.key == name } }
    if hashed.isEmpty { hashed = Set(members.map(\.key)) }
    return hashed.insert(name).inserted
  }
}

private struct JSONParser {
  private let bytes: [UInt8]
  private let maximumDepth: Int
  var index = 0
  private var depth = 0

  init(_ bytes: [UInt8], maximumDepth: Int) {
    self.bytes = bytes
    self.maximumDepth = maximumDepth
  }

  mutating func parseDocument() throws(DecodeError) -> JSONValue {
    let value = try parseValue()
    skipWhiteSpace()
    guard index == bytes.count else { throw error(.unexpectedByte) }
    return value
  }

  private func error(_ code: DecodeError.Code) -> DecodeError { DecodeError(code, at: index) }

  private mutating func skipWhiteSpace() {
    while index < bytes.count, Self.isWhiteSpace(bytes[index]) { index += 1 }
  }

  private static func isWhiteSpace(_ byte: UInt8) -> Bool {
    byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09
  }

  /// Skips white space and returns the byte that follows, without taking it.
  private mutating func peek() throws(DecodeError) -> UInt8 {
    skipWhiteSpace()
    guard index < bytes.count else { throw error(.truncated) }
    return bytes[index]
  }

  private mutating func take(_ expected: Unicode.Scalar) throws(DecodeError) {
    guard try peek() == UInt8(ascii: expected) else { throw error(.unexpectedByte) }
    index += 1
  }

  private mutating func parseValue() throws(DecodeError) -> JSONValue {
    switch try peek() {
    case UInt8(ascii: "{"): return try parseObject()
    case UInt8(ascii: "["): return try parseArray()
    case UInt8(ascii: "\""): return .string(try parseString())
    case UInt8(ascii: "t"): return try parseWord("true", .bool(true))
    case UInt8(ascii: "f"): return try parseWord("false", .bool(false))
    case UInt8(ascii: "n"): return try parseWord("null", .null)
    default: return try parseNumber()
    }
  }

  private mutating func parseWord(_ word: String, _ value: JSONValue) throws(DecodeError)
    -> JSONValue
  {
    for byte in word.utf8 {
      guard index < bytes.count else { throw error(.truncated) }
      guard bytes[index] == byte else { throw error(.unexpectedByte) }
      index += 1
    }
    return value
  }

  private mutating func enter() throws(DecodeError) {
    depth += 1
    if depth > maximumDepth { throw error(.tooLarge) }
  }

  private mutating func parseArray() throws(DecodeError) -> JSONValue {
    try enter()
    try take("[")
    var elements: [JSONValue] = []
    if try peek() != UInt8(ascii: "]") {
      repeat { elements.append(try parseValue()) } while try takeSeparator(closing: "]")
    }
    try take("]")
    depth -= 1
    return .array(elements)
  }

  private mutating func parseObject() throws(DecodeError) -> JSONValue {
    try enter()
    try take("{")
    var members: [JSONMember] = []
    var names = MemberNames()
    if try peek() != UInt8(ascii: "}") {
      repeat {
        guard try peek() == UInt8(ascii: "\"") else { throw error(.unexpectedByte) }
        let start = index
        let name = try parseString()
        guard names.isNew(name, beside: members) else {
          throw DecodeError(.duplicateKey, at: start, field: name)
        }
        try take(":")
        members.append(JSONMember(key: name, value: try parseValue()))
      } while try takeSeparator(closing: "}")
    }
    try take("}")
    depth -= 1
    return .object(members)
  }

  /// Takes a comma and answers true, or answers false before the closing bracket.
  private mutating func takeSeparator(closing: Unicode.Scalar) throws(DecodeError) -> Bool {
    switch try peek() {
    case UInt8(ascii: ","):
      index += 1
      return true
    case UInt8(ascii: closing): return false
    default: throw error(.unexpectedByte)
    }
  }

  private mutating func parseNumber() throws(DecodeError) -> JSONValue {
    let start = index
    if index < bytes.count, bytes[index] == UInt8(ascii: "-") { index += 1 }
    let digitsStart = index
    try skipDigits()
    if bytes[digitsStart] == UInt8(ascii: "0"), index > digitsStart + 1 {
      throw DecodeError(.unexpectedByte, at: digitsStart + 1)
    }
    let isWhole = try !skipFractionAndExponent()
    let text = String(decoding: bytes[start..<index], as: UTF8.self)
    if isWhole, let number = Int64(text) { return .integer(number) }
    guard let number = Double(text), number.isFinite else {
      throw DecodeError(.outOfRange, at: start)
    }
    return .number(number)
  }

  private mutating func skipDigits() throws(DecodeError) {
    let start = index
    while index < bytes.count, (0x30...0x39).contains(bytes[index]) { index += 1 }
    if index == start { throw error(index < bytes.count ? .unexpectedByte : .truncated) }
  }

  private mutating func skipFractionAndExponent() throws(DecodeError) -> Bool {
    var found = false
    if index < bytes.count, bytes[index] == UInt8(ascii: ".") {
      index += 1
      try skipDigits()
      found = true
    }
    if index < bytes.count, bytes[index] | 0x20 == UInt8(ascii: "e") {
      index += 1
      if index < bytes.count, [0x2B, 0x2D].contains(bytes[index]) { index += 1 }
      try skipDigits()
      found = true
    }
    return found
  }

  private mutating func parseString() throws(DecodeError) -> String {
    let start = index
    index += 1
    let plainStart = index
    var together: UInt8 = 0
    while index < bytes.count, bytes[index] != 0x22, bytes[index] != 0x5C, bytes[index] >= 0x20 {
      together |= bytes[index]
      index += 1
    }
    guard index < bytes.count else { throw error(.truncated) }
    if bytes[index] == 0x22 {
      index += 1
      let plain = plainStart..<index - 1
      // Nearly every text is ASCII, and that is valid.
      if together < 0x80 {
        return bytes.withUnsafeBufferPointer {
          String(decoding: UnsafeBufferPointer(rebasing: $0[plain]), as: UTF8.self)
        }
      }
      return try validText(bytes[plain], at: start)
    }
    var unescaped = Array(bytes[plainStart..<index])
    while true {
      guard index < bytes.count else { throw error(.truncated) }
      let byte = bytes[index]
      if byte == 0x22 { break }
      if byte < 0x20 { throw error(.unexpectedByte) }
      index += 1
      if byte == 0x5C { try appendEscape(to: &unescaped) } else { unescaped.append(byte) }
    }
    index += 1
    return try validText(unescaped[...], at: start)
  }

  private func validText(_ text: ArraySlice<UInt8>, at start: Int) throws(DecodeError) -> String {
    guard let valid = String(validating: text, as: UTF8.self) else {
      throw DecodeError(.invalidText, at: start)
    }
    return valid
  }

  private mutating func appendEscape(to text: inout [UInt8]) throws(DecodeError) {
    guard index < bytes.count else { throw error(.truncated) }
    let escaped = bytes[index]
    index += 1
    switch escaped {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): text.append(escaped)
    case UInt8(ascii: "b"): text.append(0x08)
    case UInt8(ascii: "f"): text.append(0x0C)
    case UInt8(ascii: "n"): text.append(0x0A)
    case UInt8(ascii: "r"): text.append(0x0D)
    case UInt8(ascii: "t"): text.append(0x09)
    case UInt8(ascii: "u"):
      text.append(contentsOf: Array(String(Character(try parseUnicodeEscape())).utf8))
    default:
      index -= 1
      throw error(.invalidText)
    }
  }

  private mutating func parseUnicodeEscape() throws(DecodeError) -> Unicode.Scalar {
    let first = try parseFourHexDigits()
    guard (0xD800...0xDFFF).contains(first) else {
      guard let scalar = Unicode.Scalar(first) else { throw error(.invalidText) }
      return scalar
    }
    guard first < 0xDC00, index + 1 < bytes.count, bytes[index] == 0x5C,
      bytes[index + 1] == UInt8(ascii: "u")
    else { throw error(.invalidText) }
    index += 2
    let second = try parseFourHexDigits()
    guard (0xDC00...0xDFFF).contains(second),
      let scalar = Unicode.Scalar(0x10000 + (first - 0xD800) << 10 + (second - 0xDC00))
    else { throw error(.invalidText) }
    return scalar
  }

  private mutating func parseFourHexDigits() throws(DecodeError) -> UInt32 {
    var number: UInt32 = 0
    for _ in 0..<4 {
      guard index < bytes.count else { throw error(.truncated) }
      switch bytes[index] {
      case 0x30...0x39: number = number << 4 | UInt32(bytes[index] - 0x30)
      case 0x41...0x46: number = number << 4 | UInt32(bytes[index] - 0x37)
      case 0x61...0x66: number = number << 4 | UInt32(bytes[index] - 0x57)
      default: throw error(.invalidText)
      }
      index += 1
    }
    return number
  }

  // MARK: Ranges without values

  mutating func arrayElementRanges() throws(DecodeError) -> [Range<Int>] {
    try take("[")
    var ranges: [Range<Int>] = []
    if try peek() != UInt8(ascii: "]") {
      repeat { ranges.append(try skippedValue()) } while try takeSeparator(closing: "]")
    }
    try take("]")
    return ranges
  }

  mutating func memberRanges() throws(DecodeError) -> [(key: String, range: Range<Int>)] {
    try take("{")
    var members: [(key: String, range: Range<Int>)] = []
    if try peek() != UInt8(ascii: "}") {
      repeat {
        guard try peek() == UInt8(ascii: "\"") else { throw error(.unexpectedByte) }
        let name = try parseString()
        try take(":")
        members.append((name, try skippedValue()))
      } while try takeSeparator(closing: "}")
    }
    try take("}")
    return members
  }

  /// Passes over one value by its brackets and strings, and answers where it stands.
  private mutating func skippedValue() throws(DecodeError) -> Range<Int> {
    _ = try peek()
    let start = index
    var open = 0
    repeat {
      guard index < bytes.count else { throw error(.truncated) }
      switch bytes[index] {
      case UInt8(ascii: "\""): try skipString()
      case UInt8(ascii: "{"), UInt8(ascii: "["):
        open += 1
        index += 1
      case UInt8(ascii: "}"), UInt8(ascii: "]"):
        open -= 1
        if open < 0 { throw error(.unexpectedByte) }
        index += 1
      default: index += 1
      }
    } while open > 0 || !isAtValueEnd
    return start..<index
  }

  private var isAtValueEnd: Bool {
    guard index < bytes.count else { return true }
    let byte = bytes[index]
    return byte == 0x2C || byte == 0x5D || byte == 0x7D || Self.isWhiteSpace(byte)
  }

  private mutating func skipString() throws(DecodeError) {
    index += 1
    while index < bytes.count, bytes[index] != 0x22 { index += bytes[index] == 0x5C ? 2 : 1 }
    guard index < bytes.count else { throw DecodeError(.truncated, at: bytes.count) }
    index += 1
  }
}
