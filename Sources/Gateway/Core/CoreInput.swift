public import Bytes
public import Care
import CivilTime
public import JSON
public import Texts
import Tracking

/// One thing that happened to the gateway.
public enum CoreInput: Hashable, Sendable {
  /// A device saw something.
  case observation(Observation)
  /// A person or a backend asks for something.
  case command(Command)
  /// The tick that the core asked to be woken at has come.
  case wake
  /// The gateway has started; the first input of every run.
  case started(version: String)
  /// The zone database's file of a time zone that a resident lives by.
  case timeZone(name: String, file: [UInt8])
}

extension CoreInput: JSONCodable {
  /// Reads `{"observation": …}`, `{"command": …}`, `{"wake": true}`, `{"started": version}` or
  /// `{"timeZone": name, "file": hexadecimal}`.
  public init(json: JSONValue) throws(DecodeError) {
    let reader = try JSONReader(json)
    if let observation = reader.optional("observation") {
      self = .observation(try GatewayCore.understood(Observation(json: observation)))
    } else if let command = reader.optional("command") {
      self = .command(try GatewayCore.understood(Command(json: command)))
    } else if let version = try reader.optionalString("started") {
      self = .started(version: version)
    } else if let zone = try reader.optionalString("timeZone") {
      guard let file = Hexadecimal.bytes(try reader.string("file")) else {
        throw reader.error(.outOfRange, "file")
      }
      self = .timeZone(name: zone, file: file)
    } else if try reader.optionalBool("wake") == true {
      self = .wake
    } else {
      throw reader.error(.missingField, "observation")
    }
  }

  /// The input as an object with one member.
  public var json: JSONValue {
    switch self {
    case .observation(let observation): ["observation": observation.json]
    case .command(let command): ["command": command.json]
    case .wake: ["wake": true]
    case .started(let version): ["started": .string(version)]
    case .timeZone(let name, let file):
      ["timeZone": .string(name), "file": .string(Hexadecimal.text(file))]
    }
  }
}

/// What one step brought about.
public struct StepResult: Hashable, Sendable {
  /// What happened, in order.
  public var events: [Event] = []
  /// What must be stored in the same transaction.
  public var changes: [StateChange] = []
  /// What to do outside now.
  public var actions: [Action] = []
  /// The answer, when the input was a command.
  public var reply: CommandReply?

  /// A result in which nothing happened.
  public init() {}
}

/// Settings of the core that come from the configuration; they are recorded with each run.
public struct CoreConfiguration: Hashable, Sendable {
  /// Name of the gateway towards backends.
  public var gateway: GatewayID
  /// Seconds between two heartbeats, 10 through 86,400; 0 for none.
  public var heartbeatSeconds: Int64
  /// Seconds that a part must be failed or degraded before it becomes a fault, 0 through 3,600.
  public var faultAfterSeconds: Int64
  /// Tracking settings that differ from the built-in ones, by name; a resident's own settings go first.
  public var trackingDefaults: [StoredState.Setting]
  /// Buttons, whose they are and what they bring about.
  public var buttons: [ButtonBinding]
  /// The devices that listen for tags.
  public var hearers: [TagHearer]
  /// The GPS sources that there are; nil where others may come, as from a plugin.
  public var gpsSources: [SourceID]?
  /// The plugins that may bring positions.
  public var gpsPlugins: [String]
  /// The language of what concerns the gateway and no resident.
  public var language: Language
  /// The zone database's files of the residents' time zones, by name.
  public var timeZoneFiles: [String: [UInt8]] = [:]

  /// A configuration; by default a heartbeat every five minutes and faults after ten seconds.
  public init(
    gateway: GatewayID, heartbeatSeconds: Int64 = 300, faultAfterSeconds: Int64 = 10,
    trackingDefaults: [(name: String, value: JSONValue)] = [], buttons: [ButtonBinding] = [],
    hearers: [TagHearer] = [], gpsSources: [SourceID]? = nil,
    gpsPlugins: [String] = [], language: Language = .en
  ) {
    self.gpsPlugins = gpsPlugins
    self.gpsSources = gpsSources
    self.hearers = hearers
    self.language = language
    self.buttons = buttons
    self.gateway = gateway
    self.heartbeatSeconds = heartbeatSeconds
    self.faultAfterSeconds = faultAfterSeconds
    self.trackingDefaults = trackingDefaults.map {
      StoredState.Setting(resident: "", name: $0.name, value: $0.value)
    }
  }
}

extension CoreConfiguration {
  /// What the configuration says of the house.
  var house: House {
    var house = House(language: language)
    for (name, file) in timeZoneFiles.sorted(by: { $0.key < $1.key }) {
      house.timeZones[name] = try? CivilTimeZone(name: name, tzif: file)
    }
    house.defaults = Dictionary(trackingDefaults.map { ($0.name, $0.value) }) { $1 }
    house.receivers = gpsSources.map { KnownReceivers(names: $0, plugins: gpsPlugins) }
    house.faultAfterSeconds = faultAfterSeconds
    house.heartbeatSeconds = heartbeatSeconds
    house.hearers = hearers
    house.buttons = buttons
    return house
  }

  /// Tracking settings that it names wrongly or sets out of range, with the reason.
  public var problems: [String] {
    var settings = TrackingSettings()
    var problems: [String] = []
    for setting in trackingDefaults {
      do { try settings.set(setting.name, to: setting.value) } catch {
        problems.append("tracking.\(setting.name): \(error.message.text(in: language))")
      }
    }
    return problems
  }
}

extension CoreConfiguration: JSONCodable {
  /// Reads a configuration as recorded with a run.
  public init(json: JSONValue) throws(DecodeError) {
    let reader = try JSONReader(json)
    self.init(
      gateway: GatewayID(try reader.string("gateway")),
      heartbeatSeconds: try reader.integer("heartbeatSeconds"),
      faultAfterSeconds: try reader.integer("faultAfterSeconds"),
      language: Language(try reader.optionalString("language") ?? ""))
    trackingDefaults = try reader.list("trackingDefaults") { value throws(DecodeError) in
      let setting = try JSONReader(value)
      return StoredState.Setting(
        resident: "", name: try setting.string("name"), value: try setting.required("value"))
    }
    if reader.optional("hearers") != nil {
      hearers = try reader.list("hearers") { value throws(DecodeError) in
        try TagHearer(json: value)
      }
    }
    if reader.optional("gpsSources") != nil {
      gpsSources = try reader.array("gpsSources").compactMap(\.stringContent).map { SourceID($0) }
    }
    if reader.optional("gpsPlugins") != nil {
      gpsPlugins = try reader.array("gpsPlugins").compactMap(\.stringContent)
    }
    // Runs that were recorded before there were buttons lack both.
    if reader.optional("buttons") != nil {
      buttons = try reader.list("buttons") { value throws(DecodeError) in
        try ButtonBinding(json: value)
      }
    }
    for member in reader.optional("timeZoneFiles")?.objectContent ?? [] {
      timeZoneFiles[member.key] = member.value.stringContent.flatMap(Hexadecimal.bytes)
    }
  }

  /// The configuration as an object.
  public var json: JSONValue {
    .object([
      "gateway": .string(gateway.rawValue), "heartbeatSeconds": .integer(heartbeatSeconds),
      "faultAfterSeconds": .integer(faultAfterSeconds),
      "trackingDefaults": .array(
        trackingDefaults.map { ["name": .string($0.name), "value": $0.value] }),
      "buttons": .array(buttons.map(\.json)), "hearers": .array(hearers.map(\.json)),
      "gpsSources": gpsSources.map { .array($0.map { .string($0.rawValue) }) },
      "gpsPlugins": gpsPlugins.isEmpty ? nil : .array(gpsPlugins.map(JSONValue.string)),
      "language": .string(language.rawValue),
      "timeZoneFiles": .object(
        timeZoneFiles.sorted { $0.key < $1.key }.map {
          JSONMember(key: $0.key, value: .string(Hexadecimal.text($0.value)))
        }),
    ])
  }
}
