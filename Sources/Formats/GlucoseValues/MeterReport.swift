public import Bytes
public import Care
public import JSON
public import Moments

/// What a meter's own clock said about a reading, kept as it was sent.
public struct MeterTime: Hashable, Sendable {
  /// The base time, as sent: `2024-01-30T05:58:27`.
  public var base: String
  /// Minutes that the meter adds to the base time for its user; nil when it sent none.
  public var offsetMinutes: Int64?
  /// Seconds that the meter's clock was ahead of the gateway's when the reading was fetched; nil when not known.
  public var aheadSeconds: Int64?

  /// A time from its parts.
  public init(base: String, offsetMinutes: Int64? = nil, aheadSeconds: Int64? = nil) {
    self.base = base
    self.offsetMinutes = offsetMinutes
    self.aheadSeconds = aheadSeconds
  }
}

extension MeterTime: JSONCodable {
  /// Reads a time; only `base` is required.
  public init(json: JSONValue) throws(DecodeError) {
    let reader = try JSONReader(json)
    self.init(
      base: try reader.string("base"), offsetMinutes: try reader.optionalInteger("offsetMinutes"),
      aheadSeconds: try reader.optionalInteger("aheadSeconds"))
  }

  /// The time as an object.
  public var json: JSONValue {
    .object([
      "base": .string(base), "offsetMinutes": offsetMinutes.map { .integer($0) },
      "aheadSeconds": aheadSeconds.map { .integer($0) },
    ])
  }
}

/// What was fetched from a meter, and how far: both are stored together, so that nothing is lost and nothing comes twice.
public struct MeterReport: Hashable, Sendable {
  /// `HI` or `LO` that the meter showed instead of a number.
  public struct BeyondRange: Hashable, Sendable {
    /// Which end of the meter's range.
    public var end: GlucoseLevelFault.End
    /// When it was measured.
    public var time: Timestamp

    /// A showing from its parts.
    public init(end: GlucoseLevelFault.End, time: Timestamp) {
      self.end = end
      self.time = time
    }
  }

  /// The meter.
  public var meter: BluetoothAddress
  /// Its readings, the oldest first; whose they are follows from the meter.
  public var readings: [GlucoseReading]
  /// What it could not measure.
  public var beyondRange: [BeyondRange]
  /// How far its records have been fetched now, as its collector wrote it.
  public var bookmark: JSONValue

  /// A report from its parts.
  public init(
    meter: BluetoothAddress, readings: [GlucoseReading] = [], beyondRange: [BeyondRange] = [],
    bookmark: JSONValue
  ) {
    self.meter = meter
    self.readings = readings
    self.beyondRange = beyondRange
    self.bookmark = bookmark
  }
}

extension MeterReport: JSONCodable {
  /// Reads a report.
  public init(json: JSONValue) throws(DecodeError) {
    let reader = try JSONReader(json)
    self.init(
      meter: try reader.bluetoothAddress("meter"),
      readings: try reader.list("readings") { value throws(DecodeError) in
        try GlucoseReading(json: value)
      },
      beyondRange: try reader.list("beyondRange") { value throws(DecodeError) in
        let part = try JSONReader(value)
        return BeyondRange(
          end: try part.word("end", as: GlucoseLevelFault.End.self),
          time: try part.timestamp("time"))
      }, bookmark: try reader.required("bookmark"))
  }

  /// The report as an object.
  public var json: JSONValue {
    [
      "meter": .string(meter.written), "readings": .array(readings.map(\.json)),
      "beyondRange": .array(
        beyondRange.map {
          ["end": .string($0.end.rawValue), "time": .string($0.time.iso8601)]
        }), "bookmark": bookmark,
    ]
  }
}

extension Observation {
  /// Readings were fetched from a meter.
  public static func meter(_ report: MeterReport) -> Observation { .meter(FeatureValue(report)) }
}
