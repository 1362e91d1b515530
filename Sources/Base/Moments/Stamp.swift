public import Bytes
public import JSON

/// A moment that engine state remembers, so that durations survive restarts.
///
/// Within one boot durations come from ticks alone. A stamp of another boot is moved onto this boot's ticks through UTC,
/// which is possible only when a trusted clock labelled both ends; until then it counts as estimated.
public struct Stamp: Hashable, Sendable {
  /// On the tick line of the running boot; may be negative for moments before it.
  public var tick: Tick
  /// The label in UTC.
  public var utc: Timestamp
  /// What vouches for ``utc``.
  public var quality: TimeQuality
  /// Whether ``tick`` is only the latest that it can be.
  public var isEstimated = false

  /// The stamp of a moment of this boot.
  public init(_ moment: Moment) {
    tick = moment.tick
    utc = moment.utc
    quality = moment.quality
  }

  /// Milliseconds from this stamp to `now`, never negative.
  public func age(at now: Moment) -> Int64 { max(0, now.tick.milliseconds(since: tick)) }

  /// The tick so many seconds after this stamp.
  public func tick(after seconds: Int64) -> Tick {
    tick.advanced(byMilliseconds: seconds.multipliedClamped(by: 1000))
  }

  /// Moves a stamp of another boot onto the tick line of `now`.
  ///
  /// Without trust on both sides the time that has passed is unknown and counts from now on.
  public mutating func rebase(to now: Moment) {
    tick = now.tick
    isEstimated = true
    placeByUTC(at: now)
  }

  /// Uses new trust in the clock: estimated stamps find their tick, untrusted labels are corrected.
  public mutating func refine(at now: Moment) {
    guard now.quality.isTrusted else { return }
    if isEstimated { return placeByUTC(at: now) }
    guard !quality.isTrusted else { return }
    utc = now.utc.advanced(byMilliseconds: -age(at: now))
    quality = now.quality
  }

  private mutating func placeByUTC(at now: Moment) {
    guard now.quality.isTrusted, quality.isTrusted else { return }
    let passed = max(0, now.utc.milliseconds(since: utc))
    tick = now.tick.advanced(byMilliseconds: passed > 0 ? -passed : 0)
    isEstimated = false
  }
}

extension Stamp: JSONCodable {
  /// Reads a stamp as engine rows hold it.
  public init(json: JSONValue) throws(DecodeError) {
    let reader = try JSONReader(json)
    tick = Tick(nanoseconds: try reader.integer("tick"))
    utc = Timestamp(milliseconds: try reader.integer("utc"))
    quality = try reader.word("quality", as: TimeQuality.self)
    isEstimated = try reader.optionalBool("estimated") ?? false
  }

  /// The stamp as engine rows hold it; `tick` belongs to the boot that the row names.
  public var json: JSONValue {
    .object([
      "tick": .integer(tick.nanoseconds), "utc": .integer(utc.milliseconds),
      "quality": .string(quality.rawValue), "estimated": isEstimated ? .bool(true) : nil,
    ])
  }
}

extension JSONReader {
  /// The member as a stamp, or nil when it is missing.
  public func optionalStamp(_ name: String) throws(DecodeError) -> Stamp? {
    guard let found = optional(name) else { return nil }
    return try Stamp(json: found)
  }

  /// The member as a stamp.
  public func stamp(_ name: String) throws(DecodeError) -> Stamp {
    try Stamp(json: required(name))
  }
}

extension Int64 {
  /// The product, or the nearest representable number.
  public func multipliedClamped(by factor: Int64) -> Int64 {
    let (product, overflows) = multipliedReportingOverflow(by: factor)
    if !overflows { return product }
    return (self < 0) == (factor < 0) ? .max : .min
  }
}
