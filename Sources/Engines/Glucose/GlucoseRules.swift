public import Care
public import GlucoseValues
public import Moments
import Texts

/// What a reading must be, whoever brings it.
public enum GlucoseRules {
  /// Characters of the name of a meter or of who typed it in.
  public static let originAtMost = 200
  /// Above this, home meters show HI.
  static let typedAtMostMilligrams = 600
  /// How far ahead of our clock a time may be before it is in the future, in milliseconds.
  public static let aheadMilliseconds: Int64 = 600_000
  /// Home meters came up in the 1980s; an earlier time is a clock that was never set.
  public static let earliest = CivilDateTime(year: 1980, month: 1, day: 2).asUTC

  /// Checks a reading that a person adds or changes.
  ///
  /// - Throws: what does not fit and what would.
  public static func check(
    _ reading: GlucoseReading, at now: Moment
  ) throws(CommandReply.Refusal) {
    guard reading.tag?.isWellFormed ?? true else {
      throw CommandReply.Refusal(
        .invalid,
        Message(
          "A tag is one line of 1 through {limit} characters.", ["limit": GlucoseTag.ownAtMost]))
    }
    guard isLine(reading.id.rawValue), !reading.id.rawValue.isEmpty else { throw originFault }
    try check(origin: reading.origin)
    try check(time: reading.time, at: now)
  }

  private static var originFault: CommandReply.Refusal {
    CommandReply.Refusal(
      .invalid,
      Message(
        "A reading needs an id, and its origin is one line of at most {limit} characters.",
        ["limit": originAtMost]))
  }

  static func check(origin: String) throws(CommandReply.Refusal) {
    guard isLine(origin) else { throw originFault }
  }

  /// Checks a level that a person typed: what no meter shows is a slip.
  ///
  /// - Source: ranges of home meters, 20 through 600 mg/dL (Accu-Chek, Contour, OneTouch); beyond it they show HI.
  static func check(typed level: GlucoseConcentration) throws(CommandReply.Refusal) {
    try check(range: level)
    let decimals = level.unit == .millimolesPerLitre ? 2 : 1
    guard -level.exponent <= decimals else {
      throw CommandReply.Refusal(
        .invalid,
        Message(
          "Meters show no {level}. Write the number as the meter shows it, such as 101 mg/dL or 5.6 mmol/L.",
          ["level": level.text()]))
    }
  }

  /// Checks a level of a person or a file against what meters show.
  static func check(range level: GlucoseConcentration) throws(CommandReply.Refusal) {
    guard isWithinMeters(level) else {
      throw CommandReply.Refusal(.invalid, beyondMeters(level))
    }
  }

  /// Whether home meters show such a level; above it they say HI.
  static func isWithinMeters(_ level: GlucoseConcentration) -> Bool {
    level.wholeMilligramsPerDecilitre <= typedAtMostMilligrams
  }

  static func beyondMeters(_ level: GlucoseConcentration) -> Message {
    Message(
      "Meters show no {level}: above 600 mg/dL (33.3 mmol/L) they say HI. Check the number, or write HI.",
      ["level": level.text()])
  }

  static func check(time: Timestamp, at now: Moment) throws(CommandReply.Refusal) {
    guard time >= earliest else {
      throw CommandReply.Refusal(
        .invalid, Message("The date is too long ago. Say when the reading was taken."))
    }
    guard !now.quality.isTrusted || !isAhead(time, of: now) else {
      throw CommandReply.Refusal(
        .invalid, Message("The time is still to come. Say when the reading was taken."))
    }
  }

  /// Whether a time lies further ahead than clocks of meters and gateways run apart.
  static func isAhead(_ time: Timestamp, of now: Moment) -> Bool {
    time.milliseconds(since: now.utc) > aheadMilliseconds
  }

  private static func isLine(_ text: String) -> Bool {
    text.unicodeScalars.count <= originAtMost
      && !text.unicodeScalars.contains { $0.properties.generalCategory == .control }
  }

  /// A reading as the gateway takes it in: with doubts about its time where the gateway has some.
  static func received(_ reading: GlucoseReading, at now: Moment) -> GlucoseReading {
    guard now.quality.isTrusted else { return reading.doubting(.gatewayClock) }
    if reading.time < earliest { return reading.doubting(.meterClock) }
    return isAhead(reading.time, of: now) ? reading.doubting(.future) : reading
  }
}
