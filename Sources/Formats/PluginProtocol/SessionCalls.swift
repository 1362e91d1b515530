public import Bytes
public import JSON

/// For whom a plugin asks: whoever holds a session's token.
public struct SessionCall: Hashable, Sendable {
  /// The token, as the log-in answered it.
  public var token: String
  /// The address in the network that they ask from; nil where the plugin does not know.
  public var address: String?
  private static let lengths = 1...200

  /// A session from its token.
  public init(token: String, address: String? = nil) {
    self.token = token
    self.address = address
  }

  /// Reads the members `session` and `address`; nil without a session.
  init?(_ reader: JSONReader) throws(DecodeError) {
    guard let token = try reader.optionalString("session") else { return nil }
    guard Self.lengths.contains(token.utf8.count) else {
      throw reader.error(.outOfRange, "session")
    }
    self.init(token: token, address: try Self.address(reader))
  }

  static func address(_ reader: JSONReader) throws(DecodeError) -> String? {
    guard let address = try reader.optionalString("address") else { return nil }
    guard lengths.contains(address.utf8.count),
      address.utf8.allSatisfy({ (0x21...0x7E).contains($0) })
    else { throw reader.error(.outOfRange, "address") }
    return address
  }

  /// The members, added to an object.
  func added(to json: JSONValue) -> JSONValue {
    let json = json.setting("session", to: .string(token))
    return address.map { json.setting("address", to: .string($0)) } ?? json
  }
}

/// The parameters of `watch`: which events a plugin wants to be sent for a session.
public struct WatchCall: Hashable, Sendable, JSONCodable {
  /// Types of events, as manifests name them; without any, the lanes of alarms and of records.
  public var types: [String]
  /// For whom.
  public var session: SessionCall
  /// In which a refusal is to be answered, as BCP 47 has it; nil for the gateway's own.
  public var language: String?

  /// A call from its parts.
  public init(types: [String] = [], session: SessionCall, language: String? = nil) {
    self.types = types
    self.session = session
    self.language = language
  }

  /// Reads `{"session": …, "address": …, "types": […], "language": …}`; only the session has to be there.
  public init(json: JSONValue) throws(DecodeError) {
    let reader = try JSONReader(json)
    guard let session = try SessionCall(reader) else {
      throw reader.error(.missingField, "session")
    }
    let types = try reader.strings("types")
    guard types.count <= PluginLimits.watchedTypes, types.allSatisfy({ $0.utf8.count <= 100 })
    else { throw reader.error(.outOfRange, "types") }
    self.init(types: types, session: session, language: try reader.optionalString("language"))
  }

  /// The parameters as JSON.
  public var json: JSONValue {
    session.added(
      to: .object([
        "types": .array(types.map { .string($0) }), "language": language.map { .string($0) },
      ]))
  }
}
