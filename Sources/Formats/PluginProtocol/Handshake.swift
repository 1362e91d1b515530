public import Bytes
public import Care
public import JSON

/// How much a plugin takes at a time in one lane.
public struct DeliveryCredits: Hashable, Sendable {
  /// The most events of a batch, 1 through 10,000.
  public var events: Int
  /// The most bytes of bodies of a batch, 1 through 3 MiB; one event always fits.
  public var bytes: Int

  /// Credits from their parts.
  public init(events: Int = 256, bytes: Int = 262_144) {
    self.events = events
    self.bytes = bytes
  }

  init(_ reader: JSONReader) throws(DecodeError) {
    let events = try reader.optionalInteger("events") ?? 256
    let bytes = try reader.optionalInteger("bytes") ?? 262_144
    guard (1...Int64(PluginLimits.batchEvents)).contains(events) else {
      throw reader.error(.outOfRange, "events")
    }
    guard (1...Int64(PluginLimits.batchBytes)).contains(bytes) else {
      throw reader.error(.outOfRange, "bytes")
    }
    self.init(events: Int(events), bytes: Int(bytes))
  }

  /// The credits as JSON.
  public var json: JSONValue {
    ["events": .integer(Int64(events)), "bytes": .integer(Int64(bytes))]
  }
}

/// The parameters of `initialize`, the host's first request.
public struct InitializeRequest: Hashable, Sendable, JSONCodable {
  /// The protocol version that host and plugin will speak.
  public var protocolVersion: Int
  /// The host's version.
  public var hostVersion: String
  /// The gateway's name towards backends.
  public var gateway: GatewayID
  /// The settings, complete with defaults and secrets.
  public var settings: JSONValue
  /// The grants that the plugin has, sorted.
  public var grants: [String]
  /// The folder that the plugin may write, an absolute path.
  public var stateDirectory: String
  /// Who may make an account, for a plugin with the grant `accounts`; nil for others.
  public var signUp: SignUp?

  /// A request from its parts.
  public init(
    protocolVersion: Int, hostVersion: String, gateway: GatewayID, settings: JSONValue,
    grants: [String], stateDirectory: String, signUp: SignUp? = nil
  ) {
    self.protocolVersion = protocolVersion
    self.hostVersion = hostVersion
    self.gateway = gateway
    self.settings = settings
    self.grants = grants
    self.stateDirectory = stateDirectory
    self.signUp = signUp
  }

  /// Reads the parameters.
  public init(json: JSONValue) throws(DecodeError) {
    let reader = try JSONReader(json)
    let version = try reader.integer("protocol")
    guard let protocolVersion = Int(exactly: version) else {
      throw reader.error(.outOfRange, "protocol")
    }
    self.init(
      protocolVersion: protocolVersion,
      hostVersion: try reader.object("host").string("version"),
      gateway: GatewayID(try reader.string("gateway")),
      settings: reader.optional("settings") ?? .object([]),
      grants: try reader.array("grants").compactMap(\.stringContent),
      stateDirectory: try reader.string("stateDirectory"),
      signUp: try reader.optionalWord("signUp", as: SignUp.self))
  }

  /// The parameters as JSON.
  public var json: JSONValue {
    .object([
      "protocol": .integer(Int64(protocolVersion)),
      "host": ["name": "homeward", "version": .string(hostVersion)],
      "gateway": .string(gateway.rawValue), "settings": settings,
      "grants": .array(grants.map { .string($0) }), "stateDirectory": .string(stateDirectory),
      "signUp": signUp.map { .string($0.rawValue) },
    ])
  }
}

/// The answer to `initialize`.
public struct InitializeAnswer: Hashable, Sendable, JSONCodable {
  /// The protocol version that the plugin will speak: the one it was asked for.
  public var protocolVersion: Int
  /// The plugin's name, as in its manifest.
  public var name: String
  /// The plugin's version, as in its manifest.
  public var version: String
  /// How much it takes at a time.
  public var credits: DeliveryCredits

  /// An answer from its parts.
  public init(
    protocolVersion: Int, name: String, version: String, credits: DeliveryCredits
  ) {
    self.protocolVersion = protocolVersion
    self.name = name
    self.version = version
    self.credits = credits
  }

  /// Reads the answer; missing credits are 256 events and 256 KiB.
  public init(json: JSONValue) throws(DecodeError) {
    let reader = try JSONReader(json)
    let version = try reader.integer("protocol")
    guard let protocolVersion = Int(exactly: version) else {
      throw reader.error(.outOfRange, "protocol")
    }
    self.init(
      protocolVersion: protocolVersion, name: try reader.string("name"),
      version: try reader.string("version"),
      credits: try reader.optionalObject("credits").map(DeliveryCredits.read) ?? DeliveryCredits())
  }

  /// The answer as JSON.
  public var json: JSONValue {
    [
      "protocol": .integer(Int64(protocolVersion)), "name": .string(name),
      "version": .string(version), "credits": credits.json,
    ]
  }
}

extension DeliveryCredits {
  fileprivate static func read(_ reader: JSONReader) throws(DecodeError) -> DeliveryCredits {
    try DeliveryCredits(reader)
  }
}
