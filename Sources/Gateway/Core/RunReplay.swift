public import Bytes
public import Care
public import JSON
public import Moments

/// Runs recorded inputs through the core again and compares what comes of them with the record.
public struct RunReplay: Sendable {
  /// Where a replay differs from the record.
  public struct Difference: Hashable, Sendable {
    /// Number of the input within the run.
    public var number: Int64
    /// The input.
    public var input: JSONValue
    /// Digest of the recorded outcome.
    public var recordedDigest: UInt64
    /// Digest of the outcome now.
    public var replayedDigest: UInt64
    /// The events that come of the input now.
    public var events: [EncodedEvent]
    /// The changes that come of the input now.
    public var changes: [StateChange]
    /// The actions that come of the input now.
    public var actions: [Action]
  }

  /// The core, as it is after the inputs fed so far.
  public private(set) var core: GatewayCore
  /// How many inputs have been fed.
  public private(set) var inputs: Int64 = 0
  /// How many events came of them.
  public private(set) var events: Int64 = 0

  /// A replay from the start of a run.
  ///
  /// - Throws: ``DecodeError`` when the recorded start cannot be read.
  public init(
    startState: [UInt8], seed: UInt64, boot: BootID, at start: Moment
  ) throws(DecodeError) {
    let reader = try JSONReader(
      JSONValue(parsing: startState, limits: JSONValue.Limits(maximumBytes: 256 << 20)))
    core = GatewayCore(
      stored: try GatewayCore.understood(StoredState(json: reader.required("state"))),
      configuration: try CoreConfiguration(json: reader.required("configuration")), seed: seed,
      boot: boot, at: start)
  }

  /// The start of a run as it is recorded.
  public static func startState(
    of stored: StoredState, configuration: CoreConfiguration
  ) -> [UInt8] {
    let start: JSONValue = ["configuration": configuration.json, "state": stored.json]
    return start.serializedBytes
  }

  /// Feeds one recorded input; answers the difference, if there is one.
  ///
  /// - Throws: ``DecodeError`` when the recorded input cannot be read.
  public mutating func feed(
    number: Int64, body: [UInt8], at moment: Moment, recordedDigest: UInt64
  ) throws(DecodeError) -> Difference? {
    let json = try JSONValue(parsing: body)
    let result = core.step(try CoreInput(json: json), at: moment)
    let encoded = result.events.map {
      $0.cloudEvent(gateway: core.configuration.gateway, boot: core.boot)
    }
    inputs += 1
    events += Int64(encoded.count)
    let digest = OutcomeDigest(
      events: encoded, changes: result.changes, actions: result.actions
    ).digest
    guard digest != recordedDigest else { return nil }
    return Difference(
      number: number, input: json, recordedDigest: recordedDigest, replayedDigest: digest,
      events: encoded, changes: result.changes, actions: result.actions)
  }
}
