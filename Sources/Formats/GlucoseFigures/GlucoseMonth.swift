public import CivilTime
public import GlucoseValues
public import JSON
public import Moments

/// A month of the calendar where the resident lives.
public struct CalendarMonth: Hashable, Comparable, Sendable, CustomStringConvertible {
  /// The year.
  public var year: Int
  /// 1 through 12.
  public var month: Int

  /// A month.
  public init(year: Int, month: Int) {
    self.year = year
    self.month = month
  }

  /// The month of a local date.
  public init(_ date: CivilDateTime) { self.init(year: date.year, month: date.month) }

  /// Earlier months come first.
  public static func < (left: CalendarMonth, right: CalendarMonth) -> Bool {
    (left.year, left.month) < (right.year, right.month)
  }

  /// The month after this one.
  public var next: CalendarMonth {
    month < 12
      ? CalendarMonth(year: year, month: month + 1) : CalendarMonth(year: year + 1, month: 1)
  }

  /// When the month begins where the zone holds.
  public func start(in zone: CivilTimeZone) -> Timestamp {
    zone.instant(of: CivilDateTime(year: year, month: month, day: 1))
  }

  /// The month as `2026-11`.
  public var description: String {
    String(CivilDateTime(year: year, month: month, day: 1).iso8601Date.dropLast(3))
  }

  /// Reads `2026-11`; nil for any other text.
  public init?(text: String) {
    guard let date = try? CivilDateTime(localText: "\(text)-01T00:00") else { return nil }
    self.init(date)
  }
}

/// The means of a calendar month (EG-6): all readings, those before and those after meals.
public struct GlucoseMonth: Hashable, Sendable {
  /// Which month.
  public var month: CalendarMonth
  /// Whether it was over when this was reckoned; the current month goes up to that day.
  public var isOver: Bool
  /// The mean of all; nil where there is nothing.
  public var all: GlucoseMean?
  /// The mean of readings with a tag before a meal; nil where there is nothing.
  public var beforeMeals: GlucoseMean?
  /// The mean of readings with a tag after a meal; nil where there is nothing.
  public var afterMeals: GlucoseMean?

  /// The means of the readings of one month.
  public init(
    _ month: CalendarMonth, isOver: Bool, readings: some Collection<GlucoseReading>
  ) {
    self.month = month
    self.isOver = isOver
    all = GlucoseMean(readings)
    beforeMeals = GlucoseMean(readings.filter { $0.tag?.mealRelation == .before })
    afterMeals = GlucoseMean(readings.filter { $0.tag?.mealRelation == .after })
  }

  /// Every month from the first reading's to the last one's, also those without readings between them, and the current
  /// one. Months after `now` have none: readings that are still to come are doubtful and not counted.
  ///
  /// - Parameter readings: of certain time, in any order.
  public static func months(
    of readings: [GlucoseReading], in zone: CivilTimeZone, at now: Timestamp
  ) -> [GlucoseMonth] {
    let byMonth = Dictionary(grouping: readings) { CalendarMonth(zone.local(at: $0.time).civil) }
    let current = CalendarMonth(zone.local(at: now).civil)
    guard var month = byMonth.keys.min() else { return [] }
    var months: [GlucoseMonth] = []
    // A life has fewer months; a clock that says otherwise must not fill the memory.
    while month <= current, months.count < 1800 {
      months.append(
        GlucoseMonth(month, isOver: month < current, readings: byMonth[month] ?? []))
      month = month.next
    }
    return months
  }

  /// The month as an object; `null` where there is nothing.
  public var json: JSONValue {
    [
      "month": .string(month.description), "isOver": .bool(isOver),
      "all": all?.json ?? .null, "beforeMeals": beforeMeals?.json ?? .null,
      "afterMeals": afterMeals?.json ?? .null,
    ]
  }
}

/// A reading that lies far from others of its kind (EG-6).
///
/// The rule: within one calendar month, and for readings before and after meals separately, a reading is an outlier
/// that lies more than two standard deviations and at least 20 mg/dL from the mean of its kind. With fewer than
/// ``GlucoseEnough/outlierCount`` readings of a kind in the month none is judged. Readings without a side of a meal are
/// never judged.
public struct GlucoseOutlier: Hashable, Sendable {
  /// Standard deviations beyond which a reading is one.
  public static let deviations = 2.0
  /// The least distance from the mean in mg/dL, so that very even readings have none.
  public static let leastMilligramsPerDecilitre = 20.0

  /// The reading.
  public var reading: GlucoseReading
  /// Which mean it was judged against.
  public var relation: GlucoseTag.MealRelation
  /// That mean in mg/dL.
  public var mean: Double
  /// The local date and time.
  public var local: CivilDateTime

  /// The outliers among readings, by time.
  ///
  /// - Parameter readings: of certain time, in any order.
  public static func find(
    in readings: [GlucoseReading], zone: CivilTimeZone
  ) -> [GlucoseOutlier] {
    var groups: [CalendarMonth: [GlucoseTag.MealRelation: [GlucoseReading]]] = [:]
    for reading in readings {
      guard let relation = reading.tag?.mealRelation else { continue }
      let month = CalendarMonth(zone.local(at: reading.time).civil)
      groups[month, default: [:]][relation, default: []].append(reading)
    }
    let found = groups.values.flatMap { relations in
      relations.flatMap { outliers(of: $1, $0, zone) }
    }
    return found.sorted { GlucoseReading.isEarlier($0.reading, $1.reading) }
  }

  private static func outliers(
    of readings: [GlucoseReading], _ relation: GlucoseTag.MealRelation, _ zone: CivilTimeZone
  ) -> [GlucoseOutlier] {
    let levels = readings.map(\.level.milligramsPerDecilitre)
    guard readings.count >= GlucoseEnough.outlierCount,
      let mean = GlucoseFormulas.mean(levels),
      let deviation = GlucoseFormulas.standardDeviation(levels)
    else { return [] }
    let limit = max(deviations * deviation, leastMilligramsPerDecilitre)
    return readings.compactMap { reading in
      let distance = abs(reading.level.milligramsPerDecilitre - mean)
      guard distance > deviations * deviation, distance >= limit else { return nil }
      return GlucoseOutlier(
        reading: reading, relation: relation, mean: mean,
        local: zone.local(at: reading.time).civil)
    }
  }

  /// The outlier as an object.
  public var json: JSONValue {
    [
      "date": .string(local.iso8601Date), "time": .string(reading.time.iso8601),
      "level": .string(reading.level.text()), "meal": .string(relation.rawValue),
      "meanMgPerDl": .number(mean),
    ]
  }
}
