public import Bytes
public import Care
public import JSON
public import Moments

/// What people ask of the log of glucose readings.
public enum GlucoseRequest: Hashable, Sendable {
  /// Add a reading, or change the one with the same id. `revision` is the one that whoever changes it saw; nil for
  /// "whatever is there".
  case put(GlucoseReading, revision: Int64?)
  /// Remove a reading.
  case remove(GlucoseReadingID, revision: Int64?)
  /// A meter showed `HI` or `LO`, as somebody (`by`) read it off: no reading, but news all the same.
  case showing(GlucoseLevelFault.End, of: ResidentID, time: Timestamp, by: String)
  /// Add readings of a file, all or none; those whose id is known stay as they are. At most ``importedAtOnce``.
  case add([GlucoseReading], to: ResidentID)

  /// Readings that one request adds at most.
  public static let importedAtOnce = 400
}

extension GlucoseRequest: JSONCodable {
  /// The request's word.
  public var action: String {
    switch self {
    case .put: "glucose.put"
    case .remove: "glucose.remove"
    case .showing: "glucose.showing"
    case .add: "glucose.import"
    }
  }

  /// The id of what the request acts on.
  public var target: String {
    switch self {
    case .put(let reading, _): reading.id.rawValue
    case .remove(let id, _): id.rawValue
    case .showing(_, let resident, _, _): resident.rawValue
    case .add(_, let resident): resident.rawValue
    }
  }

  /// Reads a request whose `action` is one of ``action``.
  public init(json: JSONValue) throws(DecodeError) {
    let reader = try JSONReader(json)
    let revision = try reader.optionalCount("revision")
    switch try reader.string("action") {
    case "glucose.put":
      self = .put(try GlucoseReading(json: reader.required("reading")), revision: revision)
    case "glucose.remove":
      self = .remove(GlucoseReadingID(try reader.string("target")), revision: revision)
    case "glucose.showing":
      let word = try reader.string("showing")
      guard let end = GlucoseLevelFault.End(shown: word) else {
        throw reader.error(.outOfRange, "showing")
      }
      self = .showing(
        end, of: ResidentID(try reader.string("target")), time: try reader.timestamp("time"),
        by: try reader.optionalString("by") ?? "")
    case "glucose.import":
      self = .add(
        try reader.list("readings") { value throws(DecodeError) in
          try GlucoseReading(json: value)
        }, to: ResidentID(try reader.string("target")))
    default: throw reader.error(.unknownWord, "action")
    }
  }

  /// The request, where somebody asks for something about glucose; nil where it is about anything else.
  ///
  /// - Throws: ``DecodeError`` for one that came as JSON and does not fit.
  public init?(_ request: Command.Request) throws(DecodeError) {
    guard case .feature(let asked) = request, Self.isAction(asked.action) else { return nil }
    self = try asked.content.value()
  }

  /// Whether a request of this action is one about glucose.
  public static func isAction(_ action: String) -> Bool { action.hasPrefix("glucose.") }

  /// The request as an object with `action`.
  public var json: JSONValue {
    switch self {
    case .put(let reading, let revision):
      .object([
        "action": .string(action), "reading": reading.json,
        "revision": revision.map { .integer($0) },
      ])
    case .remove(let id, let revision):
      .object([
        "action": .string(action), "target": .string(id.rawValue),
        "revision": revision.map { .integer($0) },
      ])
    case .showing(let end, let resident, let time, let by):
      [
        "action": .string(action), "target": .string(resident.rawValue),
        "showing": .string(end.shown), "time": .string(time.iso8601), "by": .string(by),
      ]
    case .add(let readings, let resident):
      [
        "action": .string(action), "target": .string(resident.rawValue),
        "readings": .array(readings.map(\.json)),
      ]
    }
  }
}

extension Command.Request {
  /// Something about glucose readings.
  public static func glucose(_ request: GlucoseRequest) -> Command.Request {
    .feature(FeatureRequest(request.action, of: request.target, request))
  }
}
