public import Care
public import Texts

/// Every number that tracking decides by; each can be changed per resident.
public struct TrackingSettings: NamedSettings, Hashable {
  /// Seconds between two checks whether a location record is due (SB-8).
  public internal(set) var checkIntervalSeconds: Int64 = 300
  /// Metres from the last record beyond which a new one is written.
  public internal(set) var recordDistanceMeters = 25.0
  /// Seconds after which a new record is written even without movement.
  public internal(set) var recordMaximumAgeSeconds: Int64 = 3600
  /// Seconds between records while outside all zones and moving.
  public internal(set) var outsideMovingIntervalSeconds: Int64 = 15
  /// Metres per second from which a resident counts as moving.
  public internal(set) var movingSpeedMetersPerSecond = 0.5
  /// Seconds between entries of the series (SD-1).
  public internal(set) var sampleIntervalSeconds: Int64 = 300
  /// Age in seconds up to which a fix answers a check or a refresh without waiting for another.
  public internal(set) var freshFixSeconds: Int64 = 30
  /// Seconds after which an unanswered refresh is said to be unanswered.
  public internal(set) var refreshTimeoutSeconds: Int64 = 60
  /// Metres; a fix whose estimated error is larger is rejected.
  public internal(set) var accuracyLimitMeters = 100.0
  /// Metres of error assumed for a fix that states none.
  public internal(set) var assumedAccuracyMeters = 20.0
  /// Metres; at most so much of a fix's estimated error delays an exit.
  public internal(set) var exitAccuracyCapMeters = 50.0
  /// Consecutive outside fixes that make an exit; never 1, because one fix may lie.
  public internal(set) var exitFixCount: Int64 = 2
  /// Metres from the middle of a zone up to which a tag that stands in it overrules positions; 0 for never.
  public internal(set) var homeTagVetoMeters = 150.0
  /// Seconds of burst sampling after a first outside fix, in which an exit must be confirmed or refuted.
  public internal(set) var exitConfirmWindowSeconds: Int64 = 60
  /// Seconds of doubt about a zone after which the doubt itself is told.
  public internal(set) var uncertainAfterSeconds: Int64 = 600
  /// Seconds between two fixes up to which the straight line between them counts as the path.
  public internal(set) var crossingMaximumSeconds: Int64 = 600
  /// Seconds without a position while outside, before the notice.
  public internal(set) var unknownNoticeSeconds: Int64 = 900
  /// Seconds without a position while outside, before the alarm.
  public internal(set) var unknownAlarmSeconds: Int64 = 1800
  /// Metres per second; a position that could only be reached faster waits for confirmation. Fast trains stay below.
  public internal(set) var maximumSpeedMetersPerSecond = 100.0
  /// Seconds by which the receiver's time may run apart from ours between two fixes.
  public internal(set) var timeLeapSeconds: Int64 = 30
  /// Seconds by which the receiver's time may differ from a trusted system clock.
  public internal(set) var clockToleranceSeconds: Int64 = 30
  /// Seconds of silence after which a receiver is faulty; must exceed its sampling interval.
  public internal(set) var noReportSeconds: Int64 = 60
  /// Seconds of reports without a position after which that is told.
  public internal(set) var noFixSeconds: Int64 = 600
  /// How the sentences about positions and zones tell lengths.
  public internal(set) var lengthUnits = LengthUnits.metric

  /// The language of explanations. It follows the resident's own setting of that name and is none of ``names``.
  public var language = Language.en
  /// The receivers that there are; nil where others may come. It is none of ``names`` either.
  public var receivers: KnownReceivers?

  /// The defaults.
  public init() {}

  /// The permitted range of a setting; nil when there is none of that name.
  public static func range(_ name: String) -> ClosedRange<Double>? {
    switch table.setting(name)?.range {
    case .whole(let range): Double(range.lowerBound)...Double(range.upperBound)
    case .number(let range): range
    case .flag, .choice, .text, nil: nil
    }
  }

  /// What can be set, in the order of this type.
  public static let table = SettingTable(
    standard: TrackingSettings(),
    [
      .whole(
        "checkIntervalSeconds", \.checkIntervalSeconds, 15...86_400, .seconds, in: .tracking,
        Message("How often it is looked whether a location record is due.")),
      .number(
        "recordDistanceMeters", \.recordDistanceMeters, 1...10_000, .meters, in: .tracking,
        Message("How far from the last location record a new one is written.")),
      .whole(
        "recordMaximumAgeSeconds", \.recordMaximumAgeSeconds, 60...86_400, .seconds, in: .tracking,
        Message("After how long a location record is written even without movement.")),
      .whole(
        "outsideMovingIntervalSeconds", \.outsideMovingIntervalSeconds, 1...3600, .seconds,
        in: .tracking,
        Message("How often a location record is written while moving outside all zones.")),
      .number(
        "movingSpeedMetersPerSecond", \.movingSpeedMetersPerSecond, 0.1...10, .metersPerSecond,
        in: .tracking,
        Message("From which speed somebody counts as moving.")),
      .whole(
        "sampleIntervalSeconds", \.sampleIntervalSeconds, 15...86_400, .seconds, in: .tracking,
        Message("How often the regular series of positions gets an entry.")),
      .whole(
        "freshFixSeconds", \.freshFixSeconds, 1...3600, .seconds, in: .tracking,
        Message("How old a position may be and still answer \"where now\" without a new one.")),
      .whole(
        "refreshTimeoutSeconds", \.refreshTimeoutSeconds, 5...3600, .seconds, in: .tracking,
        Message("After how long a request for a new position is said to be unanswered.")),
      .number(
        "accuracyLimitMeters", \.accuracyLimitMeters, 1...1000, .meters, in: .tracking,
        Message("Positions with a larger estimated error are not believed.")),
      .number(
        "assumedAccuracyMeters", \.assumedAccuracyMeters, 1...1000, .meters, in: .tracking,
        Message("The error that is assumed for positions that state none.")),
      .number(
        "exitAccuracyCapMeters", \.exitAccuracyCapMeters, 0...1000, .meters, in: .tracking,
        Message("At most so much of a position's error delays the finding that a zone was left.")),
      .whole(
        "exitFixCount", \.exitFixCount, 2...5, in: .tracking,
        Message("How many positions outside in a row mean that a zone was left.")),
      .number(
        "homeTagVetoMeters", \.homeTagVetoMeters, 0...500, .meters, in: .tracking,
        Message(
          "How far from the middle of a zone a tag heard there still overrules positions; 0 for never."
        )),
      .whole(
        "exitConfirmWindowSeconds", \.exitConfirmWindowSeconds, 5...600, .seconds, in: .tracking,
        Message(
          "How long positions are taken fast after a first one outside, to confirm or refute it.")),
      .whole(
        "uncertainAfterSeconds", \.uncertainAfterSeconds, 30...86_400, .seconds, in: .tracking,
        Message("How long it may be unclear whether somebody is in a zone before that is told.")),
      .whole(
        "crossingMaximumSeconds", \.crossingMaximumSeconds, 1...3600, .seconds, in: .tracking,
        Message(
          "How far apart two positions may be in time for the straight line between them to count as the way."
        )),
      .whole(
        "unknownNoticeSeconds", \.unknownNoticeSeconds, 60...86_400, .seconds, in: .tracking,
        Message("How long nobody may know the position outside before it is noted.")),
      .whole(
        "unknownAlarmSeconds", \.unknownAlarmSeconds, 60...86_400, .seconds, in: .tracking,
        Message("How long nobody may know the position outside before an alarm is raised.")),
      .number(
        "maximumSpeedMetersPerSecond", \.maximumSpeedMetersPerSecond, 5...350, .metersPerSecond,
        in: .tracking,
        Message("A position that could only be reached faster waits until another confirms it.")),
      .whole(
        "timeLeapSeconds", \.timeLeapSeconds, 1...3600, .seconds, in: .tracking,
        Message("How far the receiver's time may run apart from ours between two positions.")),
      .whole(
        "clockToleranceSeconds", \.clockToleranceSeconds, 1...86_400, .seconds, in: .tracking,
        Message("How far the receiver's time may differ from a clock that is known to be right.")),
      .whole(
        "noReportSeconds", \.noReportSeconds, 2...86_400, .seconds, in: .tracking,
        Message("After how long without any report a receiver counts as faulty.")),
      .whole(
        "noFixSeconds", \.noFixSeconds, 10...86_400, .seconds, in: .tracking,
        Message("After how long without a position that is told, although the receiver reports.")),
      .choice(
        "lengthUnits", \.lengthUnits, in: .resident,
        Message("Whether sentences about positions and zones speak of metres or of feet.")),
    ])
}
