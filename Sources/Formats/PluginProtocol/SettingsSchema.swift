public import JSON
public import Texts

/// The JSON Schema of a plugin's settings, in the subset that `plugins/protocol.md` lists.
///
/// A keyword beyond the subset is refused rather than ignored: a check that the author wrote and nobody makes is worse
/// than none.
public struct SettingsSchema: Hashable, Sendable {
  let root: SchemaNode

  /// Reads a schema; an empty object allows no settings at all.
  ///
  /// - Throws: ``ManifestError`` with the place below `settings`.
  public init(json: JSONValue) throws(ManifestError) {
    if json == .object([]) {
      root = SchemaNode.nothing
    } else {
      root = try SchemaNode(json, path: "settings", depth: 0)
    }
    guard root.type == .object else {
      throw ManifestError("settings.type", "the settings must be an object: write \"object\"")
    }
  }

  /// Everything that is wrong with a schema, each with its place below `settings`; empty where it can be read.
  public static func faults(in json: JSONValue) -> [ManifestError] {
    let faults =
      json == .object([]) ? [] : SchemaNode.faults(in: json, path: "settings", depth: 0)
    guard faults.isEmpty else { return faults }
    do throws(ManifestError) { _ = try SettingsSchema(json: json) } catch { return [error] }
    return []
  }

  /// The settings with the schema's defaults where a member is missing.
  public func applyingDefaults(to settings: JSONValue) -> JSONValue { root.completed(settings) }

  /// How secrets stand in settings that are checked.
  public enum SecretForm: Hashable, Sendable {
    /// As the owner's configuration has them: `{"file": …}` or `{"credential": …}`, never the secret itself.
    case reference
    /// As the plugin receives them: plain text.
    case plain
  }

  /// The type of a setting by its name; nil for one that the schema does not have, or of any type.
  func type(of setting: String) -> SchemaNode.Kind? {
    root.properties.first { $0.name == setting }?.node.type
  }

  /// Everything that is wrong with settings, in the schema's order; empty when nothing is.
  public func validate(
    _ settings: JSONValue, secrets: SecretForm = .reference
  ) -> [SettingsError] {
    var validator = SchemaValidator(secrets: secrets)
    validator.check(settings, against: root, path: "")
    return validator.errors
  }

  /// The secrets that the settings refer to, each with its path.
  public func secretReferences(in settings: JSONValue) -> [SecretReference] {
    root.secretReferences(in: settings, path: [])
  }

  /// The settings with each secret's plain text in the place of its reference.
  ///
  /// - Throws: what `resolve` throws.
  public func resolvingSecrets<Failure: Error>(
    in settings: JSONValue, _ resolve: (SecretReference) throws(Failure) -> String
  ) throws(Failure) -> JSONValue {
    var resolved = settings
    for reference in secretReferences(in: settings) {
      let text = try resolve(reference)
      resolved = resolved.replacing(at: reference.path[...], with: .string(text))
    }
    return resolved
  }
}

/// Something that is wrong with one setting.
public struct SettingsError: Error, Hashable, Sendable, CustomStringConvertible {
  /// Where, such as `broker.port` or `topics[2]`; empty for the settings as a whole.
  public var path: String
  /// One plain sentence that says what to write instead; never the setting's content.
  public var message: Message

  /// An error at a place.
  public init(path: String, message: Message) {
    self.path = path
    self.message = message
  }

  /// Place and sentence in English.
  public var description: String { text(in: .en) }

  /// Place and sentence in a language.
  public func text(in language: Language) -> String {
    let sentence = message.text(in: language)
    return path.isEmpty ? sentence : "\(path): \(sentence)"
  }
}

/// Where a secret setting is kept.
public struct SecretReference: Hashable, Sendable {
  /// Ways to keep a secret.
  public enum Source: Hashable, Sendable {
    /// The content of a file, by its absolute path.
    case file(String)
    /// A systemd credential, by its name.
    case credential(String)
  }

  /// One step from the settings' root to the secret.
  public enum Step: Hashable, Sendable {
    /// The member of that name.
    case member(String)
    /// The element at that index.
    case element(Int)
  }

  /// The way from the settings' root to the secret.
  public var path: [Step]
  /// Where it is kept.
  public var source: Source

  /// The path in words, such as `broker.password`.
  public var pathDescription: String {
    path.reduce(into: "") { text, step in
      switch step {
      case .member(let name): text += text.isEmpty ? name : ".\(name)"
      case .element(let index): text += "[\(index)]"
      }
    }
  }
}

extension SecretReference.Source {
  /// Reads `{"file": "/…"}` or `{"credential": "…"}`; nil for anything else.
  public init?(json: JSONValue) {
    guard let members = json.objectContent, members.count == 1, let member = members.first,
      let text = member.value.stringContent, !text.isEmpty, !text.utf8.contains(0)
    else { return nil }
    switch member.key {
    case "file" where text.hasPrefix("/"): self = .file(text)
    case "credential" where !text.contains("/") && text != "." && text != "..":
      self = .credential(text)
    default: return nil
    }
  }
}

extension JSONValue {
  fileprivate func replacing(
    at path: ArraySlice<SecretReference.Step>, with content: JSONValue
  ) -> JSONValue {
    switch path.first {
    case nil: return content
    case .member(let name):
      guard let old = self[name] else { return self }
      return setting(name, to: old.replacing(at: path.dropFirst(), with: content))
    case .element(let index):
      guard var elements = arrayContent, elements.indices.contains(index) else { return self }
      elements[index] = elements[index].replacing(at: path.dropFirst(), with: content)
      return .array(elements)
    }
  }
}
