/// Takes out of Swift source what is not code.
struct SourceText {
  private struct Opening {
    var start: [UInt8]
    var end: [UInt8]
    var isComment: Bool
    var hasEscapes: Bool

    init(_ start: String, _ end: String, isComment: Bool = false, hasEscapes: Bool = false) {
      self.start = Array(start.utf8)
      self.end = Array(end.utf8)
      self.isComment = isComment
      self.hasEscapes = hasEscapes
    }
  }

  /// Longer ones first where one is the start of another.
  private static let openings = [
    Opening("//", "\n", isComment: true),
    Opening("/*", "*/", isComment: true),
    Opening("#\"\"\"", "\"\"\"#"),
    Opening("#\"", "\"#"),
    Opening("\"\"\"", "\"\"\"", hasEscapes: true),
    Opening("\"", "\"", hasEscapes: true),
  ]

  private let bytes: [UInt8]
  private var index = 0

  private init(_ text: String) { bytes = Array(text.utf8) }

  /// The same lines with comments left out and string literals emptied.
  static func withoutCommentsAndStrings(_ text: String) -> String {
    var reader = SourceText(text)
    return reader.code()
  }

  private mutating func code() -> String {
    var code: [UInt8] = []
    while index < bytes.count {
      if let opened = opening() {
        let start = index
        skip(opened)
        if !opened.isComment { code += [0x22, 0x22] }
        code += bytes[start..<index].filter { $0 == 0x0A }
      } else {
        code.append(bytes[index])
        index += 1
      }
    }
    return String(decoding: code, as: UTF8.self)
  }

  private func opening() -> Opening? {
    guard [0x22, 0x23, 0x2F].contains(bytes[index]) else { return nil }
    return Self.openings.first { stands($0.start) }
  }

  private func stands(_ word: [UInt8]) -> Bool {
    bytes.count - index >= word.count && bytes[index..<index + word.count].elementsEqual(word)
  }

  /// Goes behind the end of a comment or a literal; the line feed that ends a comment stays.
  private mutating func skip(_ opened: Opening) {
    index += opened.start.count
    while index < bytes.count {
      if opened.hasEscapes, bytes[index] == 0x5C {
        skipEscape()
      } else if stands(opened.end) {
        if opened.end != [0x0A] { index += opened.end.count }
        return
      } else {
        index += 1
      }
    }
  }

  private mutating func skipEscape() {
    let isInterpolation = stands([0x5C, 0x28])
    index = min(index + 2, bytes.count)
    if isInterpolation { skipInterpolation() }
  }

  /// Goes behind the parenthesis that closes an interpolation; strings inside it count as strings.
  private mutating func skipInterpolation() {
    var depth = 1
    while depth > 0, index < bytes.count {
      if let opened = opening(), !opened.isComment {
        skip(opened)
        continue
      }
      if bytes[index] == 0x28 { depth += 1 }
      if bytes[index] == 0x29 { depth -= 1 }
      index += 1
    }
  }
}
