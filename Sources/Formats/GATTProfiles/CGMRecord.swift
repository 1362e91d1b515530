public import Bytes
public import Care
public import JSON
public import Moments

/// One record of a continuous monitor.
public struct CGMRecord: Hashable, Sendable {
  /// What makes it this record: the monitor, the session and the minute.
  public struct Identity: Hashable, Sendable {
    /// The monitor.
    public var monitor: BluetoothAddress
    /// When the session began, as sent; nil when that could not be read.
    public var sessionStart: DateTime?
    /// Minutes since then.
    public var timeOffsetMinutes: UInt16

    /// One text for one record, for programs and keys of databases.
    public var text: String {
      "\(monitor.text)/\(sessionStart.map { "\($0)" } ?? "-")/\(timeOffsetMinutes)"
    }
  }

  /// What makes it this record.
  public var identity: Identity
  /// As it came.
  public var measurement: CGMMeasurement
  /// What it means.
  public var meaning: GlucoseMeaning
  /// When the hub received it.
  public var received: Moment
  /// Whether it was stored on the monitor and fetched, rather than told as it was measured.
  public var isFromHistory: Bool
  /// When it was measured, by the session's start; nil when that is not known.
  public var utc: Timestamp?
  /// Why its time is in doubt; empty when it is not.
  public var doubts: [GlucoseTimeDoubt]
}

/// How far a continuous monitor's records have been fetched: what to remember from one connection to the next.
public struct CGMBookmark: Hashable, Sendable {
  /// So many minutes may be known ahead of a gap.
  public static let aheadLimit = 2048

  /// When the session began, as sent; nil when that could not be read.
  public internal(set) var sessionStart: DateTime?
  /// Minutes up to which nothing is missing; nil before the first record.
  public internal(set) var complete: UInt16?
  /// Later minutes that are known, in rising order.
  public private(set) var ahead: [UInt16] = []

  /// A bookmark of a monitor that nothing was fetched from.
  public init() {}

  /// Whether the record of a minute is known.
  public func knows(_ minutes: UInt16) -> Bool {
    if let complete, minutes <= complete { return true }
    return ahead.contains(minutes)
  }

  mutating func remember(_ minutes: UInt16) {
    ahead.insert(minutes, at: ahead.firstIndex { $0 > minutes } ?? ahead.endIndex)
    if ahead.count > Self.aheadLimit { ahead.removeFirst() }
  }

  /// Nothing up to the last known minute is missing.
  mutating func close() {
    complete = ahead.last ?? complete
    ahead = []
  }
}

extension CGMBookmark: JSONCodable {
  /// Reads a bookmark as engine rows hold it.
  public init(json: JSONValue) throws(DecodeError) {
    let reader = try JSONReader(json)
    if let packed = try reader.optionalInteger("sessionStart") {
      guard let bits = UInt64(exactly: packed), bits < 1 << 56 else {
        throw reader.error(.outOfRange, "sessionStart")
      }
      sessionStart = DateTime(packed: bits)
    }
    if let minutes = try reader.optionalInteger("complete") {
      complete = try Self.minutes(minutes, reader)
    }
    var known: Set<UInt16> = []
    for value in try reader.array("ahead").prefix(Self.aheadLimit) {
      guard let minutes = value.integerContent else { throw reader.error(.wrongType, "ahead") }
      known.insert(try Self.minutes(minutes, reader))
    }
    ahead = known.sorted()
  }

  /// The bookmark as engine rows hold it.
  public var json: JSONValue {
    .object([
      "sessionStart": sessionStart.map { .integer(Int64(truncatingIfNeeded: $0.packed)) },
      "complete": complete.map { .integer(Int64($0)) },
      "ahead": ahead.isEmpty ? nil : .array(ahead.map { .integer(Int64($0)) }),
    ])
  }

  private static func minutes(
    _ number: Int64, _ reader: JSONReader
  ) throws(DecodeError) -> UInt16 {
    guard let minutes = UInt16(exactly: number) else { throw reader.error(.outOfRange, "minutes") }
    return minutes
  }
}
