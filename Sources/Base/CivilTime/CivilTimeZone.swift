public import Moments

/// The rules of one time zone: from UTC to local time and back.
///
/// A pure value made from the bytes of a time-zone file; the same bytes give the same answers on every machine.
///
/// - Source: RFC 9636 (TZif), section 3.2; RFC 5545, section 3.3.5 for local times that do not exist or exist twice.
public struct CivilTimeZone: Hashable, Sendable {
  /// One change of local time, in whole seconds since the Unix epoch, and what holds from then on.
  struct Transition: Hashable, Sendable {
    var time: Int64
    var type: LocalTimeType
  }

  /// The name that the zone was asked for by, such as `Europe/Madrid`.
  public let name: String
  /// What holds before the first transition.
  let initialType: LocalTimeType
  /// The file's own transitions, ascending.
  let transitions: [Transition]
  /// What holds from the last transition on; nil when the last transition's type holds for ever.
  let rule: PosixTimeZoneRule?

  init(
    name: String, initialType: LocalTimeType, transitions: [Transition], rule: PosixTimeZoneRule?
  ) {
    self.name = name
    self.initialType = initialType
    self.rule = rule
    self.transitions = Self.joined(transitions, with: rule)
  }

  /// Coordinated Universal Time.
  public static let utc = CivilTimeZone(
    name: "UTC",
    initialType: LocalTimeType(offsetSeconds: 0, isDaylightSaving: false, abbreviation: "UTC"),
    transitions: [], rule: nil)

  /// The rule speaks from the last transition on, also where a damaged file says something else there.
  private static func joined(
    _ transitions: [Transition], with rule: PosixTimeZoneRule?
  ) -> [Transition] {
    guard let rule, let last = transitions.last else { return transitions }
    let type = rule.type(at: last.time)
    return transitions.dropLast() + [Transition(time: last.time, type: type)]
  }
}

// MARK: From UTC to local time

/// A moment as the clock on the wall shows it.
public struct LocalTime: Hashable, Sendable {
  /// Date and time of day.
  public var civil: CivilDateTime
  /// Seconds east of UTC; negative to the west.
  public var offsetSeconds: Int
  /// The zone's abbreviation then, such as `CEST`.
  public var abbreviation: String
  /// Whether the zone calls this daylight saving time.
  public var isDaylightSaving: Bool
}

extension CivilTimeZone {
  /// The local time at a moment.
  public func local(at moment: Timestamp) -> LocalTime {
    let type = type(at: moment.milliseconds.flooredSeconds)
    let shifted = moment.advanced(byMilliseconds: Int64(type.offsetSeconds) * 1000)
    return LocalTime(
      civil: CivilDateTime(utc: shifted), offsetSeconds: type.offsetSeconds,
      abbreviation: type.abbreviation, isDaylightSaving: type.isDaylightSaving)
  }

  /// What holds at a second since the Unix epoch.
  func type(at time: Int64) -> LocalTimeType {
    if let rule, time >= transitions.last?.time ?? .min { return rule.type(at: time) }
    let index = transitionCount(through: time)
    return index == 0 ? initialType : transitions[index - 1].type
  }

  /// How many of the file's transitions happened up to `time`, `time` included.
  func transitionCount(through time: Int64) -> Int {
    var low = 0
    var high = transitions.count
    while low < high {
      let middle = (low + high) / 2
      if transitions[middle].time <= time { low = middle + 1 } else { high = middle }
    }
    return low
  }
}

// MARK: From local time to UTC

/// Whether a local time exists once, never or twice.
public enum LocalTimeResolution: String, Hashable, Sendable, CaseIterable {
  /// It happens exactly once.
  case unique
  /// The clock jumps over it; it is read with the offset before the gap (02:30 becomes 03:30).
  case gap
  /// The clock shows it more than once; the first is meant.
  case ambiguous
}

/// The moment that a local time means, and how it was found.
public struct ResolvedInstant: Hashable, Sendable {
  /// The moment.
  public var instant: Timestamp
  /// Whether the local time exists once, never or twice.
  public var resolution: LocalTimeResolution
}

extension CivilTimeZone {
  /// The moment that a local time means; see ``resolve(_:)``.
  public func instant(of local: CivilDateTime) -> Timestamp { resolve(local).instant }

  /// The moment that a local time means by RFC 5545: in a gap the offset before it, of two the first.
  ///
  /// Parts beyond a million, and months outside 1 through 12, are clamped; a day, hour, minute or second beyond its
  /// range carries over into the next larger part.
  public func resolve(_ local: CivilDateTime) -> ResolvedInstant {
    let wall = local.clamped.asUTC.milliseconds
    let seconds = wall.flooredSeconds
    var resolved = resolve(wallSeconds: seconds)
    resolved.instant = resolved.instant.advanced(byMilliseconds: wall - seconds * 1000)
    return resolved
  }

  /// As ``resolve(_:)``, of a local time given in seconds since 1970-01-01T00:00:00 as if it were UTC.
  ///
  /// For who reckons with many local times; far beyond a million years the time is clamped.
  public func resolve(wallSeconds: Int64) -> ResolvedInstant {
    let limit: Int64 = 100_000_000_000_000
    let wall = min(max(wallSeconds, -limit), limit)
    let found = offset(ofWallSeconds: wall)
    return ResolvedInstant(
      instant: .seconds(wall - Int64(found.offsetSeconds)), resolution: found.resolution)
  }

  /// The offset that a wall time, in seconds as if it were UTC, is to be read with.
  private func offset(
    ofWallSeconds wall: Int64
  ) -> (offsetSeconds: Int, resolution: LocalTimeResolution) {
    let span = 2 * Int64(LocalTimeType.largestOffsetSeconds)
    let nearby = transitions(after: wall - span, through: wall + span)
    var start = Int64.min
    var offset = type(at: wall - span).offsetSeconds
    var matches: [Int] = []
    var beforeGap: Int?
    for next in nearby + [Transition(time: .max, type: initialType)] {
      let instant = wall - Int64(offset)
      if instant >= start, instant < next.time { matches.append(offset) }
      if instant >= next.time, wall - Int64(next.type.offsetSeconds) < next.time {
        beforeGap = beforeGap ?? offset
      }
      start = next.time
      offset = next.type.offsetSeconds
    }
    if let first = matches.first { return (first, matches.count == 1 ? .unique : .ambiguous) }
    return (beforeGap ?? offset, .gap)
  }

  /// All transitions in a span of seconds, those of the rule included, ascending.
  func transitions(after lower: Int64, through upper: Int64) -> ArraySlice<Transition> {
    let listed = transitions[transitionCount(through: lower)..<transitionCount(through: upper)]
    guard let rule, upper > transitions.last?.time ?? .min else { return listed }
    let ruled = rule.transitions(after: max(lower, transitions.last?.time ?? .min), through: upper)
    return listed + ruled
  }
}

extension CivilDateTime {
  fileprivate var clamped: CivilDateTime {
    let limit = -1_000_000...1_000_000
    return CivilDateTime(
      year: year.clamped(to: limit), month: month.clamped(to: 1...12), day: day.clamped(to: limit),
      hour: hour.clamped(to: limit), minute: minute.clamped(to: limit),
      second: second.clamped(to: limit), millisecond: millisecond.clamped(to: limit))
  }
}

extension Int {
  fileprivate func clamped(to range: ClosedRange<Int>) -> Int {
    Swift.min(Swift.max(self, range.lowerBound), range.upperBound)
  }
}

extension Int64 {
  /// Milliseconds as whole seconds, rounded towards the past.
  var flooredSeconds: Int64 {
    let (quotient, remainder) = quotientAndRemainder(dividingBy: 1000)
    return remainder < 0 ? quotient - 1 : quotient
  }
}
