/// What a request asks for: a path and the fields behind the question mark, as RFC 3986 and the URL standard write them.
public struct RequestTarget: Hashable, Sendable {
  /// The parts of the path between its slashes, decoded; empty for `/`.
  public var path: [String]
  /// Names and values, decoded, in the order in which they came.
  public var fields: [Field]
  /// Whether the path ended with a slash behind its last part.
  public var endsWithSlash: Bool

  /// One name and its value.
  public struct Field: Hashable, Sendable {
    /// Its name.
    public var name: String
    /// Its value; empty where nothing stands behind the name.
    public var value: String
  }

  /// The longest target that is read, in bytes.
  public static let maximumBytes = 8000

  /// Reads a target in origin form.
  ///
  /// Nil for everything that two readers could understand differently: other forms, wrong or unnecessary encoding of a
  /// slash or a dot, empty parts, `.` and `..`, control characters, bytes that are no UTF-8.
  public init?(_ text: String) {
    guard text.utf8.count <= Self.maximumBytes, text.utf8.first == UInt8(ascii: "/"),
      text.utf8.allSatisfy({ (0x21...0x7E).contains($0) && $0 != UInt8(ascii: "#") })
    else { return nil }
    let halves = text.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
    var parts = halves[0].dropFirst().split(separator: "/", omittingEmptySubsequences: false)
    endsWithSlash = parts.count > 1 && parts.last == ""
    if parts.last == "" { parts.removeLast() }
    path = []
    for part in parts {
      guard let decoded = Self.decoded(part, plusIsSpace: false), !decoded.isEmpty,
        decoded != ".", decoded != "..", !decoded.contains("/"), !decoded.contains("\\"),
        Self.isPlain(decoded)
      else { return nil }
      path.append(decoded)
    }
    fields = []
    guard halves.count > 1 else { return }
    for pair in halves[1].split(separator: "&") {
      let words = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      guard let name = Self.decoded(words[0], plusIsSpace: true), Self.isPlain(name),
        let value = words.count > 1 ? Self.decoded(words[1], plusIsSpace: true) : "",
        Self.isPlain(value)
      else { return nil }
      fields.append(Field(name: name, value: value))
    }
  }

  /// The value of a field; nil where it is absent or came more than once.
  public subscript(_ name: String) -> String? {
    let found = fields.filter { $0.name == name }
    return found.count == 1 ? found[0].value : nil
  }

  private static func isPlain(_ text: String) -> Bool {
    text.unicodeScalars.allSatisfy { $0.properties.generalCategory != .control }
  }

  private static func decoded(_ text: Substring, plusIsSpace: Bool) -> String? {
    var bytes: [UInt8] = []
    var rest = Substring(text).utf8
    while let byte = rest.popFirst() {
      switch byte {
      case UInt8(ascii: "%"):
        guard let high = rest.popFirst().flatMap(digit), let low = rest.popFirst().flatMap(digit)
        else { return nil }
        bytes.append(high << 4 | low)
      case UInt8(ascii: "+") where plusIsSpace: bytes.append(UInt8(ascii: " "))
      default: bytes.append(byte)
      }
    }
    return String(validating: bytes, as: UTF8.self)
  }

  private static func digit(_ byte: UInt8) -> UInt8? {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
    case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
    default: nil
    }
  }

  /// A text with everything encoded that has a meaning in a path or a field.
  public static func encoded(_ text: String) -> String {
    var encoded = ""
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."),
        UInt8(ascii: "_"), UInt8(ascii: "~"):
        encoded.unicodeScalars.append(Unicode.Scalar(byte))
      default:
        encoded += "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
      }
    }
    return encoded
  }
}
