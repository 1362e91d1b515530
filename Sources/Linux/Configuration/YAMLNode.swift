import JSON
import Texts

/// One part of a YAML document, with its place in the text.
struct YAMLNode: Sendable {
  indirect enum Content: Sendable {
    /// A text; `isPlain` when written without quotes, so that it may be a number or a truth value.
    case scalar(text: String, isPlain: Bool)
    case sequence([YAMLNode])
    case mapping([Entry])
  }

  struct Entry: Sendable {
    var key: String
    var keyPosition: TextPosition
    var node: YAMLNode
  }

  var content: Content
  /// Nil when the node does not come from a file.
  var position: TextPosition?
  /// Offsets in the text's Unicode scalars, for replacing the node.
  var range: Range<Int> = 0..<0
  /// Written in brackets or braces, `[…]` or `{…}`.
  var isFlow = false

  /// The value as JSON: plain scalars by the core schema of YAML 1.2, so that `no` and `off` stay texts.
  var json: JSONValue {
    switch content {
    case .scalar(let text, let isPlain): isPlain ? Self.resolve(text) : .string(text)
    case .sequence(let nodes): .array(nodes.map(\.json))
    case .mapping(let entries):
      .object(entries.map { JSONMember(key: $0.key, value: $0.node.json) })
    }
  }

  /// The scalar's text as written.
  var text: String? {
    guard case .scalar(let text, _) = content, json != .null else { return nil }
    return text
  }

  /// What the node is, for error messages.
  var kind: Message {
    switch json {
    case .null: Message("nothing")
    case .bool(let truth): Message(verbatim: "\(truth)")
    case .integer(let number): Message(verbatim: "\(number)")
    case .number(let number): Message(verbatim: "\(number)")
    case .string(let text): Message(verbatim: "\"\(text.prefix(60))\"")
    case .array: Message("a list")
    case .object: Message("a group of keys")
    }
  }

  subscript(key: String) -> YAMLNode? {
    guard case .mapping(let entries) = content else { return nil }
    return entries.first { $0.key == key }?.node
  }

  private static func resolve(_ text: String) -> JSONValue {
    switch text {
    case "", "~", "null", "Null", "NULL": return .null
    case "true", "True", "TRUE": return .bool(true)
    case "false", "False", "FALSE": return .bool(false)
    default: return number(text) ?? .string(text)
    }
  }

  private static func number(_ text: String) -> JSONValue? {
    for (prefix, radix) in [("0x", 16), ("0o", 8)] where text.hasPrefix(prefix) {
      let digits = text.dropFirst(2)
      guard digits.first?.isHexDigit ?? false else { return nil }
      return Int64(digits, radix: radix).map { .integer($0) }
    }
    let allowed = "0123456789+-.eE"
    guard text.allSatisfy(allowed.contains), text.contains(where: \.isNumber) else { return nil }
    if let whole = Int64(text) { return .integer(whole) }
    guard let number = Double(text), number.isFinite else { return nil }
    return .number(number)
  }
}
