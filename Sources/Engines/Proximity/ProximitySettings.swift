public import Care
public import Texts

/// Every number that proximity decides by, besides those of single tags; each can be changed per resident.
public struct ProximitySettings: NamedSettings, Hashable {
  /// Seconds that a signal must stay weak before a tag counts as farther.
  public internal(set) var holdSeconds: Int64 = 15
  /// Seconds after going out before it is judged what was left behind.
  public internal(set) var leftWithoutDelaySeconds: Int64 = 60
  /// Hours; a tag not heard for longer before going out is not said to be left behind.
  public internal(set) var leftWithoutMemoryHours: Int64 = 24
  /// Percent of a tag's battery at or below which somebody is told.
  public internal(set) var batteryLowPercent: Int64 = 15
  /// Seconds apart after which a time in company is over.
  public internal(set) var encounterGapSeconds: Int64 = 300
  /// Seconds of company, likely ones, from which it is told.
  public internal(set) var encounterMinimumSeconds: Int64 = 60
  /// Decibels by which another room must be louder to take a tag over.
  public internal(set) var roomMarginDB: Int64 = 6

  /// The language of explanations. It follows the resident's own setting of that name and is none of ``names``.
  public var language = Language.en

  /// The defaults.
  public init() {}

  /// What can be set, in the order of this type.
  public static let table = SettingTable(
    standard: ProximitySettings(),
    [
      .whole(
        "holdSeconds", \.holdSeconds, 5...300, .seconds, in: .tags,
        Message("How long a tag's signal must stay weak before it counts as farther away.")),
      .whole(
        "leftWithoutDelaySeconds", \.leftWithoutDelaySeconds, 10...1800, .seconds, in: .tags,
        Message("How long after going out it is judged what was left behind.")),
      .whole(
        "leftWithoutMemoryHours", \.leftWithoutMemoryHours, 1...168, .hours, in: .tags,
        Message("A tag not heard for longer before going out is not said to be left behind.")),
      .whole(
        "batteryLowPercent", \.batteryLowPercent, 1...50, .percent, in: .tags,
        Message("From which charge downwards a tag's battery counts as low.")),
      .whole(
        "encounterGapSeconds", \.encounterGapSeconds, 60...3600, .seconds, in: .tags,
        Message("After how long apart a time in company is over.")),
      .whole(
        "encounterMinimumSeconds", \.encounterMinimumSeconds, 10...3600, .seconds, in: .tags,
        Message("From how long on a time in company is told.")),
      .whole(
        "roomMarginDB", \.roomMarginDB, 2...20, .decibels, in: .tags,
        Message("By how much another room must hear a tag better before the tag counts as there.")),
    ])
}
