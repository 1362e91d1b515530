public import CivilTime
public import GlucoseValues
public import JSON
import Moments
public import Texts

/// What the readings of a sensor under the skin say, as far as there are enough of them.
///
/// Readings count once per ``intervalSeconds``, so that a sensor that repeats itself weighs no more than one that does
/// not.
public struct SensorSummary: Hashable, Sendable {
  /// Readings that counted.
  public var count: Int
  /// Seconds between two readings, from the readings themselves: 60, 300 or 900 most of the time.
  public var intervalSeconds: Int64
  /// Local days from the first reading to the last, both included.
  public var dayCount: Int
  /// Share of that time with readings, 0 through 1.
  public var coverage: Double
  /// What there is too little of; nil when there is enough, and then the rest is not nil.
  public var shortage: Shortage?
  /// Shares of the clinical ranges, in percent of readings.
  public var bands: BandCounts<ClinicalBand>?
  /// The mean in mg/dL.
  public var mean: Double?
  /// The glucose management indicator in percent.
  public var managementIndicator: Double?
  /// The coefficient of variation in percent.
  public var coefficientOfVariation: Double?
  /// The mean height of excursions higher than one standard deviation, in mg/dL; nil of too few excursions.
  ///
  /// - Source: Service et al., "Mean amplitude of glycemic excursions", Diabetes 19 (1970).
  public var meanExcursion: Double?
  /// Percentiles by the hour of the local day; hours with too few days have none.
  public var profile: [HourProfile]

  /// Why nothing but counts is shown.
  public enum Shortage: String, Hashable, Sendable, CaseIterable {
    /// Fewer than 14 days.
    case days
    /// Less than 70 % of the time.
    case coverage

    /// What people read.
    public var message: Message {
      switch self {
      case .days:
        Message(
          "The sensor has fewer than {days} days of readings: too few to say more.",
          ["days": GlucoseEnough.sensorDays])
      case .coverage:
        Message(
          "The sensor has readings for less than {percent} % of the time: too few to say more.",
          ["percent": Int((GlucoseEnough.sensorCoverage * 100).rounded())])
      }
    }
  }

  /// Percentiles of one hour of the day, in mg/dL (ambulatory glucose profile).
  public struct HourProfile: Hashable, Sendable {
    /// The percentiles that a profile shows.
    public static let percents = [5.0, 25, 50, 75, 95]
    /// 0 through 23.
    public var hour: Int
    /// Local days with readings in the hour.
    public var dayCount: Int
    /// One for each of ``percents``.
    public var percentiles: [Double]
  }

  /// Summarises a sensor's readings.
  ///
  /// - Parameter readings: of certain time, by time.
  /// - Returns: nil without readings.
  public init?(_ readings: [GlucoseReading], in zone: CivilTimeZone) {
    intervalSeconds = Self.interval(readings)
    let kept = Self.oncePerInterval(readings, seconds: intervalSeconds)
    guard let first = kept.first, let last = kept.last else { return nil }
    count = kept.count
    let days =
      zone.local(at: last.time).civil.daysSinceEpoch
      - zone.local(at: first.time).civil.daysSinceEpoch + 1
    dayCount = Int(clamping: days)
    let slots = last.time.milliseconds(since: first.time) / (intervalSeconds * 1000) + 1
    coverage = min(1, Double(kept.count) / Double(max(1, slots)))
    profile = []
    let span = last.time.milliseconds(since: first.time) + intervalSeconds * 1000
    if span < Int64(GlucoseEnough.sensorDays) * 86_400_000 {
      shortage = .days
    } else if coverage < GlucoseEnough.sensorCoverage {
      shortage = .coverage
    } else {
      fill(kept, zone)
    }
  }

  private mutating func fill(_ readings: [GlucoseReading], _ zone: CivilTimeZone) {
    let levels = readings.map(\.level.milligramsPerDecilitre)
    bands = BandCounts(readings.map { ClinicalBand($0.level) })
    mean = GlucoseFormulas.mean(levels)
    managementIndicator = GlucoseFormulas.managementIndicator(levels)
    coefficientOfVariation = GlucoseFormulas.coefficientOfVariation(levels)
    meanExcursion = Self.meanExcursion(
      readings, threshold: GlucoseFormulas.standardDeviation(levels) ?? 0)
    profile = Self.profile(readings, zone)
  }

  /// The usual distance of neighbours, 60 through 900 seconds.
  private static func interval(_ readings: [GlucoseReading]) -> Int64 {
    let distances = zip(readings, readings.dropFirst())
      .map { $1.time.milliseconds(since: $0.time) / 1000 }.filter { $0 > 0 }.sorted()
    guard !distances.isEmpty else { return 300 }
    let median = distances[distances.count / 2]
    return min(max((median + 30) / 60 * 60, 60), 900)
  }

  private static func oncePerInterval(
    _ readings: [GlucoseReading], seconds: Int64
  ) -> [GlucoseReading] {
    var kept: [GlucoseReading] = []
    for reading in readings {
      // Sensors are some seconds early or late: half an interval tells one reading from the next.
      if let last = kept.last, reading.time.milliseconds(since: last.time) < seconds * 500 {
        continue
      }
      kept.append(reading)
    }
    return kept
  }

  /// Stretches without a reading for longer than this end an excursion unseen, in milliseconds.
  private static let longestGapMilliseconds: Int64 = 45 * 60_000

  private static func meanExcursion(_ readings: [GlucoseReading], threshold: Double) -> Double? {
    guard threshold > 0 else { return nil }
    var heights: [Double] = []
    var stretch: [Double] = []
    var previous: Timestamp?
    for reading in readings {
      if let previous, reading.time.milliseconds(since: previous) > longestGapMilliseconds {
        heights += GlucoseFormulas.excursions(stretch, above: threshold)
        stretch = []
      }
      stretch.append(reading.level.milligramsPerDecilitre)
      previous = reading.time
    }
    heights += GlucoseFormulas.excursions(stretch, above: threshold)
    return heights.count < GlucoseEnough.excursionCount ? nil : GlucoseFormulas.mean(heights)
  }

  private static func profile(
    _ readings: [GlucoseReading], _ zone: CivilTimeZone
  ) -> [HourProfile] {
    var levels = [[Double]](repeating: [], count: 24)
    var days = [Set<Int64>](repeating: [], count: 24)
    for reading in readings {
      let local = zone.local(at: reading.time).civil
      levels[local.hour].append(reading.level.milligramsPerDecilitre)
      days[local.hour].insert(local.daysSinceEpoch)
    }
    return (0..<24).compactMap { hour in
      guard days[hour].count >= GlucoseEnough.profileDays else { return nil }
      let sorted = levels[hour].sorted()
      return HourProfile(
        hour: hour, dayCount: days[hour].count,
        percentiles: HourProfile.percents.compactMap {
          GlucoseFormulas.percentile($0, ofSorted: sorted)
        })
    }
  }

  /// The summary as an object; `null` where there is too little.
  public var json: JSONValue {
    [
      "count": .integer(Int64(count)), "intervalSeconds": .integer(intervalSeconds),
      "days": .integer(Int64(dayCount)), "coverage": .number(coverage),
      "shortage": (shortage?.rawValue).json, "bands": bands?.json ?? .null,
      "timeInRangePercent": (bands?.percent(.target)).json, "meanMgPerDl": mean.json,
      "gmiPercent": managementIndicator.json,
      "coefficientOfVariationPercent": coefficientOfVariation.json,
      "mageMgPerDl": meanExcursion.json,
      "profile": .array(
        profile.map { hour in
          [
            "hour": .integer(Int64(hour.hour)), "days": .integer(Int64(hour.dayCount)),
            "percentilesMgPerDl": .array(hour.percentiles.map { .number($0) }),
          ]
        }),
    ]
  }
}
