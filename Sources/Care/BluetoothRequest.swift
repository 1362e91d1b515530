public import Bytes
public import JSON

/// What people ask about tags and meters.
public enum BluetoothRequest: Hashable, Sendable {
  /// Add a tag, or replace the one with the same id. `identities` is what it is known by; nil leaves that as it is.
  case putTag(Tag, identities: [TagIdentity]?)
  /// Remove a tag.
  case removeTag(TagID)
  /// Make a paired meter a resident's, or rename it.
  case putMeter(GlucoseMeter)
  /// No longer fetch from a meter; its readings stay.
  case removeMeter(BluetoothAddress)
}

extension BluetoothRequest {
  /// The request's word.
  public var action: String {
    switch self {
    case .putTag: "tag.put"
    case .removeTag: "tag.remove"
    case .putMeter: "meter.put"
    case .removeMeter: "meter.remove"
    }
  }

  /// The id of what the request acts on.
  public var target: String {
    switch self {
    case .putTag(let tag, _): tag.id.rawValue
    case .removeTag(let id): id.rawValue
    case .putMeter(let meter): meter.address.written
    case .removeMeter(let address): address.written
    }
  }

  /// Reads a request whose `action` is one of ``action``; nil when it is none of them.
  public static func read(
    _ action: String, _ reader: JSONReader
  ) throws(DecodeError) -> BluetoothRequest? {
    switch action {
    case "tag.put":
      var identities: [TagIdentity]?
      if reader.optional("identities") != nil {
        identities = try reader.list("identities") { value throws(DecodeError) in
          try TagIdentity(json: value)
        }
      }
      return .putTag(try Tag(json: reader.required("tag")), identities: identities)
    case "tag.remove": return .removeTag(TagID(try reader.string("target")))
    case "meter.put": return .putMeter(try GlucoseMeter(json: reader.required("meter")))
    case "meter.remove": return .removeMeter(try reader.bluetoothAddress("target"))
    default: return nil
    }
  }

  /// The request as an object with `action`; it holds the keys of identities.
  public var json: JSONValue {
    switch self {
    case .putTag(let tag, let identities):
      .object([
        "action": .string(action), "tag": tag.json,
        "identities": identities.map { .array($0.map(\.json)) },
      ])
    case .putMeter(let meter): ["action": .string(action), "meter": meter.json]
    case .removeTag, .removeMeter: ["action": .string(action), "target": .string(target)]
    }
  }
}

extension CommandRule {
  static let bluetoothRules = [
    CommandRule(
      "tag.put", .changeDevices,
      [Member("tag", Tag.shape), Member("identities", .list(TagIdentity.shape)).optional]),
    CommandRule("tag.remove", .changeDevices, [.target]),
    CommandRule("meter.put", .changeDevices, [Member("meter", GlucoseMeter.shape)]),
    CommandRule("meter.remove", .changeDevices, [Member("target", BluetoothAddress.shape)]),
  ]
}
