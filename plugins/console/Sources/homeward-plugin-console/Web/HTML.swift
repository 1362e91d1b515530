/// Part of a page: markup as it is written here, and values with everything escaped that markup is made of.
///
///     let greeting: HTML = "<p>\(name)</p>"
///
/// A text that comes from outside can only get in as a value, so that it never becomes markup.
struct HTML: Hashable, Sendable, ExpressibleByStringInterpolation {
  /// The markup.
  private(set) var source: String

  /// Nothing.
  static let nothing = HTML(stringLiteral: "")

  init(stringLiteral source: String) { self.source = source }
  init(stringInterpolation parts: StringInterpolation) { source = parts.source }

  /// A text, escaped.
  init(_ text: String) { source = Self.escaped(text) }

  /// Several parts, one behind the other.
  init(_ parts: [HTML]) { source = parts.map(\.source).joined() }

  static func + (left: HTML, right: HTML) -> HTML {
    var both = left
    both.source += right.source
    return both
  }

  struct StringInterpolation: StringInterpolationProtocol {
    fileprivate var source = ""

    init(literalCapacity: Int, interpolationCount: Int) {
      source.reserveCapacity(literalCapacity + 16 * interpolationCount)
    }

    mutating func appendLiteral(_ literal: String) { source += literal }
    mutating func appendInterpolation(_ text: String) { source += HTML.escaped(text) }
    mutating func appendInterpolation(_ number: Int) { source += String(number) }
    mutating func appendInterpolation(_ number: Int64) { source += String(number) }
    mutating func appendInterpolation(_ html: HTML) { source += html.source }
    mutating func appendInterpolation(_ parts: [HTML]) {
      for part in parts { source += part.source }
    }
  }

  private static func escaped(_ text: String) -> String {
    // Every sign of markup is one byte, which is no part of another character.
    guard text.utf8.contains(where: isMarkup) else { return text }
    var escaped: [UInt8] = []
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "&"): escaped += "&amp;".utf8
      case UInt8(ascii: "<"): escaped += "&lt;".utf8
      case UInt8(ascii: ">"): escaped += "&gt;".utf8
      case UInt8(ascii: "\""): escaped += "&quot;".utf8
      case UInt8(ascii: "'"): escaped += "&#39;".utf8
      // No reader of HTML takes it, and what it stands for differs between them.
      case 0: break
      default: escaped.append(byte)
      }
    }
    return String(decoding: escaped, as: UTF8.self)
  }

  private static func isMarkup(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "&"), UInt8(ascii: "<"), UInt8(ascii: ">"), UInt8(ascii: "\""),
      UInt8(ascii: "'"), 0:
      true
    default: false
    }
  }
}

extension HTML {
  /// An attribute that is there or not, such as `checked`.
  static func flag(_ name: StaticString, _ isThere: Bool) -> HTML {
    isThere ? HTML(stringLiteral: " \(name)") : .nothing
  }

  /// An attribute with a value; nothing where there is none.
  static func attribute(_ name: StaticString, _ value: String?) -> HTML {
    value.map { HTML(stringLiteral: " \(name)=\"") + HTML($0) + "\"" } ?? .nothing
  }
}

extension String {
  /// JSON as it may stand inside of a page: nothing in it ends the element, nor begins a comment.
  var scriptSafe: String {
    var safe = ""
    for scalar in unicodeScalars {
      switch scalar {
      case "<": safe += "\\u003c"
      case ">": safe += "\\u003e"
      case "&": safe += "\\u0026"
      case "\u{2028}": safe += "\\u2028"
      case "\u{2029}": safe += "\\u2029"
      default: safe.unicodeScalars.append(scalar)
      }
    }
    return safe
  }
}
