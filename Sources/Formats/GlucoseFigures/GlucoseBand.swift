public import GlucoseValues
public import JSON
public import Texts

/// The bands of EG-6, on whole mg/dL. They label an analysis and never raise an alarm.
///
/// The bands that people asked for leave 100 through 110 without a name; these are *borderline*, said openly.
public enum GlucoseBand: String, Hashable, Sendable, CaseIterable {
  /// 79 mg/dL or less.
  case low
  /// 80 through 99 mg/dL.
  case moderate
  /// 100 through 110 mg/dL, which the other bands leave out.
  case borderline
  /// More than 110 mg/dL.
  case high

  /// The band of so many whole mg/dL.
  public init(wholeMilligramsPerDecilitre level: Int) {
    switch level {
    case ...79: self = .low
    case 80...99: self = .moderate
    case 100...110: self = .borderline
    default: self = .high
    }
  }

  /// The band of a level, rounded to whole mg/dL.
  public init(_ level: GlucoseConcentration) {
    self.init(wholeMilligramsPerDecilitre: level.wholeMilligramsPerDecilitre)
  }

  /// What people read.
  public var name: Message {
    switch self {
    case .low: Message("low", context: "glucose band")
    case .moderate: Message("moderate", context: "glucose band")
    case .borderline: Message("borderline", context: "glucose band")
    case .high: Message("high", context: "glucose band")
    }
  }
}

/// The clinical ranges of glucose, each with its limits as published in either unit.
///
/// A level is judged in its own unit by that unit's limits: 10.0 mmol/L is within the target, although it is 180.156
/// mg/dL.
///
/// - Source: Battelino et al., "Clinical Targets for Continuous Glucose Monitoring Data Interpretation", Diabetes
///   Care 42 (2019), table 2.
public enum ClinicalBand: String, Hashable, Sendable, CaseIterable {
  /// Below 54 mg/dL (3.0 mmol/L).
  case veryLow = "very-low"
  /// 54 through 69 mg/dL (3.0 through 3.8 mmol/L).
  case low
  /// 70 through 180 mg/dL (3.9 through 10.0 mmol/L), both included.
  case target
  /// 181 through 250 mg/dL (10.1 through 13.9 mmol/L).
  case high
  /// Above 250 mg/dL (13.9 mmol/L).
  case veryHigh = "very-high"

  /// The band of a level.
  public init(_ level: GlucoseConcentration) { self.init(level.number, in: level.unit) }

  /// The band of a number in a unit.
  public init(_ number: Double, in unit: GlucoseUnit) {
    let limits: (veryLow: Double, low: Double, high: Double, veryHigh: Double) =
      switch unit {
      case .milligramsPerDecilitre: (54, 70, 180, 250)
      case .millimolesPerLitre: (3.0, 3.9, 10.0, 13.9)
      }
    self =
      if number < limits.veryLow {
        .veryLow
      } else if number < limits.low {
        .low
      } else if number <= limits.high {
        .target
      } else if number <= limits.veryHigh {
        .high
      } else {
        .veryHigh
      }
  }

  /// What people read.
  public var name: Message {
    switch self {
    case .veryLow: Message("very low", context: "clinical range")
    case .low: Message("low", context: "clinical range")
    case .target: Message("in range", context: "clinical range")
    case .high: Message("high", context: "clinical range")
    case .veryHigh: Message("very high", context: "clinical range")
    }
  }
}

/// How many readings lie in each band, in the order of the type; no reading is left out.
public struct BandCounts<Band: CaseIterable & RawRepresentable & Hashable & Sendable>: Hashable,
  Sendable
where Band.RawValue == String {
  private var counts: [Band: Int] = [:]

  /// Counts bands.
  public init(_ bands: some Sequence<Band>) {
    for band in bands { counts[band, default: 0] += 1 }
  }

  /// How many lie in one.
  public subscript(band: Band) -> Int { counts[band] ?? 0 }

  /// All together.
  public var total: Int { Band.allCases.reduce(0) { $0 + self[$1] } }

  /// The share of one, in percent; nil where there is nothing to divide.
  public func percent(_ band: Band) -> Double? {
    total == 0 ? nil : 100 * Double(self[band]) / Double(total)
  }

  /// The counts as an object.
  public var json: JSONValue {
    .object(
      Band.allCases.map { JSONMember(key: $0.rawValue, value: .integer(Int64(self[$0]))) })
  }
}
