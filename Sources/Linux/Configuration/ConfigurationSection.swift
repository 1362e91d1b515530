import JSON
import Texts

/// A group of keys.
public struct ConfigurationSection<Root>: Sendable {
  let name: String
  let fields: [ConfigurationField<Root>]
  /// Whether a key that stands here and is none of the fields is somebody else's.
  private let skipsOthers: Bool

  /// A group of a name with its keys.
  public init(name: String, fields: [ConfigurationField<Root>]) {
    self.init(name: name, fields: fields, skipsOthers: false)
  }

  init(name: String, fields: [ConfigurationField<Root>], skipsOthers: Bool) {
    self.name = name
    self.fields = fields
    self.skipsOthers = skipsOthers
  }

  /// The paths of single values below, with dots.
  var scalarKeys: [String] { fields.flatMap(\.scalarKeys) }

  /// The values as JSON, without those that are not told.
  func write(_ root: Root) -> JSONValue {
    .object(
      fields.compactMap { field in
        field.write(root).map { JSONMember(key: field.name, value: $0) }
      })
  }

  func read(_ node: YAMLNode, into root: inout Root, _ log: inout ProblemLog) {
    if node.json == .null { return }
    guard case .mapping(let entries) = node.content else {
      let title = name.isEmpty ? Message("the file") : Message(verbatim: "\"\(name)\"")
      return log.add(
        Message(
          "{title} must be a group of keys; it is {kind}.", ["title": title, "kind": node.kind]),
        at: node.position)
    }
    for entry in entries {
      guard let field = fields.first(where: { $0.name == entry.key }) else {
        let known = fields.map(\.name)
        if skipsOthers, NearestWord.find(entry.key, among: known) == nil { continue }
        let place =
          name.isEmpty
          ? Message(verbatim: "") : Message(" in \"{section}\"", ["section": name])
        let hint = NearestWord.hint(entry.key, among: known)
        log.add(
          Message(
            "there is no key \"{key}\"{place}.{hint}",
            ["key": entry.key, "place": place, "hint": hint]), at: entry.keyPosition)
        continue
      }
      field.read(entry.node, &root, &log)
    }
  }
}
