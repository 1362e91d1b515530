import JSON
import Texts

/// Checks a value against a schema and collects everything that is wrong.
struct SchemaValidator {
  let secrets: SettingsSchema.SecretForm
  private(set) var errors: [SettingsError] = []

  init(secrets: SettingsSchema.SecretForm) { self.secrets = secrets }

  mutating func check(_ json: JSONValue, against node: SchemaNode, path: String) {
    if node.isSecret, secrets == .reference {
      if SecretReference.Source(json: json) == nil {
        add(
          path,
          Message(
            "is a secret: write {file} or {credential} and keep it there",
            ["file": "{\"file\": \"/path\"}", "credential": "{\"credential\": \"name\"}"]))
      }
      return
    }
    guard isOfType(json, node.type, path: path) else { return }
    if let allowed = node.allowed, !allowed.contains(json) {
      let words = allowed.map(\.serialized).joined(separator: ", ")
      add(path, Message("write one of {words}", ["words": words]))
      return
    }
    checkRange(json, node, path: path)
    checkLength(json, node, path: path)
    if case .object(let members) = json { checkMembers(members, node, path: path) }
    if case .array(let elements) = json, let item = node.items.first {
      for (index, element) in elements.enumerated() {
        check(element, against: item, path: "\(path)[\(index)]")
      }
    }
  }

  private mutating func add(_ path: String, _ message: Message) {
    errors.append(SettingsError(path: path, message: message))
  }

  private mutating func isOfType(
    _ json: JSONValue, _ type: SchemaNode.Kind?, path: String
  ) -> Bool {
    guard let type else { return true }
    let (fits, wanted) =
      switch type {
      case .string: (json.stringContent != nil, Message("write a text"))
      case .integer: (json.integerContent != nil, Message("write a whole number"))
      case .number: (json.doubleContent != nil, Message("write a number"))
      case .boolean: (json.boolContent != nil, Message("write true or false"))
      case .object: (json.objectContent != nil, Message("write an object"))
      case .array: (json.arrayContent != nil, Message("write a list"))
      }
    if !fits { add(path, wanted) }
    return fits
  }

  private mutating func checkRange(_ json: JSONValue, _ node: SchemaNode, path: String) {
    guard let number = json.doubleContent else { return }
    if let minimum = node.minimum, number < minimum {
      add(path, Message("write at least {lowest}", ["lowest": plain(minimum)]))
    }
    if let maximum = node.maximum, number > maximum {
      add(path, Message("write at most {highest}", ["highest": plain(maximum)]))
    }
  }

  private mutating func checkLength(_ json: JSONValue, _ node: SchemaNode, path: String) {
    guard let text = json.stringContent else { return }
    let length = text.unicodeScalars.count
    if let minimum = node.minimumLength, length < minimum {
      add(
        path,
        minimum == 1
          ? Message("must not be empty")
          : Message("write at least {least} characters", ["least": minimum]))
    }
    if let maximum = node.maximumLength, length > maximum {
      add(path, Message("write at most {most} characters", ["most": maximum]))
    }
  }

  private mutating func checkMembers(
    _ members: [JSONMember], _ node: SchemaNode, path: String
  ) {
    let prefix = path.isEmpty ? "" : "\(path)."
    for name in node.required where !members.contains(where: { $0.key == name }) {
      add("\(prefix)\(name)", Message("is missing"))
    }
    for member in members {
      if let property = node.properties.first(where: { $0.name == member.key }) {
        check(member.value, against: property.node, path: "\(prefix)\(member.key)")
      } else if !node.allowsOtherProperties {
        let known = node.properties.map(\.name).joined(separator: ", ")
        add(
          "\(prefix)\(member.key)",
          known.isEmpty
            ? Message("is not known; there are no settings here")
            : Message("is not known; known are {known}", ["known": known]))
      }
    }
  }

  private func plain(_ number: Double) -> String {
    Int64(exactly: number).map(String.init) ?? "\(number)"
  }
}
