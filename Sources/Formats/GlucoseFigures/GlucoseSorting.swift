public import GlucoseValues

/// Readings as a table (EG-5).
public enum GlucoseSorting {
  /// What a table of readings is sorted by.
  public enum Key: String, Hashable, Sendable, CaseIterable {
    /// When it was measured.
    case time
    /// The level, whatever its unit.
    case level
    /// The tag's word; readings without one come last.
    case tag
  }

  /// The readings as a table: those with a tag alone where one is given, sorted either way, equals by time.
  public static func table(
    _ readings: [GlucoseReading], by key: Key = .time, isAscending: Bool = true,
    tag: GlucoseTag? = nil
  ) -> [GlucoseReading] {
    let chosen = readings.filter { tag == nil || $0.tag == tag }
    return chosen.sorted { left, right in
      let order =
        switch key {
        case .time: 0
        case .level:
          compare(left.level.milligramsPerDecilitre, right.level.milligramsPerDecilitre)
        case .tag: compareTags(left.tag, right.tag, isAscending: isAscending)
        }
      if order != 0 { return (order < 0) == isAscending }
      if key != .time { return GlucoseReading.isEarlier(left, right) }
      return isAscending
        ? GlucoseReading.isEarlier(left, right) : GlucoseReading.isEarlier(right, left)
    }
  }

  private static func compare<Value: Comparable>(_ left: Value, _ right: Value) -> Int {
    left == right ? 0 : left < right ? -1 : 1
  }

  /// Readings without a tag are last, whichever way the table goes.
  private static func compareTags(
    _ left: GlucoseTag?, _ right: GlucoseTag?, isAscending: Bool
  ) -> Int {
    let last = isAscending ? 1 : -1
    switch (left, right) {
    case (nil, nil): return 0
    case (nil, _): return last
    case (_, nil): return -last
    case (let left?, let right?): return compare(left.word, right.word)
    }
  }
}
