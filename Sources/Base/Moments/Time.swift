/// A reading of the monotonic clock that counts through suspend, in nanoseconds since boot.
///
/// Ticks of different boots cannot be compared; a ``BootID`` travels with every stored tick.
public struct Tick: Hashable, Comparable, Sendable {
  /// Nanoseconds since boot.
  public var nanoseconds: Int64

  /// A tick so many nanoseconds after boot.
  public init(nanoseconds: Int64) { self.nanoseconds = nanoseconds }

  /// A tick so many seconds after boot.
  public static func seconds(_ seconds: Int64) -> Tick {
    Tick(nanoseconds: seconds &* 1_000_000_000)
  }

  /// A tick so many milliseconds after boot; saturates instead of overflowing.
  public static func milliseconds(_ milliseconds: Int64) -> Tick {
    Tick(nanoseconds: 0).advanced(byMilliseconds: milliseconds)
  }

  /// Whole milliseconds since boot, as they travel outside.
  public var wholeMilliseconds: Int64 { nanoseconds / 1_000_000 }

  /// Earlier ticks come first.
  public static func < (left: Tick, right: Tick) -> Bool { left.nanoseconds < right.nanoseconds }

  /// The tick `milliseconds` later; saturates instead of overflowing.
  public func advanced(byMilliseconds milliseconds: Int64) -> Tick {
    let (product, productOverflows) = milliseconds.multipliedReportingOverflow(by: 1_000_000)
    let (sum, sumOverflows) = nanoseconds.addingReportingOverflow(product)
    if productOverflows || sumOverflows {
      return Tick(nanoseconds: milliseconds < 0 ? .min : .max)
    }
    return Tick(nanoseconds: sum)
  }

  /// The earlier of two; nil where neither is known.
  public static func soonest(_ left: Tick?, _ right: Tick?) -> Tick? {
    guard let left, let right else { return left ?? right }
    return min(left, right)
  }

  /// The earliest of those that are known; nil where none is.
  public static func soonest(_ ticks: [Tick?]) -> Tick? {
    var first: Tick?
    for tick in ticks { first = soonest(first, tick) }
    return first
  }

  /// Whole milliseconds from `earlier` to this tick; negative when `earlier` is later.
  public func milliseconds(since earlier: Tick) -> Int64 {
    let (difference, overflows) = nanoseconds.subtractingReportingOverflow(earlier.nanoseconds)
    if overflows { return nanoseconds < earlier.nanoseconds ? .min / 1_000_000 : .max / 1_000_000 }
    return difference / 1_000_000
  }
}

/// A moment in UTC, in milliseconds since 1970-01-01T00:00:00Z without leap seconds.
public struct Timestamp: Hashable, Comparable, Sendable {
  /// Milliseconds since the Unix epoch.
  public var milliseconds: Int64

  /// A moment so many milliseconds after the Unix epoch.
  public init(milliseconds: Int64) { self.milliseconds = milliseconds }

  /// A moment so many whole seconds after the Unix epoch.
  public static func seconds(_ seconds: Int64) -> Timestamp {
    Timestamp(milliseconds: seconds &* 1000)
  }

  /// Earlier moments come first.
  public static func < (left: Timestamp, right: Timestamp) -> Bool {
    left.milliseconds < right.milliseconds
  }

  /// The moment `milliseconds` later; saturates instead of overflowing.
  public func advanced(byMilliseconds milliseconds: Int64) -> Timestamp {
    let (sum, overflows) = self.milliseconds.addingReportingOverflow(milliseconds)
    return Timestamp(milliseconds: overflows ? (milliseconds < 0 ? .min : .max) : sum)
  }

  /// Milliseconds from `earlier` to this moment; saturates instead of overflowing.
  public func milliseconds(since earlier: Timestamp) -> Int64 {
    let (difference, overflows) = milliseconds.subtractingReportingOverflow(earlier.milliseconds)
    return overflows ? (milliseconds < earlier.milliseconds ? .min : .max) : difference
  }
}

/// How far the wall clock can be believed.
public enum TimeQuality: String, Hashable, Sendable, CaseIterable {
  /// Nothing has vouched for the clock since boot; nothing scheduled is judged.
  case untrusted
  /// A battery-backed clock gave a plausible time.
  case hardwareClock = "hardware-clock"
  /// Three agreeing 3D fixes later than the build date gave the time.
  case satellite
  /// The system clock is synchronised by NTP.
  case synchronised

  /// Whether schedules may be judged by this clock.
  public var isTrusted: Bool { self != .untrusted }
}

/// One reading of both clocks, the input `now` of every engine.
public struct Moment: Hashable, Sendable {
  /// Monotonic time, for durations and deadlines.
  public var tick: Tick
  /// Wall-clock time in UTC, believed as far as ``quality`` says.
  public var utc: Timestamp
  /// What vouches for ``utc``.
  public var quality: TimeQuality

  /// A reading of both clocks.
  public init(tick: Tick, utc: Timestamp, quality: TimeQuality) {
    self.tick = tick
    self.utc = utc
    self.quality = quality
  }

  /// Both clocks moved on by the same number of milliseconds.
  public func advanced(byMilliseconds milliseconds: Int64) -> Moment {
    Moment(
      tick: tick.advanced(byMilliseconds: milliseconds),
      utc: utc.advanced(byMilliseconds: milliseconds), quality: quality)
  }
}
