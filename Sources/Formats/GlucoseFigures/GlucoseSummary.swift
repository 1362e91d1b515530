public import GlucoseValues
public import JSON

/// How many readings a figure needs before it is shown. Fewer say so little that a person could be misled.
///
/// Where no publication names a number it is chosen here, on the careful side.
public enum GlucoseEnough {
  /// Readings for a standard deviation and a coefficient of variation; chosen here.
  public static let deviationCount = 10
  /// Readings for the risk indices: chosen here as two a day for fourteen days.
  public static let riskCount = 28
  /// Days with readings for the risk indices.
  public static let riskDays = 14
  /// Readings of one kind in a month before any of them is called an outlier; chosen here.
  public static let outlierCount = 10
  /// Days of a sensor for anything but counts.
  ///
  /// - Source: Battelino et al., Diabetes Care 42 (2019), table 1: 14 days.
  public static let sensorDays = 14
  /// Share of a sensor's time with readings, for anything but counts.
  ///
  /// - Source: Battelino et al., Diabetes Care 42 (2019), table 1: 70 %.
  public static let sensorCoverage = 0.7
  /// Days with readings in an hour of the day, for that hour's percentiles; chosen here.
  public static let profileDays = 7
  /// Excursions for their mean height; chosen here.
  public static let excursionCount = 5
}

/// The figures of some readings; what there is too little for is nil.
public struct GlucoseSummary: Hashable, Sendable {
  /// How many readings.
  public var count: Int
  /// Local days with at least one.
  public var dayCount: Int
  /// The mean in mg/dL; nil of nothing.
  public var mean: Double?
  /// The lowest level; nil of nothing.
  public var minimum: GlucoseConcentration?
  /// The highest level; nil of nothing.
  public var maximum: GlucoseConcentration?
  /// The sample standard deviation in mg/dL; nil of fewer than ``GlucoseEnough/deviationCount``.
  public var standardDeviation: Double?
  /// The coefficient of variation in percent; nil of fewer than ``GlucoseEnough/deviationCount``.
  public var coefficientOfVariation: Double?
  /// The low blood glucose index; nil where ``GlucoseEnough`` is not met.
  public var lowIndex: Double?
  /// The high blood glucose index; nil where ``GlucoseEnough`` is not met.
  public var highIndex: Double?

  /// The figures of readings.
  ///
  /// - Parameter dayCount: local days with at least one of them.
  public init(_ readings: some Collection<GlucoseReading>, dayCount: Int) {
    let levels = readings.map(\.level.milligramsPerDecilitre)
    count = levels.count
    self.dayCount = dayCount
    mean = GlucoseFormulas.mean(levels)
    minimum = readings.min(by: Self.isLower)?.level
    maximum = readings.max(by: Self.isLower)?.level
    if count >= GlucoseEnough.deviationCount {
      standardDeviation = GlucoseFormulas.standardDeviation(levels)
      coefficientOfVariation = GlucoseFormulas.coefficientOfVariation(levels)
    }
    if count >= GlucoseEnough.riskCount, dayCount >= GlucoseEnough.riskDays {
      lowIndex = GlucoseFormulas.lowIndex(levels)
      highIndex = GlucoseFormulas.highIndex(levels)
    }
  }

  private static func isLower(_ left: GlucoseReading, _ right: GlucoseReading) -> Bool {
    left.level.milligramsPerDecilitre < right.level.milligramsPerDecilitre
  }

  /// The figures as an object; `null` where there is too little.
  public var json: JSONValue {
    [
      "count": .integer(Int64(count)), "days": .integer(Int64(dayCount)), "meanMgPerDl": mean.json,
      "minimum": (minimum?.text()).json, "maximum": (maximum?.text()).json,
      "standardDeviationMgPerDl": standardDeviation.json,
      "coefficientOfVariationPercent": coefficientOfVariation.json, "lbgi": lowIndex.json,
      "hbgi": highIndex.json,
    ]
  }
}

/// The mean and the range of some readings.
public struct GlucoseMean: Hashable, Sendable {
  /// How many readings, at least one.
  public var count: Int
  /// Their mean in mg/dL.
  public var milligramsPerDecilitre: Double
  /// The lowest level.
  public var minimum: GlucoseConcentration
  /// The highest level.
  public var maximum: GlucoseConcentration
  /// The band of EG-6 that the mean lies in.
  public var band: GlucoseBand {
    GlucoseBand(wholeMilligramsPerDecilitre: Int(milligramsPerDecilitre.rounded()))
  }

  /// The mean of readings; nil of nothing.
  public init?(_ readings: some Collection<GlucoseReading>) {
    let summary = GlucoseSummary(readings, dayCount: 0)
    guard let mean = summary.mean, let minimum = summary.minimum, let maximum = summary.maximum
    else { return nil }
    count = summary.count
    milligramsPerDecilitre = mean
    self.minimum = minimum
    self.maximum = maximum
  }

  /// The mean as an object.
  public var json: JSONValue {
    [
      "count": .integer(Int64(count)), "meanMgPerDl": .number(milligramsPerDecilitre),
      "minimum": .string(minimum.text()), "maximum": .string(maximum.text()),
      "band": .string(band.rawValue),
    ]
  }
}

extension Double? {
  /// The number, or `null`.
  var json: JSONValue { map { .number($0) } ?? .null }
}

extension String? {
  /// The text, or `null`.
  var json: JSONValue { map { .string($0) } ?? .null }
}
