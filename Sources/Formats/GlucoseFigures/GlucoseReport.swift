public import CivilTime
public import GlucoseValues
public import JSON
public import Moments
public import Texts

/// All that a collection of readings says (EG-6), for a screen, a page for the doctor, or `homeward glucose analyse`.
///
/// Readings from strips and from sensors are never mixed. A reading of doubtful time is counted in
/// ``doubtfulCount`` and nowhere else.
public struct GlucoseReport: Hashable, Sendable {
  /// Readings whose time is doubtful; no figure counts them.
  public var doubtfulCount: Int
  /// The figures of strips and of readings typed in; nil without any.
  public var fingerSticks: FingerSticks?
  /// The figures of a sensor; nil without any.
  public var sensor: SensorSummary?

  /// What strips say.
  public struct FingerSticks: Hashable, Sendable {
    /// The figures of all.
    public var summary: GlucoseSummary
    /// How many lie in the bands of EG-6.
    public var bands: BandCounts<GlucoseBand>
    /// How many lie in the clinical ranges.
    public var clinicalBands: BandCounts<ClinicalBand>
    /// The means of each calendar month, earliest first.
    public var months: [GlucoseMonth]
    /// What lies far from the others, by time.
    public var outliers: [GlucoseOutlier]
  }

  /// Reckons a report.
  ///
  /// - Parameters:
  ///   - readings: of one resident, in any order.
  ///   - zone: where the resident lives.
  ///   - now: readings later than this are doubtful.
  public init(_ readings: [GlucoseReading], in zone: CivilTimeZone, at now: Timestamp) {
    let certain = readings.filter { $0.isTimeCertain && $0.time <= now }
      .sorted(by: GlucoseReading.isEarlier)
    doubtfulCount = readings.count - certain.count
    let sticks = certain.filter { $0.sensor == .fingerStick }
    if !sticks.isEmpty {
      let days = Set(sticks.map { zone.local(at: $0.time).civil.daysSinceEpoch })
      fingerSticks = FingerSticks(
        summary: GlucoseSummary(sticks, dayCount: days.count),
        bands: BandCounts(sticks.map { GlucoseBand($0.level) }),
        clinicalBands: BandCounts(sticks.map { ClinicalBand($0.level) }),
        months: GlucoseMonth.months(of: sticks, in: zone, at: now),
        outliers: GlucoseOutlier.find(in: sticks, zone: zone))
    }
    sensor = SensorSummary(certain.filter { $0.sensor == .continuous }, in: zone)
  }

  /// What is left out and why, in plain sentences; empty when everything could be said.
  public var remarks: [Message] {
    var remarks: [Message] = []
    if doubtfulCount > 0 {
      remarks.append(
        Message(
          "{n} reading has a doubtful time and is not counted. Look at its date.",
          plural: "{n} readings have a doubtful time and are not counted. Look at their dates.",
          doubtfulCount))
    }
    if let summary = fingerSticks?.summary {
      if summary.standardDeviation == nil {
        remarks.append(
          Message(
            "Fewer than {n} readings: too few to say how much they vary.",
            ["n": GlucoseEnough.deviationCount]))
      }
      if summary.lowIndex == nil {
        remarks.append(
          Message(
            "The risk indices need {n} readings on {days} days or more.",
            ["n": GlucoseEnough.riskCount, "days": GlucoseEnough.riskDays]))
      }
    }
    if let shortage = sensor?.shortage { remarks.append(shortage.message) }
    if let sensor, sensor.shortage == nil, sensor.meanExcursion == nil {
      remarks.append(
        Message(
          "Fewer than {n} large rises and falls: too few for their mean.",
          ["n": GlucoseEnough.excursionCount]))
    }
    return remarks
  }

  /// The report as an object.
  public var json: JSONValue {
    [
      "doubtful": .integer(Int64(doubtfulCount)),
      "fingerSticks": fingerSticks.map { sticks in
        [
          "summary": sticks.summary.json, "bands": sticks.bands.json,
          "clinicalBands": sticks.clinicalBands.json,
          "months": .array(sticks.months.map(\.json)),
          "outliers": .array(sticks.outliers.map(\.json)),
        ]
      } ?? .null,
      "sensor": sensor?.json ?? .null,
      "remarks": .array(remarks.map { .string($0.text(in: .en)) }),
    ]
  }
}
