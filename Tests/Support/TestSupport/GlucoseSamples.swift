import Care
import CivilTime
public import GlucoseValues
public import Moments

/// Readings of glucose for tests, of a resident in UTC unless a test says otherwise.
public enum GlucoseSamples {
  /// When the first of them is.
  public static let start = CivilDateTime(year: 2026, month: 11, day: 1).asUTC

  /// A level, written with its unit.
  public static func level(_ text: String) -> GlucoseConcentration {
    // Levels of tests are plausible; a wrong one shows in every comparison.
    (try? GlucoseConcentration(withUnit: text)) ?? fallback
  }

  private static let fallback: GlucoseConcentration = {
    guard
      let level = try? GlucoseConcentration(
        significand: 999, exponent: 0, unit: .milligramsPerDecilitre)
    else { preconditionFailure("999 mg/dL is a level") }
    return level
  }()

  /// A reading so many minutes after the start.
  public static func reading(
    _ text: String, minutes: Int, tag: GlucoseTag.Listed? = nil, id: String? = nil,
    sensor: GlucoseReading.Sensor = .fingerStick, doubts: [GlucoseReading.TimeDoubt] = [],
    source: GlucoseReading.Source = .meter
  ) -> GlucoseReading {
    let time = start.advanced(byMilliseconds: Int64(minutes) * 60_000)
    return GlucoseReading(
      id: GlucoseReadingID(id ?? "r\(minutes)"), resident: "mary", level: level(text),
      tag: tag.map(GlucoseTag.listed), time: time, receivedAt: time, source: source,
      origin: "meter-1", timeDoubts: doubts, sensor: sensor, revision: 1)
  }
}
