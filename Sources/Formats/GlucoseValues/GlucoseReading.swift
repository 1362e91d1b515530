public import Bytes
public import Care
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

/// Names a glucose reading.
public typealias GlucoseReadingID = Identifier<GlucoseReading>

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
