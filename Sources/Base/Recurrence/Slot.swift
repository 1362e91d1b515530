public import CivilTime
public import Moments

/// One time at which a schedule is due.
public struct Slot: Hashable, Sendable {
  /// The local time as the schedule says it, also where the clock jumps over it.
  public var local: CivilDateTime
  /// The moment that is meant.
  public var instant: Timestamp
  /// Whether the clock shows the local time once, never or twice.
  public var resolution: LocalTimeResolution

  /// A slot from its parts.
  public init(local: CivilDateTime, instant: Timestamp, resolution: LocalTimeResolution) {
    self.local = local
    self.instant = instant
    self.resolution = resolution
  }

  /// The slot's name, unique within its schedule: the local time, such as `2026-03-29T02:30`, with seconds where there
  /// are some.
  ///
  /// It does not depend on the zone's rules, so that it stays the same when those change.
  public var key: String {
    let text = local.localText
    return local.second == 0 ? String(text.dropLast(3)) : text
  }
}
