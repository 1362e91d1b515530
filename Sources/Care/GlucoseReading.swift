public import Bytes
public import JSON
public import Moments

/// One measured level of glucose (EG-1), from a meter or typed in.
///
/// Control solution, ketones, `HI` and `LO` are no glucose readings and have no place in this type.
public struct GlucoseReading: Hashable, Sendable {
  /// Where a reading came from.
  public enum Source: String, Hashable, Sendable, CaseIterable {
    /// A meter, over the air.
    case meter
    /// A person who read it and typed or said it.
    case hand
    /// A file.
    case file
  }

  /// What measured.
  public enum Sensor: String, Hashable, Sendable, CaseIterable {
    /// A strip and a drop of blood, a few times a day.
    case fingerStick = "finger-stick"
    /// A sensor under the skin, every few minutes.
    case continuous = "cgm"
  }

  /// What was measured in.
  ///
  /// - Source: Bluetooth Glucose Service 1.0.1, section 3.1.1.6, "Type" of the field Type-Sample Location.
  public enum Sample: String, Hashable, Sendable, CaseIterable {
    /// Capillary whole blood.
    case capillaryWholeBlood = "capillary-whole-blood"
    /// Capillary plasma.
    case capillaryPlasma = "capillary-plasma"
    /// Venous whole blood.
    case venousWholeBlood = "venous-whole-blood"
    /// Venous plasma.
    case venousPlasma = "venous-plasma"
    /// Arterial whole blood.
    case arterialWholeBlood = "arterial-whole-blood"
    /// Arterial plasma.
    case arterialPlasma = "arterial-plasma"
    /// Whole blood of an unknown vessel.
    case undeterminedWholeBlood = "undetermined-whole-blood"
    /// Plasma of an unknown vessel.
    case undeterminedPlasma = "undetermined-plasma"
    /// The fluid between the cells, in which sensors under the skin measure.
    case interstitialFluid = "interstitial-fluid"
  }

  /// Why ``time`` may be wrong.
  public enum TimeDoubt: String, Hashable, Sendable, CaseIterable {
    /// The meter's clock did not agree with the gateway's.
    case meterClock = "meter-clock"
    /// The meter said that its clock had a fault.
    case meterFault = "meter-fault"
    /// The gateway's own clock was not trusted when the reading came.
    case gatewayClock = "gateway-clock"
    /// The time was still to come when the reading came.
    case future
  }

  /// Stable identifier; a meter's reading gets the same one however often it is fetched.
  public var id: GlucoseReadingID
  /// Whose glucose.
  public var resident: ResidentID
  /// The level, as received.
  public var level: GlucoseConcentration
  /// What it is about; nil for nothing.
  public var tag: GlucoseTag?
  /// When it was measured.
  public var time: Timestamp
  /// When the gateway learnt of it.
  public var receivedAt: Timestamp
  /// Where it came from.
  public var source: Source
  /// The meter's name or address, or who typed it in; possibly empty.
  public var origin: String
  /// Why ``time`` may be wrong; empty when nothing speaks against it. Each at most once, in the order of the type.
  public var timeDoubts: [TimeDoubt]
  /// What measured.
  public var sensor: Sensor
  /// What was measured in; nil when nobody said.
  public var sample: Sample?
  /// What the meter's clock said, as it was sent; nil where no meter measured.
  public var meterTime: MeterTime?
  /// Counts the changes, from 1; who changes a reading says which one they saw.
  public var revision: Int64

  /// Whether the time can be relied on.
  public var isTimeCertain: Bool { timeDoubts.isEmpty }

  /// A reading from its parts.
  public init(
    id: GlucoseReadingID, resident: ResidentID, level: GlucoseConcentration,
    tag: GlucoseTag? = nil, time: Timestamp, receivedAt: Timestamp, source: Source,
    origin: String = "", timeDoubts: [TimeDoubt] = [], sensor: Sensor = .fingerStick,
    sample: Sample? = nil, meterTime: MeterTime? = nil, revision: Int64 = 0
  ) {
    self.id = id
    self.resident = resident
    self.level = level
    self.tag = tag
    self.time = time
    self.receivedAt = receivedAt
    self.source = source
    self.origin = origin
    self.timeDoubts = TimeDoubt.allCases.filter { timeDoubts.contains($0) }
    self.sensor = sensor
    self.sample = sample
    self.meterTime = meterTime
    self.revision = revision
  }

  /// The reading with one more doubt about its time.
  public func doubting(_ doubt: TimeDoubt) -> GlucoseReading {
    var reading = self
    reading.timeDoubts = TimeDoubt.allCases.filter { $0 == doubt || timeDoubts.contains($0) }
    return reading
  }

  /// Earlier readings come first; of two at once, the one with the lesser id.
  public static func isEarlier(_ left: GlucoseReading, _ right: GlucoseReading) -> Bool {
    left.time != right.time ? left.time < right.time : left.id < right.id
  }
}

extension GlucoseReading: JSONCodable {
  /// Reads a reading; `id`, `resident`, `level`, `unit`, `time`, `receivedAt` and `source` are required.
  public init(json: JSONValue) throws(DecodeError) {
    let reader = try JSONReader(json)
    let unit = try reader.word("unit", as: GlucoseUnit.self)
    let digits = try reader.string("level")
    guard let level = try? GlucoseConcentration(text: digits, unit: unit) else {
      throw reader.error(.outOfRange, "level")
    }
    let tag = try reader.optionalString("tag").map { GlucoseTag(word: $0) }
    guard tag?.isWellFormed ?? true else { throw reader.error(.invalidText, "tag") }
    self.init(
      id: GlucoseReadingID(try reader.string("id")),
      resident: ResidentID(try reader.string("resident")), level: level, tag: tag,
      time: try reader.timestamp("time"), receivedAt: try reader.timestamp("receivedAt"),
      source: try reader.word("source", as: Source.self),
      origin: try reader.optionalString("origin") ?? "",
      timeDoubts: try reader.list("timeDoubts") { value throws(DecodeError) in
        guard let doubt = value.stringContent.flatMap(TimeDoubt.init(rawValue:)) else {
          throw reader.error(.unknownWord, "timeDoubts")
        }
        return doubt
      },
      sensor: try reader.optionalWord("sensor", as: Sensor.self) ?? .fingerStick,
      sample: try reader.optionalWord("sample", as: Sample.self),
      meterTime: try reader.optional("meterTime").map { value throws(DecodeError) in
        try MeterTime(json: value)
      },
      revision: try reader.optionalCount("revision") ?? 0)
  }

  /// The reading as an object; `level` is a text, so that no reader rounds it.
  public var json: JSONValue {
    .object([
      "id": .string(id.rawValue), "resident": .string(resident.rawValue),
      "level": .string(level.digits), "unit": .string(level.unit.rawValue),
      "tag": tag.map { .string($0.word) }, "time": .string(time.iso8601),
      "receivedAt": .string(receivedAt.iso8601), "source": .string(source.rawValue),
      "origin": .string(origin),
      "timeDoubts": .array(timeDoubts.map { .string($0.rawValue) }),
      "sensor": .string(sensor.rawValue), "sample": sample.map { .string($0.rawValue) },
      "meterTime": meterTime?.json,
      "revision": .integer(revision),
    ])
  }
}

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

extension Command.StoredContent {
  /// A glucose reading.
  public static func glucose(_ reading: GlucoseReading) -> Command.StoredContent {
    .reading(FeatureValue(reading))
  }
}

extension Command {
  /// The glucose reading that the request names, as the store holds it.
  public var storedReading: GlucoseReading? { storedFeature.flatMap { try? $0.value() } }
}

extension StoredState {
  /// The glucose readings that can be read, in their order.
  public var readings: [GlucoseReading] { glucoseReadings.compactMap { try? $0.value() } }
}

/// Names a glucose reading.
public typealias GlucoseReadingID = Identifier<GlucoseReading>

extension EventType {
  /// A glucose reading came in.
  public static let glucoseRecorded: EventType = "glucose.recorded"
  /// A glucose reading was changed.
  public static let glucoseCorrected: EventType = "glucose.corrected"
  /// A glucose reading was removed.
  public static let glucoseRemoved: EventType = "glucose.removed"
  /// A fresh reading lies below the resident's limit.
  public static let glucoseLow: EventType = "glucose.low"
  /// A fresh reading lies below the resident's lower limit, or below what the meter can measure.
  public static let glucoseVeryLow: EventType = "glucose.very-low"
  /// A fresh reading lies above the resident's limit, or above what the meter can measure.
  public static let glucoseHigh: EventType = "glucose.high"
  /// After a reading beyond a limit a later one lies within.
  public static let glucoseSettled: EventType = "glucose.settled"
  /// The means of a calendar month, told at the end of each day.
  public static let glucoseMonth: EventType = "glucose.month"
}

extension CommandRule {
  static let glucoseRules = [
    CommandRule("glucose.put", .changeReadings), CommandRule("glucose.remove", .changeReadings),
    CommandRule("glucose.showing", .changeReadings), CommandRule("glucose.import", .changeReadings),
  ]
}
