/// The bytes of a table as UTF-8, and its lines.
enum TableText {
  /// The text of a file without its byte order mark; nil for an encoding that is not read.
  ///
  /// UTF-8 is taken as it is, so that a broken byte costs its own line; UTF-16 is read by its byte order mark.
  static func utf8(_ bytes: [UInt8]) -> ArraySlice<UInt8>? {
    let isUTF32 =
      bytes.starts(with: [0xFF, 0xFE, 0, 0]) || bytes.starts(with: [0, 0, 0xFE, 0xFF])
    if isUTF32 { return nil }
    if bytes.starts(with: [0xFF, 0xFE]) { return transcoded(bytes.dropFirst(2), low: 0) }
    if bytes.starts(with: [0xFE, 0xFF]) { return transcoded(bytes.dropFirst(2), low: 1) }
    return bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? bytes.dropFirst(3) : bytes[...]
  }

  /// - Parameter low: which byte of a pair is the lower one, 0 or 1. What is no character becomes U+FFFD.
  private static func transcoded(_ bytes: ArraySlice<UInt8>, low: Int) -> ArraySlice<UInt8> {
    let pairs = stride(from: bytes.startIndex, to: bytes.endIndex - 1, by: 2)
    let units = pairs.lazy.map { pair in
      UInt16(bytes[pair + low]) | UInt16(bytes[pair + 1 - low]) << 8
    }
    var text: [UInt8] = []
    text.reserveCapacity(bytes.count / 2)
    _ = transcode(
      units.makeIterator(), from: UTF16.self, to: UTF8.self, stoppingOnError: false
    ) { text.append($0) }
    return text[...]
  }
}

/// The lines of a text with their numbers; CR, LF and CR LF end one.
struct TableLines {
  private var rest: ArraySlice<UInt8>
  private var number = 0

  init(_ bytes: ArraySlice<UInt8>) { rest = bytes }

  mutating func next() -> (number: Int, line: ArraySlice<UInt8>)? {
    guard !rest.isEmpty else { return nil }
    number += 1
    guard let end = rest.firstIndex(where: { $0 == 0x0A || $0 == 0x0D }) else {
      defer { rest = [] }
      return (number, rest)
    }
    let line = rest[..<end]
    let isPair = rest[end] == 0x0D && end + 1 < rest.endIndex && rest[end + 1] == 0x0A
    rest = rest[(end + (isPair ? 2 : 1))...]
    return (number, line)
  }
}

/// One line of a table, parted into its cells.
///
/// - Source: RFC 4180 for quotes and separators; a cell never goes over the end of its line.
struct TableCells {
  /// Cells beyond this are no table of readings.
  static let atMost = 100
  /// Bytes of a line beyond this are no line of readings.
  static let bytesAtMost = 1 << 16

  private var cells: [[UInt8]] = []

  var count: Int { cells.count }

  init(_ line: ArraySlice<UInt8>, partedBy separator: UInt8) throws(GlucoseTable.Reason) {
    guard line.count <= Self.bytesAtMost else { throw .tooLong }
    var cell: [UInt8] = []
    var state = State.start
    for byte in line {
      switch (state, byte) {
      case (.start, 0x20), (.closed, 0x20): break
      case (.start, UInt8(ascii: "\"")): state = .quoted
      case (.quoted, UInt8(ascii: "\"")): state = .closed
      case (.quoted, _): cell.append(byte)
      case (.closed, UInt8(ascii: "\"")):
        cell.append(byte)
        state = .quoted
      case (_, separator):
        guard cells.count < Self.atMost else {
          throw .cells(found: cells.count + 1, expected: Self.atMost)
        }
        cells.append(cell)
        (cell, state) = ([], .start)
      case (.closed, _): throw .quotes
      case (.plain, _), (.start, _):
        cell.append(byte)
        state = .plain
      }
    }
    guard state != .quoted else { throw .quotes }
    cells.append(cell)
  }

  private enum State {
    case start
    case plain
    case quoted
    case closed
  }

  /// The text of a cell without blanks around it.
  func text(_ column: Int) throws(GlucoseTable.Reason) -> String {
    let bytes = cells[column]
    guard !bytes.contains(0), let text = String(validating: bytes, as: UTF8.self) else {
      throw .notText
    }
    return text.withoutBlanks
  }

  /// The cells of the line that names the columns, in lower case; what is no text there does not matter.
  var names: [String] {
    cells.map { String(decoding: $0, as: UTF8.self).withoutBlanks.lowercased() }
  }
}

extension String {
  var withoutBlanks: String {
    var rest = self[...].drop { $0.isWhitespace }
    while rest.last?.isWhitespace ?? false { rest.removeLast() }
    return String(rest)
  }
}
