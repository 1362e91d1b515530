/// One content line of an iCalendar file, unfolded.
///
///     DTSTART;TZID="Europe/Madrid":20260327T080000
///     name    parameter             value
///
/// - Source: RFC 5545, section 3.1.
struct ContentLine: Hashable, Sendable {
  /// The longest line that is kept, in bytes after unfolding; what comes beyond is dropped.
  static let maximumBytes = 65_536

  /// The name in capitals.
  var name: String
  /// Parameters by their names in capitals, without quotes; of several with one name the first.
  var parameters: [String: String]
  /// The value as it stands there, escapes included.
  var value: String
  /// Whether the line was longer than is kept.
  var isCut = false

  /// Reads a line; nil when it has no name or no colon. Bytes that are no UTF-8 become U+FFFD.
  init?(_ bytes: some Collection<UInt8>) {
    let bytes = Array(bytes)
    var index = 0
    let name = Self.word(bytes, &index)
    guard !name.isEmpty, index < bytes.count else { return nil }
    var parameters: [String: String] = [:]
    while index < bytes.count, bytes[index] == UInt8(ascii: ";") {
      index += 1
      let key = Self.word(bytes, &index)
      var value = ""
      if index < bytes.count, bytes[index] == UInt8(ascii: "=") {
        index += 1
        value = Self.parameterValue(bytes, &index)
      }
      if parameters[key] == nil { parameters[key] = value }
    }
    guard index < bytes.count, bytes[index] == UInt8(ascii: ":") else { return nil }
    self.name = name
    self.parameters = parameters
    value = String(decoding: bytes[(index + 1)...], as: UTF8.self)
  }

  /// Letters, digits and hyphens, in capitals.
  private static func word(_ bytes: [UInt8], _ index: inout Int) -> String {
    let start = index
    while index < bytes.count, isNameByte(bytes[index]) { index += 1 }
    return String(decoding: bytes[start..<index], as: UTF8.self).uppercased()
  }

  private static func isNameByte(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, UInt8(ascii: "-"): true
    default: false
    }
  }

  private static func parameterValue(_ bytes: [UInt8], _ index: inout Int) -> String {
    var isQuoted = false
    var value: [UInt8] = []
    while index < bytes.count {
      let byte = bytes[index]
      if byte == UInt8(ascii: "\"") {
        isQuoted.toggle()
      } else if !isQuoted, byte == UInt8(ascii: ";") || byte == UInt8(ascii: ":") {
        break
      } else {
        value.append(byte)
      }
      index += 1
    }
    return String(decoding: value, as: UTF8.self)
  }
}

/// Goes through the lines of a file, unfolding them; never holds more than one.
struct ContentLineSequence: Sequence, IteratorProtocol {
  private let bytes: [UInt8]
  private var index: Int

  init(_ bytes: [UInt8]) {
    self.bytes = bytes
    // A byte order mark is no part of the first name.
    index = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
  }

  /// The next line that is a content line; others are passed over.
  mutating func next() -> ContentLine? {
    while index < bytes.count {
      let (line, isCut) = logicalLine()
      guard var read = ContentLine(line) else { continue }
      read.isCut = isCut
      return read
    }
    return nil
  }

  private mutating func logicalLine() -> ([UInt8], isCut: Bool) {
    var line: [UInt8] = []
    var isCut = false
    var isFirst = true
    while index < bytes.count, isFirst || isFolded {
      if !isFirst { index += 1 }
      isFirst = false
      let part = physicalLine()
      let room = ContentLine.maximumBytes - line.count
      isCut = isCut || part.count > room
      line += part.prefix(room)
    }
    return (line, isCut)
  }

  private var isFolded: Bool {
    bytes[index] == UInt8(ascii: " ") || bytes[index] == UInt8(ascii: "\t")
  }

  private mutating func physicalLine() -> ArraySlice<UInt8> {
    let start = index
    while index < bytes.count, bytes[index] != UInt8(ascii: "\n") { index += 1 }
    let line = bytes[start..<index]
    index += 1
    return line.last == UInt8(ascii: "\r") ? line.dropLast() : line
  }
}
