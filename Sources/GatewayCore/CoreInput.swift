public import CareModel

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
}

extension CoreInput: JSONCodable {
  /// Reads `{"observation": …}`, `{"command": …}`, `{"wake": true}` or `{"started": version}`.
  public init(json: JSONValue) throws(DecodeError) {
    let reader = try JSONReader(json)
    if let observation = reader.optional("observation") {
      self = .observation(try Observation(json: observation))
    } else if let command = reader.optional("command") {
      self = .command(try Command(json: command))
    } else if let version = try reader.optionalString("started") {
      self = .started(version: version)
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
  /// Seconds between two heartbeats, 10 through 86,400.
  public var heartbeatSeconds: Int64
  /// Seconds that a part must be failed or degraded before it becomes a fault, 0 through 3,600.
  public var faultAfterSeconds: Int64
  /// Tracking settings that differ from the built-in ones, by name; a resident's own settings go first.
  public var trackingDefaults: [StoredState.Setting]

  /// A configuration; by default a heartbeat every five minutes and faults after ten seconds.
  public init(
    gateway: GatewayID, heartbeatSeconds: Int64 = 300, faultAfterSeconds: Int64 = 10,
    trackingDefaults: [(name: String, value: JSONValue)] = []
  ) {
    self.gateway = gateway
    self.heartbeatSeconds = heartbeatSeconds
    self.faultAfterSeconds = faultAfterSeconds
    self.trackingDefaults = trackingDefaults.map {
      StoredState.Setting(resident: "", name: $0.name, value: $0.value)
    }
  }
}

extension CoreConfiguration: JSONCodable {
  /// Reads a configuration as recorded with a run.
  public init(json: JSONValue) throws(DecodeError) {
    let reader = try JSONReader(json)
    self.init(
      gateway: GatewayID(try reader.string("gateway")),
      heartbeatSeconds: try reader.integer("heartbeatSeconds"),
      faultAfterSeconds: try reader.integer("faultAfterSeconds"))
    trackingDefaults = try reader.list("trackingDefaults") { value throws(DecodeError) in
      let setting = try JSONReader(value)
      return StoredState.Setting(
        resident: "", name: try setting.string("name"), value: try setting.required("value"))
    }
  }

  /// The configuration as an object.
  public var json: JSONValue {
    [
      "gateway": .string(gateway.rawValue), "heartbeatSeconds": .integer(heartbeatSeconds),
      "faultAfterSeconds": .integer(faultAfterSeconds),
      "trackingDefaults": .array(
        trackingDefaults.map { ["name": .string($0.name), "value": $0.value] }),
    ]
  }
}
