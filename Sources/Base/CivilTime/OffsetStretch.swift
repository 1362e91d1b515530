public import Moments

/// A stretch of time during which a zone's distance from UTC does not change.
public struct OffsetStretch: Hashable, Sendable {
  /// Its first second since the Unix epoch; `Int64.min` where it has no beginning.
  public var startSeconds: Int64
  /// The second at which the next stretch begins; `Int64.max` where it has no end.
  public var endSeconds: Int64
  /// Seconds east of UTC; negative to the west.
  public var offsetSeconds: Int
}

extension CivilTimeZone {
  /// The stretch around a moment, ended by the nearest entries of the zone's file or rule.
  ///
  /// An entry that changes only the abbreviation ends a stretch too.
  public func stretch(at moment: Timestamp) -> OffsetStretch {
    let time = moment.milliseconds.flooredSeconds
    let count = transitionCount(through: time)
    let previous = count == 0 ? nil : transitions[count - 1]
    if count == transitions.count, let rule {
      return rule.stretch(at: time, from: previous?.time ?? .min)
    }
    return OffsetStretch(
      startSeconds: previous?.time ?? .min,
      endSeconds: count < transitions.count ? transitions[count].time : .max,
      offsetSeconds: (previous?.type ?? initialType).offsetSeconds)
  }

  /// The smallest and the largest offset that hold anywhere between two moments some days apart, in seconds.
  ///
  /// - Parameter end: not before `start`; counts as `start` otherwise.
  public func offsets(from start: Timestamp, through end: Timestamp) -> ClosedRange<Int> {
    let lower = start.milliseconds.flooredSeconds
    let upper = max(lower, end.milliseconds.flooredSeconds)
    let first = type(at: lower).offsetSeconds
    var range = first...first
    for transition in transitions(after: lower, through: upper) {
      let offset = transition.type.offsetSeconds
      range = min(range.lowerBound, offset)...max(range.upperBound, offset)
    }
    return range
  }
}

extension PosixTimeZoneRule {
  /// The stretch around a second at or after `beginning`, from which on the rule speaks.
  fileprivate func stretch(at time: Int64, from beginning: Int64) -> OffsetStretch {
    guard daylightSaving != nil else {
      return OffsetStretch(
        startSeconds: beginning, endSeconds: .max, offsetSeconds: standard.offsetSeconds)
    }
    let year = Self.year(of: time)
    let around = transitions(ofYears: year - 1...year + 1)
    let previous = around.last { $0.time <= time }
    return OffsetStretch(
      startSeconds: max(beginning, previous?.time ?? .min),
      endSeconds: around.first { $0.time > time }?.time ?? .max,
      offsetSeconds: (previous?.type ?? standard).offsetSeconds)
  }
}
