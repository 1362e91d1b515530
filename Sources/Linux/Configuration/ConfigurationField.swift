import JSON
public import Texts

/// A path to a part of a configuration that may be shared between threads.
public typealias FieldPath<Root, Part> = WritableKeyPath<Root, Part> & Sendable

/// One key of a section: its name and how its node becomes a part of the configuration.
public struct ConfigurationField<Root>: Sendable {
  let name: String
  /// The paths of single values from here on, with dots: the name itself, or those of a section; none for a list.
  let scalarKeys: [String]
  let read: @Sendable (YAMLNode, inout Root, inout ProblemLog) -> Void
  /// The value as JSON; nil for what is not told.
  private(set) var write: @Sendable (Root) -> JSONValue? = { _ in nil }

  private init(
    _ name: String, scalarKeys: [String]? = nil,
    read: @escaping @Sendable (YAMLNode, inout Root, inout ProblemLog) -> Void
  ) {
    self.name = name
    self.scalarKeys = scalarKeys ?? [name]
    self.read = read
  }

  /// The same, whose value is told.
  func telling(_ write: @escaping @Sendable (Root) -> JSONValue?) -> Self {
    var field = self
    field.write = write
    return field
  }

  /// The same key of whatever holds the part.
  func within<Whole>(
    _ get: @escaping @Sendable (Whole) -> Root,
    _ set: @escaping @Sendable (inout Whole, Root) -> Void
  ) -> ConfigurationField<Whole> {
    ConfigurationField<Whole>(name, scalarKeys: scalarKeys) {
      node, whole, log in
      var part = get(whole)
      read(node, &part, &log)
      set(&whole, part)
    }.telling { write(get($0)) }
  }

  /// A text; `fault` says what is wrong with it, or nil.
  public static func text(
    _ name: String, _ path: any FieldPath<Root, String>,
    fault: @escaping @Sendable (String) -> Message? = { _ in nil }
  ) -> Self {
    Self(name) { node, root, log in
      guard let text = checkedText(node, name, fault, &log) else { return }
      root[keyPath: path] = text
    }.telling { .string($0[keyPath: path]) }
  }

  /// A text that may be absent; a secret is not told.
  public static func optionalText(
    _ name: String, _ path: any FieldPath<Root, String?>, isSecret: Bool = false,
    fault: @escaping @Sendable (String) -> Message? = { _ in nil }
  ) -> Self {
    Self(name) {
      node, root, log in
      if node.json == .null {
        root[keyPath: path] = nil
        return
      }
      guard let text = checkedText(node, name, fault, &log) else { return }
      root[keyPath: path] = text
    }.telling { isSecret ? nil : $0[keyPath: path].map { .string($0) } ?? .null }
  }

  /// A whole number in a range, or 0 where that means none.
  public static func integer(
    _ name: String, _ path: any FieldPath<Root, Int>, in range: ClosedRange<Int>,
    zeroMeans: Message? = nil
  ) -> Self {
    Self(name) { node, root, log in
      let zero = zeroMeans.map { Message(", or 0 for {meaning}", ["meaning": $0]) }
      let wanted = Message(
        "a whole number from {lowest} to {highest}{zero}",
        [
          "lowest": range.lowerBound, "highest": range.upperBound,
          "zero": zero ?? Message(verbatim: ""),
        ])
      guard let number = node.json.integerContent.flatMap({ Int(exactly: $0) }),
        range.contains(number) || (number == 0 && zeroMeans != nil)
      else {
        return log.add(
          Message(
            "\"{name}\" must be {wanted}; it is {kind}.",
            ["name": name, "wanted": wanted, "kind": node.kind]), at: node.position)
      }
      root[keyPath: path] = number
    }.telling { .integer(Int64($0[keyPath: path])) }
  }

  /// Yes or no.
  public static func truth(_ name: String, _ path: any FieldPath<Root, Bool>) -> Self {
    Self(name) { node, root, log in
      guard case .bool(let truth) = node.json else {
        return log.add(
          Message(
            "\"{name}\" must be true or false; it is {kind}.", ["name": name, "kind": node.kind]),
          at: node.position)
      }
      root[keyPath: path] = truth
    }.telling { .bool($0[keyPath: path]) }
  }

  /// One of an enumeration's words.
  public static func word<Word: RawRepresentable & CaseIterable & Sendable>(
    _ name: String, _ path: any FieldPath<Root, Word>
  ) -> Self where Word.RawValue == String {
    let words = Array(Word.allCases)
    let known = words.map(\.rawValue)
    return Self(name) { node, root, log in
      guard let index = node.text.flatMap(known.firstIndex(of:)) else {
        let hint = node.text.flatMap { NearestWord.find($0, among: known) }
        let meant =
          hint.map { Message(" Did you mean \"{word}\"?", ["word": $0]) } ?? Message(verbatim: "")
        return log.add(
          Message(
            "\"{name}\" must be {words}; it is {kind}.{meant}",
            [
              "name": name, "words": known.joined(separator: " or "), "kind": node.kind,
              "meant": meant,
            ]),
          at: node.position)
      }
      root[keyPath: path] = words[index]
    }.telling { .string($0[keyPath: path].rawValue) }
  }

  /// A list of texts.
  public static func texts(
    _ name: String, _ path: any FieldPath<Root, [String]>,
    fault: @escaping @Sendable (String) -> Message? = { _ in nil }
  ) -> Self {
    Self(name, scalarKeys: []) {
      node, root, log in
      guard let elements = sequence(node, name, Message("words"), &log) else { return }
      root[keyPath: path] = elements.compactMap { checkedText($0, name, fault, &log) }
    }.telling { .array($0[keyPath: path].map { .string($0) }) }
  }

  /// A list of whole numbers in a range.
  public static func integers(
    _ name: String, _ path: any FieldPath<Root, [Int]>, in range: ClosedRange<Int>
  ) -> Self {
    Self(name, scalarKeys: []) {
      node, root, log in
      guard let elements = sequence(node, name, Message("numbers"), &log) else { return }
      root[keyPath: path] = elements.compactMap { element in
        guard let number = element.json.integerContent.flatMap({ Int(exactly: $0) }),
          range.contains(number)
        else {
          log.add(
            Message(
              "\"{name}\" must hold whole numbers from {lowest} to {highest}; this is {kind}.",
              [
                "name": name, "lowest": range.lowerBound, "highest": range.upperBound,
                "kind": element.kind,
              ]), at: element.position)
          return nil
        }
        return number
      }
    }.telling { .array($0[keyPath: path].map { .integer(Int64($0)) }) }
  }

  /// A group of keys with names of its own; `fault` says what is wrong with all of them together, or nil.
  public static func section<Part>(
    _ section: ConfigurationSection<Part>, _ path: any FieldPath<Root, Part>,
    fault: @escaping @Sendable (Part) -> Message? = { _ in nil }
  ) -> Self {
    Self(
      section.name, scalarKeys: section.scalarKeys.map { "\(section.name).\($0)" }
    ) { node, root, log in
      section.read(node, into: &root[keyPath: path], &log)
      if let fault = fault(root[keyPath: path]) { log.add(fault, at: node.position) }
    }.telling { section.write($0[keyPath: path]) }
  }

  /// All keys of a part as a group of a name; `fault` says what is wrong with all of them together, or nil.
  public static func group(
    _ name: String, _ fields: [ConfigurationField<Root>],
    fault: @escaping @Sendable (Root) -> Message? = { _ in nil }
  ) -> Self { section(ConfigurationSection(name: name, fields: fields), \.self, fault: fault) }

  /// A list of groups, each with the key `name`; `fault` says what is wrong with an entry as a whole, or nil.
  public static func items<Item>(
    _ section: ConfigurationSection<Item>, _ path: any FieldPath<Root, [Item]>,
    fault: @escaping @Sendable (Item) -> Message? = { _ in nil },
    make: @escaping @Sendable (_ name: String, _ position: TextPosition?) -> Item
  ) -> Self {
    Self(
      section.name, scalarKeys: []
    ) { node, root, log in
      guard let elements = sequence(node, section.name, Message("entries"), &log) else { return }
      var seen: [String: TextPosition?] = [:]
      root[keyPath: path] = elements.compactMap { element in
        guard let name = itemName(element, section.name, &seen, &log) else { return nil }
        var item = make(name, element.position)
        section.read(element, into: &item, &log)
        if let fault = fault(item) { log.add(fault, at: element.position) }
        return item
      }
    }.telling { .array($0[keyPath: path].map(section.write)) }
  }

  /// Anything that `take` accepts.
  static func free(
    _ name: String, take: @escaping @Sendable (YAMLNode, inout Root, inout ProblemLog) -> Void
  ) -> Self { Self(name, scalarKeys: [], read: take) }

  /// A key of earlier versions: whatever stands there changes nothing, for an update must not keep a gateway from starting.
  ///
  /// - Parameter instead: what to use now.
  static func retired(
    _ name: String, _ path: any FieldPath<Root, [ConfigurationProblem]>, _ instead: Message
  ) -> Self {
    Self(name, scalarKeys: []) { node, root, log in
      root[keyPath: path].append(
        ConfigurationProblem(
          origin: log.origin, position: node.position,
          message: Message(
            "\"{name}\" is of an earlier version and changes nothing; delete it. {instead}",
            ["name": name, "instead": instead])))
    }
  }

  private static func checkedText(
    _ node: YAMLNode, _ name: String, _ fault: (String) -> Message?, _ log: inout ProblemLog
  ) -> String? {
    guard let text = node.text else {
      log.add(
        Message("\"{name}\" must be a text; it is {kind}.", ["name": name, "kind": node.kind]),
        at: node.position)
      return nil
    }
    if let fault = fault(text) {
      log.add(Message("\"{name}\" {fault}", ["name": name, "fault": fault]), at: node.position)
      return nil
    }
    return text
  }

  private static func sequence(
    _ node: YAMLNode, _ name: String, _ of: Message, _ log: inout ProblemLog
  ) -> [YAMLNode]? {
    if node.json == .null { return [] }
    guard case .sequence(let elements) = node.content else {
      log.add(
        Message(
          "\"{name}\" must be a list of {what}, each on a line that starts with \"- \"; it is "
            + "{kind}.", ["name": name, "what": of, "kind": node.kind]), at: node.position)
      return nil
    }
    return elements
  }

  private static func itemName(
    _ node: YAMLNode, _ list: String, _ seen: inout [String: TextPosition?],
    _ log: inout ProblemLog
  ) -> String? {
    guard let nameNode = node["name"], let name = nameNode.text else {
      log.add(
        Message("each entry of \"{list}\" needs a \"name\".", ["list": list]), at: node.position)
      return nil
    }
    if let earlier = seen[name] {
      let place =
        earlier.map { Message(" in line {line}", ["line": $0.line]) } ?? Message(verbatim: "")
      log.add(
        Message(
          "\"{name}\" is named{place} already; names are unique.", ["name": name, "place": place]),
        at: nameNode.position)
      return nil
    }
    seen[name] = nameNode.position
    return name
  }
}
