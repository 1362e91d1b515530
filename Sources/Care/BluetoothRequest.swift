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
  /// Listen to who is around for so many seconds, to find a resident's tag or meter.
  case search(for: ResidentID, seconds: Int64)
  /// Pair a meter, which then becomes the resident's that it names.
  case pairMeter(GlucoseMeter)
  /// Answer what the pairing of a resident's meter waits for: the digits that it shows, or whether both show the same.
  case answerPairing(BluetoothAddress, of: ResidentID, PairingReply)
}

/// What somebody answers who pairs a meter.
public struct PairingReply: Hashable, Sendable {
  /// The digits that the meter shows, 0 through 999,999.
  public var passkey: UInt32?
  /// Whether the meter shows the number that is shown here.
  public var isSame: Bool?

  /// An answer from its parts; one without either is what is recorded of it.
  public init(passkey: UInt32? = nil, isSame: Bool? = nil) {
    self.passkey = passkey
    self.isSame = isSame
  }
}

extension BluetoothRequest {
  /// The request's word.
  public var action: String {
    switch self {
    case .putTag: "tag.put"
    case .removeTag: "tag.remove"
    case .putMeter: "meter.put"
    case .removeMeter: "meter.remove"
    case .search: "device.search"
    case .pairMeter: "meter.pair"
    case .answerPairing: "meter.answer"
    }
  }

  /// The id of what the request acts on.
  public var target: String {
    switch self {
    case .putTag(let tag, _): tag.id.rawValue
    case .removeTag(let id): id.rawValue
    case .putMeter(let meter): meter.address.written
    case .removeMeter(let address): address.written
    case .search(let resident, _): resident.rawValue
    case .pairMeter(let meter): meter.address.written
    case .answerPairing(let address, _, _): address.written
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
    case "device.search":
      return .search(
        for: ResidentID(try reader.string("target")),
        seconds: try whole("seconds", in: searchSeconds, reader) ?? usualSearchSeconds)
    case "meter.pair": return .pairMeter(try GlucoseMeter(json: reader.required("meter")))
    case "meter.answer":
      return .answerPairing(
        try reader.bluetoothAddress("target"), of: ResidentID(try reader.string("resident")),
        PairingReply(
          passkey: try whole("passkey", in: 0...999_999, reader).map { UInt32($0) },
          isSame: try reader.optionalBool("isSame")))
    default: return nil
    }
  }

  /// For how long may be listened, in seconds.
  public static let searchSeconds: ClosedRange<Int64> = 1...60
  /// How long is listened where nobody says.
  public static let usualSearchSeconds: Int64 = 15

  private static func whole(
    _ name: String, in range: ClosedRange<Int64>, _ reader: JSONReader
  ) throws(DecodeError) -> Int64? {
    guard let number = try reader.optionalInteger(name) else { return nil }
    guard range.contains(number) else { throw reader.error(.outOfRange, name) }
    return number
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
    case .pairMeter(let meter): ["action": .string(action), "meter": meter.json]
    case .search(_, let seconds):
      ["action": .string(action), "target": .string(target), "seconds": .integer(seconds)]
    case .answerPairing(_, let resident, let reply):
      .object([
        "action": .string(action), "target": .string(target),
        "resident": .string(resident.rawValue),
        "passkey": reply.passkey.map { .integer(Int64($0)) },
        "isSame": reply.isSame.map { .bool($0) },
      ])
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
    CommandRule(
      "device.search", .changeDevices,
      [.target, Member("seconds", .whole(BluetoothRequest.searchSeconds)).optional]),
    CommandRule("meter.pair", .changeDevices, [Member("meter", GlucoseMeter.shape)]),
    CommandRule(
      "meter.answer", .changeDevices,
      [
        Member("target", BluetoothAddress.shape), Member("resident", .text),
        Member("passkey", .whole(0...999_999)).optional, Member("isSame", .flag).optional,
      ]),
  ]
}
