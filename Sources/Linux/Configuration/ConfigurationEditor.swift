public import JSON
import Texts

/// Changes single places of a configuration file and leaves everything else, comments included, as it is.
public struct ConfigurationEditor: Sendable {
  /// The file's text as it is now; always right in the sections of its schema.
  public private(set) var text: String
  private let path: String
  private let schema: ConfigurationSchema
  private var root: YAMLNode?

  /// An editor for the text of a file.
  ///
  /// - Throws: ``ConfigurationError`` when a section of the schema is not right in it.
  public init(
    text: String, path: String, schema: ConfigurationSchema = .common
  ) throws(ConfigurationError) {
    self.text = text
    self.path = path
    self.schema = schema
    root = try schema.read(text: text, path: path).node
  }

  /// Sets a key that holds one value, such as `gateway.name`.
  ///
  /// - Throws: ``ConfigurationError`` when the value does not fit; the text stays as it was.
  public mutating func set(_ key: String, to value: JSONValue) throws(ConfigurationError) {
    try write(Self.literal(value), at: key.split(separator: ".").map(String.init))
  }

  /// Adds a plugin to `plugins.enabled`, or sets the given settings of the one that is there.
  ///
  /// - Throws: ``ConfigurationError`` when the list is written in brackets or the result does not fit.
  public mutating func enablePlugin(
    _ name: String, grants: [String], loopback: [Int] = [], readPaths: [String] = [],
    settings: [(name: String, value: JSONValue)]
  ) throws(ConfigurationError) {
    let lists: [(key: String, values: [JSONValue])] = [
      ("loopback", loopback.map { .integer(Int64($0)) }),
      ("readPaths", readPaths.map { .string($0) }),
    ]
    if let index = pluginNames.firstIndex(of: name) {
      for list in lists { try complete(list.key, with: list.values, ofPlugin: index) }
      for setting in settings {
        try write(
          Self.literal(setting.value),
          at: ["plugins", "enabled", "\(index)", "settings", setting.name])
      }
      return
    }
    let given = [("grants", grants.map { JSONValue.string($0) })] + lists
    let enabled = root?["plugins"]?["enabled"]
    let isList: Bool
    if case .sequence(let items) = enabled?.content {
      isList = !items.isEmpty
    } else {
      isList = false
    }
    if let enabled, isList {
      guard !enabled.isFlow, let column = enabled.position?.column else {
        throw fault(
          Message("write plugins.enabled as lines that start with \"- \" first."), enabled)
      }
      let lines = Self.entry(name, given, settings, indent: column - 1)
      try replace(enabled.range.lowerBound..<enabled.range.lowerBound, by: lines)
    } else {
      let plugins = root?["plugins"]
      if let plugins, plugins.isFlow {
        throw fault(
          Message("write plugins.enabled as lines that start with \"- \" first."), plugins)
      }
      let isEmpty = plugins?.json ?? .null == .null
      let column = isEmpty ? 3 : plugins?.position?.column ?? 3
      let indent = String(repeating: " ", count: column + 1)
      let lines = "\n\(indent)" + Self.entry(name, given, settings, indent: column + 1)
      try write(Self.trimmingEnd(lines), at: ["plugins", "enabled"])
    }
  }

  private var pluginNames: [String] {
    guard case .sequence(let items) = root?["plugins"]?["enabled"]?.content else { return [] }
    return items.map { $0["name"]?.text ?? "" }
  }

  /// Adds to a list of a plugin's entry what it lacks.
  private mutating func complete(
    _ key: String, with values: [JSONValue], ofPlugin index: Int
  ) throws(ConfigurationError) {
    var present: [JSONValue] = []
    if case .sequence(let items) = root?["plugins"]?["enabled"]?.content,
      case .sequence(let nodes) = items[index][key]?.content
    {
      present = nodes.map(\.json)
    }
    let missing = values.filter { !present.contains($0) }
    guard !missing.isEmpty else { return }
    try write(
      Self.literal(.array(present + missing)), at: ["plugins", "enabled", "\(index)", key])
  }

  // MARK: Places

  /// Writes a literal at a path of keys and positions; makes the groups that are missing.
  private mutating func write(_ literal: String, at keys: [String]) throws(ConfigurationError) {
    guard var node = root, node.json != .null else {
      return try append(literal, at: keys)
    }
    var column: Int?
    for (depth, key) in keys.enumerated() {
      if let next = Self.child(key, of: node) {
        column = Self.column(of: key, in: node)
        node = next
      } else if depth == 0 {
        return try append(literal, at: keys)
      } else {
        let group = Group(node: node, key: keys[depth - 1], column: column)
        return try insert(literal, at: Array(keys[depth...]), into: group)
      }
    }
    let space = node.range.isEmpty && !literal.hasPrefix("\n") ? " " : ""
    let isBlock = literal.hasPrefix("\n") && !node.range.isEmpty
    try replace(isBlock ? spaceBefore(node.range) : node.range, by: space + literal)
  }

  private static func child(_ key: String, of node: YAMLNode) -> YAMLNode? {
    if case .sequence(let items) = node.content {
      return Int(key).flatMap { items.indices.contains($0) ? items[$0] : nil }
    }
    return node[key]
  }

  /// The column of a key that may have lines of its own below it; nil within braces.
  private static func column(of key: String, in node: YAMLNode) -> Int? {
    guard case .mapping(let entries) = node.content, !node.isFlow else { return nil }
    return entries.first { $0.key == key }?.keyPosition.column
  }

  /// What stands below a key, and the column of the key where lines may be written below it.
  private struct Group {
    let node: YAMLNode
    let key: String
    let column: Int?
  }

  private mutating func insert(
    _ literal: String, at keys: [String], into group: Group
  ) throws(ConfigurationError) {
    let node = group.node
    let start = node.range.lowerBound
    if node.isFlow {
      let isEmpty = node.json == .object([JSONMember]())
      let inner = keys.dropLast().map { "\($0): {" }.joined() + "\(keys.last ?? ""): \(literal)"
      let closing = String(repeating: "}", count: keys.count - 1)
      return try replace(start + 1..<start + 1, by: inner + closing + (isEmpty ? "" : ", "))
    }
    if node.json == .null {
      guard let column = group.column else {
        throw fault(Message("write something below \"{first}\" first.", ["first": group.key]), node)
      }
      let indent = String(repeating: " ", count: column + 1)
      let block = Self.block(keys, literal, indent: column + 1)
      return try replace(spaceBefore(node.range), by: "\n" + indent + block)
    }
    let column = node.position?.column ?? 1
    let indent = String(repeating: " ", count: column - 1)
    try replace(start..<start, by: Self.block(keys, literal, indent: column - 1) + "\n" + indent)
  }

  private mutating func append(_ literal: String, at keys: [String]) throws(ConfigurationError) {
    let end = text.unicodeScalars.count
    let gap = text.isEmpty || text.hasSuffix("\n") ? "" : "\n"
    try replace(end..<end, by: gap + Self.block(keys, literal, indent: 0) + "\n")
  }

  private static func block(_ keys: [String], _ literal: String, indent: Int) -> String {
    keys.enumerated().map { depth, key in
      let space = String(repeating: " ", count: depth == 0 ? 0 : indent + 2 * depth)
      let isLast = depth == keys.count - 1
      return "\(space)\(key):" + (isLast ? (literal.hasPrefix("\n") ? "" : " ") + literal : "")
    }.joined(separator: "\n")
  }

  /// The range with the spaces in front of it, so that none are left at the end of a line.
  private func spaceBefore(_ range: Range<Int>) -> Range<Int> {
    let scalars = Array(text.unicodeScalars.prefix(range.lowerBound))
    let spaces = scalars.reversed().prefix { $0 == " " }.count
    return range.lowerBound - spaces..<range.upperBound
  }

  private mutating func replace(_ range: Range<Int>, by new: String) throws(ConfigurationError) {
    let scalars = text.unicodeScalars
    var changed = String.UnicodeScalarView(scalars.prefix(range.lowerBound))
    changed.append(contentsOf: new.unicodeScalars)
    changed.append(contentsOf: scalars.dropFirst(range.upperBound))
    let result = String(changed)
    root = try schema.read(text: result, path: path).node
    text = result
  }

  private func fault(_ message: Message, _ node: YAMLNode) -> ConfigurationError {
    ConfigurationError(problems: [
      ConfigurationProblem(
        origin: Message(verbatim: path), position: node.position, message: message)
    ])
  }

  // MARK: Text

  private static func entry(
    _ name: String, _ lists: [(key: String, values: [JSONValue])],
    _ settings: [(name: String, value: JSONValue)], indent: Int
  ) -> String {
    let space = String(repeating: " ", count: indent)
    var text = "- name: \(name)\n"
    for list in lists where !list.values.isEmpty || list.key == "grants" {
      text += "\(space)  \(list.key): \(literal(.array(list.values)))\n"
    }
    text += "\(space)  settings:\n"
    for setting in settings { text += "\(space)    \(setting.name): \(literal(setting.value))\n" }
    return text + space
  }

  private static func trimmingEnd(_ text: String) -> String {
    var rest = text[...]
    while rest.last?.isWhitespace ?? false { rest.removeLast() }
    return String(rest)
  }

  /// A value on one line.
  private static func literal(_ value: JSONValue) -> String {
    switch value {
    case .string(let text): isPlain(text) ? text : value.serialized
    case .array(let elements): "[\(elements.map(literal).joined(separator: ", "))]"
    case .object(let members):
      "{\(members.map { "\($0.key): \(literal($0.value))" }.joined(separator: ", "))}"
    case .null, .bool, .integer, .number: value.serialized
    }
  }

  /// Whether a text stays the same text without quotes.
  private static func isPlain(_ text: String) -> Bool {
    let isWord = text.utf8.allSatisfy { byte in
      (0x61...0x7A).contains(byte) || (0x41...0x5A).contains(byte)
        || (0x30...0x39).contains(byte) || [0x2D, 0x2E, 0x2F, 0x5F].contains(byte)
    }
    guard isWord, let first = text.utf8.first, first != 0x2D else { return false }
    let node = YAMLNode(content: .scalar(text: text, isPlain: true))
    return node.json == .string(text)
  }
}
