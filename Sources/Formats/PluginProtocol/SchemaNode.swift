import JSON

/// One schema within a settings schema.
struct SchemaNode: Hashable, Sendable {
  enum Kind: String, Hashable, Sendable, CaseIterable {
    case string
    case integer
    case number
    case boolean
    case object
    case array
  }

  struct Property: Hashable, Sendable {
    var name: String
    var node: SchemaNode
  }

  var type: Kind?
  var isSecret = false
  var allowed: [JSONValue]?
  var minimum: Double?
  var maximum: Double?
  var minimumLength: Int?
  var maximumLength: Int?
  var defaultValue: JSONValue?
  var properties: [Property] = []
  var required: [String] = []
  var allowsOtherProperties = true
  /// One element: what each element of an array must be. An array because a value cannot hold itself.
  var items: [SchemaNode] = []

  /// An object without members.
  static let nothing = SchemaNode(type: .object, allowsOtherProperties: false)

  private init(type: Kind?, allowsOtherProperties: Bool) {
    self.type = type
    self.allowsOtherProperties = allowsOtherProperties
  }

  private static let annotations = ["description", "title", "$schema", "examples"]

  init(_ json: JSONValue, path: String, depth: Int) throws(ManifestError) {
    guard let members = json.objectContent else {
      throw ManifestError(path, "a schema is an object, { … }")
    }
    guard depth < 16 else { throw ManifestError(path, "schemas may be 16 levels deep at most") }
    for member in members where !Self.annotations.contains(member.key) {
      try read(member, path: "\(path).\(member.key)", depth: depth)
    }
    if let fault = contradictions(path: path, names: properties.map(\.name)).first { throw fault }
  }

  /// What the keywords of one schema say against each other.
  private func contradictions(path: String, names: [String]) -> [ManifestError] {
    var faults: [ManifestError] = []
    for name in required where !allowsOtherProperties && !names.contains(name) {
      faults.append(ManifestError("\(path).required", "\"\(name)\" is not among the properties"))
    }
    if isSecret, type != .string {
      faults.append(
        ManifestError("\(path).secret", "only a setting of type \"string\" can be secret"))
    }
    if isSecret, defaultValue != nil {
      faults.append(
        ManifestError(
          "\(path).default", "a secret has no default: whoever reads the manifest knows it"))
    }
    return faults
  }

  /// Everything that is wrong with a schema and the schemas inside it, in the order of the file.
  static func faults(in json: JSONValue, path: String, depth: Int) -> [ManifestError] {
    guard let members = json.objectContent, depth < 16 else {
      return fault { () throws(ManifestError) in
        _ = try SchemaNode(json, path: path, depth: depth)
      }
    }
    var node = SchemaNode(type: nil, allowsOtherProperties: true)
    var names: [String] = []
    var faults: [ManifestError] = []
    for member in members where !annotations.contains(member.key) {
      let place = "\(path).\(member.key)"
      if member.key == "properties", let inner = member.value.objectContent {
        names = inner.map(\.key)
        faults += inner.flatMap {
          Self.faults(in: $0.value, path: "\(place).\($0.key)", depth: depth + 1)
        }
      } else if member.key == "items" {
        faults += Self.faults(in: member.value, path: place, depth: depth + 1)
      } else {
        faults += fault { () throws(ManifestError) in
          try node.read(member, path: place, depth: depth)
        }
      }
    }
    return faults + node.contradictions(path: path, names: names)
  }

  private static func fault(_ read: () throws(ManifestError) -> Void) -> [ManifestError] {
    do throws(ManifestError) { try read() } catch { return [error] }
    return []
  }

  private mutating func read(
    _ member: JSONMember, path: String, depth: Int
  ) throws(ManifestError) {
    switch member.key {
    case "type": type = try Self.kind(member.value, path: path)
    case "secret": isSecret = try Self.truth(member.value, path: path)
    case "enum": allowed = try Self.list(member.value, path: path)
    case "minimum": minimum = try Self.number(member.value, path: path)
    case "maximum": maximum = try Self.number(member.value, path: path)
    case "minLength": minimumLength = try Self.length(member.value, path: path)
    case "maxLength": maximumLength = try Self.length(member.value, path: path)
    case "default": defaultValue = member.value
    case "properties": properties = try Self.properties(member.value, path: path, depth: depth)
    case "required": required = try Self.names(member.value, path: path)
    case "additionalProperties":
      allowsOtherProperties = try Self.truth(member.value, path: path)
    case "items": items = [try SchemaNode(member.value, path: path, depth: depth + 1)]
    default:
      throw ManifestError(
        path, "this keyword is not supported; plugins/protocol.md lists those that are")
    }
  }

  private static func kind(_ json: JSONValue, path: String) throws(ManifestError) -> Kind {
    guard let kind = json.stringContent.flatMap(Kind.init(rawValue:)) else {
      throw ManifestError(path, "write string, integer, number, boolean, object or array")
    }
    return kind
  }

  private static func truth(_ json: JSONValue, path: String) throws(ManifestError) -> Bool {
    guard let truth = json.boolContent else { throw ManifestError(path, "write true or false") }
    return truth
  }

  private static func list(_ json: JSONValue, path: String) throws(ManifestError) -> [JSONValue] {
    guard let list = json.arrayContent, !list.isEmpty else {
      throw ManifestError(path, "write a list with at least one entry")
    }
    return list
  }

  private static func number(_ json: JSONValue, path: String) throws(ManifestError) -> Double {
    guard let number = json.doubleContent else { throw ManifestError(path, "write a number") }
    return number
  }

  private static func length(_ json: JSONValue, path: String) throws(ManifestError) -> Int {
    guard let number = json.integerContent, (0...1_000_000).contains(number) else {
      throw ManifestError(path, "write a whole number from 0 through 1,000,000")
    }
    return Int(number)
  }

  private static func names(_ json: JSONValue, path: String) throws(ManifestError) -> [String] {
    guard let list = json.arrayContent else { throw ManifestError(path, "write a list of texts") }
    var names: [String] = []
    for (index, element) in list.enumerated() {
      guard let name = element.stringContent else {
        throw ManifestError("\(path)[\(index)]", "write a text in quotation marks")
      }
      names.append(name)
    }
    return names
  }

  private static func properties(
    _ json: JSONValue, path: String, depth: Int
  ) throws(ManifestError) -> [Property] {
    guard let members = json.objectContent else {
      throw ManifestError(path, "write an object, { … }, with one schema for each setting")
    }
    var properties: [Property] = []
    for member in members {
      let node = try SchemaNode(member.value, path: "\(path).\(member.key)", depth: depth + 1)
      properties.append(Property(name: member.key, node: node))
    }
    return properties
  }
}

extension SchemaNode {
  /// The value with defaults where members are missing, all the way down.
  func completed(_ json: JSONValue) -> JSONValue {
    if case .array(let elements) = json, let item = items.first {
      return .array(elements.map { item.completed($0) })
    }
    guard case .object = json, type == .object else { return json }
    return properties.reduce(json) { object, property in
      guard let content = object[property.name] ?? property.node.startingValue else {
        return object
      }
      return object.setting(property.name, to: property.node.completed(content))
    }
  }

  /// What stands for a missing member: its default, or an object that has defaults inside.
  private var startingValue: JSONValue? {
    if let defaultValue { return defaultValue }
    guard type == .object, required.isEmpty else { return nil }
    return completed(.object([])) == .object([]) ? nil : .object([])
  }

  func secretReferences(
    in json: JSONValue, path: [SecretReference.Step]
  ) -> [SecretReference] {
    if isSecret {
      return SecretReference.Source(json: json).map {
        [SecretReference(path: path, source: $0)]
      } ?? []
    }
    if case .array(let elements) = json, let item = items.first {
      return elements.enumerated().flatMap { index, element in
        item.secretReferences(in: element, path: path + [.element(index)])
      }
    }
    return properties.flatMap { property in
      json[property.name].map {
        property.node.secretReferences(in: $0, path: path + [.member(property.name)])
      } ?? []
    }
  }
}
