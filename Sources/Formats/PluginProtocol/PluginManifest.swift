public import Care
public import JSON

/// What is wrong with a `plugin.json`.
public struct ManifestError: Error, Hashable, Sendable, CustomStringConvertible {
  /// Where, such as `lanes[1]` or `settings.properties.url.type`; empty for the whole file.
  public var path: String
  /// One plain sentence that says what to write instead.
  public var message: String

  /// An error at a place.
  public init(_ path: String, _ message: String) {
    self.path = path
    self.message = message
  }

  /// Place and sentence.
  public var description: String {
    path.isEmpty ? "plugin.json: \(message)" : "plugin.json: \(path): \(message)"
  }
}

/// What a plugin does only where a resident has not refused it, and how it is kept from doing it.
public struct ConsentNeed: Hashable, Sendable {
  /// What the resident is asked.
  public var kind: ConsentKind
  /// The setting with the resident's id.
  public var residentSetting: String
  /// The setting that is false while the resident refuses.
  public var switchSetting: String

  /// A need from its parts.
  public init(kind: ConsentKind, residentSetting: String, switchSetting: String) {
    self.kind = kind
    self.residentSetting = residentSetting
    self.switchSetting = switchSetting
  }
}

/// What a plugin says about itself in `plugin.json`.
public struct PluginManifest: Hashable, Sendable {
  /// Its name: 1 through 32 lower-case letters, digits and hyphens, the first a letter.
  public let name: String
  /// Its own version, `MAJOR.MINOR.PATCH`.
  public let version: String
  /// Protocol versions that it speaks.
  public let protocolVersions: [Int]
  /// Program and arguments.
  public let command: [String]
  /// What it is, for people.
  public let summary: String
  /// Its licence as SPDX writes it.
  public let licence: String
  /// Lanes it wants, alarm first.
  public let lanes: [Lane]
  /// Event types it wants.
  public let types: [String]
  /// Services it provides.
  public let offers: [String]
  /// What it asks for.
  public let grants: Set<Grant>
  /// Ports of this machine that it is about, such as a broker's; it may reach those where it has the grant `network`.
  public let loopback: [UInt16]
  /// What it does only where a resident has not refused it.
  public let consents: [ConsentNeed]
  /// What its settings look like.
  public let settings: SettingsSchema

  /// The most bytes that a `plugin.json` may have.
  public static let maximumBytes = 256 << 10

  /// Reads a `plugin.json`.
  ///
  /// - Throws: ``ManifestError`` with the first fault, its place and what to write instead.
  public init(parsing bytes: some Collection<UInt8>) throws(ManifestError) {
    let json: JSONValue
    do {
      json = try JSONValue(parsing: bytes, limits: .init(maximumBytes: Self.maximumBytes))
    } catch { throw ManifestError("", "this is no JSON that can be read: \(error)") }
    try self.init(json: json)
  }

  /// Reads a manifest that is JSON already.
  ///
  /// - Throws: ``ManifestError`` with the first fault, its place and what to write instead.
  public init(json: JSONValue) throws(ManifestError) {
    let reader = try ManifestReader(json)
    name = try reader.pluginName()
    version = try reader.version()
    protocolVersions = try reader.protocolVersions()
    command = try reader.command()
    summary = try reader.text("description")
    licence = try reader.text("licence")
    lanes = try reader.lanes()
    types = try reader.types()
    offers = try reader.offers()
    grants = try reader.grants()
    loopback = try reader.loopback()
    settings = try SettingsSchema(json: json["settings"] ?? .object([]))
    consents = try reader.consents(settings)
  }

  /// Everything that is wrong with a `plugin.json`; empty where it can be read.
  public static func faults(parsing bytes: some Collection<UInt8>) -> [ManifestError] {
    do {
      return ManifestReader.faults(
        in: try JSONValue(parsing: bytes, limits: .init(maximumBytes: maximumBytes)))
    } catch { return [ManifestError("", "this is no JSON that can be read: \(error)")] }
  }

  /// Whether the plugin wants events of a type: named whole, below a named word, or `*`.
  public func wants(_ type: EventType) -> Bool {
    types.contains { wanted in
      wanted == "*" || wanted == type.rawValue || type.rawValue.hasPrefix("\(wanted).")
    }
  }

  /// The highest protocol version that the plugin and the host both speak; nil when there is none.
  public func commonProtocolVersion(with host: [Int] = PluginLimits.protocolVersions) -> Int? {
    protocolVersions.filter(host.contains).max()
  }
}
