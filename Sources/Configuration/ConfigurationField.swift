import CareModel

/// A path to a part of a configuration that may be shared between threads.
typealias FieldPath<Root, Part> = WritableKeyPath<Root, Part> & Sendable

/// One key of a section: its name and how its node becomes a part of the configuration.
struct ConfigurationField<Root>: Sendable {
  let name: String
  /// The paths of single values from here on, with dots: the name itself, or those of a section; none for a list.
  let scalarKeys: [String]
  let read: @Sendable (YAMLNode, inout Root, inout ProblemLog) -> Void

  private init(
    _ name: String, scalarKeys: [String]? = nil,
    read: @escaping @Sendable (YAMLNode, inout Root, inout ProblemLog) -> Void
  ) {
    self.name = name
    self.scalarKeys = scalarKeys ?? [name]
    self.read = read
  }

  /// A text; `fault` says what is wrong with it, or nil.
  static func text(
    _ name: String, _ path: any FieldPath<Root, String>,
    fault: @escaping @Sendable (String) -> String? = { _ in nil }
  ) -> Self {
    Self(name) { node, root, log in
      guard let text = checkedText(node, name, fault, &log) else { return }
      root[keyPath: path] = text
    }
  }

  /// A text that may be absent.
  static func optionalText(
    _ name: String, _ path: any FieldPath<Root, String?>,
    fault: @escaping @Sendable (String) -> String? = { _ in nil }
  ) -> Self {
    Self(name) { node, root, log in
      if node.json == .null {
        root[keyPath: path] = nil
        return
      }
      guard let text = checkedText(node, name, fault, &log) else { return }
      root[keyPath: path] = text
    }
  }

  /// A whole number in a range, or 0 where that means none.
  static func integer(
    _ name: String, _ path: any FieldPath<Root, Int>, in range: ClosedRange<Int>,
    zeroMeans: String? = nil
  ) -> Self {
    Self(name) { node, root, log in
      let zero = zeroMeans.map { ", or 0 for \($0)" } ?? ""
      let wanted = "a whole number from \(range.lowerBound) to \(range.upperBound)\(zero)"
      guard let number = node.json.integerContent.flatMap({ Int(exactly: $0) }),
        range.contains(number) || (number == 0 && zeroMeans != nil)
      else {
        return log.add("\"\(name)\" must be \(wanted); it is \(node.kind).", at: node.position)
      }
      root[keyPath: path] = number
    }
  }

  /// One of an enumeration's words.
  static func word<Word: RawRepresentable & CaseIterable & Sendable>(
    _ name: String, _ path: any FieldPath<Root, Word>
  ) -> Self where Word.RawValue == String {
    let words = Array(Word.allCases)
    let known = words.map(\.rawValue)
    return Self(name) { node, root, log in
      guard let index = node.text.flatMap(known.firstIndex(of:)) else {
        let hint = node.text.flatMap { NearestWord.find($0, among: known) }
        let meant = hint.map { " Did you mean \"\($0)\"?" } ?? ""
        return log.add(
          "\"\(name)\" must be \(known.joined(separator: " or ")); it is \(node.kind).\(meant)",
          at: node.position)
      }
      root[keyPath: path] = words[index]
    }
  }

  /// A list of texts.
  static func texts(
    _ name: String, _ path: any FieldPath<Root, [String]>,
    fault: @escaping @Sendable (String) -> String? = { _ in nil }
  ) -> Self {
    Self(name, scalarKeys: []) { node, root, log in
      guard let elements = sequence(node, name, "words", &log) else { return }
      root[keyPath: path] = elements.compactMap { checkedText($0, name, fault, &log) }
    }
  }

  /// A group of keys with names of its own.
  static func section<Part>(
    _ section: ConfigurationSection<Part>, _ path: any FieldPath<Root, Part>
  ) -> Self {
    Self(section.name, scalarKeys: section.scalarKeys.map { "\(section.name).\($0)" }) {
      node, root, log in
      section.read(node, into: &root[keyPath: path], &log)
    }
  }

  /// A list of groups, each with the key `name`.
  static func items<Item>(
    _ section: ConfigurationSection<Item>, _ path: any FieldPath<Root, [Item]>,
    make: @escaping @Sendable (_ name: String, _ position: TextPosition?) -> Item
  ) -> Self {
    Self(section.name, scalarKeys: []) { node, root, log in
      guard let elements = sequence(node, section.name, "entries", &log) else { return }
      var seen: [String: TextPosition?] = [:]
      root[keyPath: path] = elements.compactMap { element in
        guard let name = itemName(element, section.name, &seen, &log) else { return nil }
        var item = make(name, element.position)
        section.read(element, into: &item, &log)
        return item
      }
    }
  }

  /// Anything that `take` accepts.
  static func free(
    _ name: String, take: @escaping @Sendable (YAMLNode, inout Root, inout ProblemLog) -> Void
  ) -> Self { Self(name, scalarKeys: [], read: take) }

  private static func checkedText(
    _ node: YAMLNode, _ name: String, _ fault: (String) -> String?, _ log: inout ProblemLog
  ) -> String? {
    guard let text = node.text else {
      log.add("\"\(name)\" must be a text; it is \(node.kind).", at: node.position)
      return nil
    }
    if let fault = fault(text) {
      log.add("\"\(name)\" \(fault)", at: node.position)
      return nil
    }
    return text
  }

  private static func sequence(
    _ node: YAMLNode, _ name: String, _ of: String, _ log: inout ProblemLog
  ) -> [YAMLNode]? {
    if node.json == .null { return [] }
    guard case .sequence(let elements) = node.content else {
      log.add(
        "\"\(name)\" must be a list of \(of), each on a line that starts with \"- \"; it is "
          + "\(node.kind).", at: node.position)
      return nil
    }
    return elements
  }

  private static func itemName(
    _ node: YAMLNode, _ list: String, _ seen: inout [String: TextPosition?],
    _ log: inout ProblemLog
  ) -> String? {
    guard let nameNode = node["name"], let name = nameNode.text else {
      log.add("each entry of \"\(list)\" needs a \"name\".", at: node.position)
      return nil
    }
    if let earlier = seen[name] {
      let place = earlier.map { " in line \($0.line)" } ?? ""
      log.add("\"\(name)\" is named\(place) already; names are unique.", at: nameNode.position)
      return nil
    }
    seen[name] = nameNode.position
    return name
  }
}

/// A group of keys.
struct ConfigurationSection<Root>: Sendable {
  let name: String
  let fields: [ConfigurationField<Root>]

  /// The paths of single values below, with dots.
  var scalarKeys: [String] { fields.flatMap(\.scalarKeys) }

  func read(_ node: YAMLNode, into root: inout Root, _ log: inout ProblemLog) {
    if node.json == .null { return }
    guard case .mapping(let entries) = node.content else {
      let title = name.isEmpty ? "the file" : "\"\(name)\""
      return log.add("\(title) must be a group of keys; it is \(node.kind).", at: node.position)
    }
    for entry in entries {
      guard let field = fields.first(where: { $0.name == entry.key }) else {
        let place = name.isEmpty ? "" : " in \"\(name)\""
        let hint = NearestWord.hint(entry.key, among: fields.map(\.name))
        log.add("there is no key \"\(entry.key)\"\(place).\(hint)", at: entry.keyPosition)
        continue
      }
      field.read(entry.node, &root, &log)
    }
  }
}
