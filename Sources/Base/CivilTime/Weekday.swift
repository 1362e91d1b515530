public import Moments

/// A day of the week; the number is that of ISO 8601, Monday 1 through Sunday 7.
public enum Weekday: Int, Hashable, Sendable, CaseIterable, Comparable {
  /// MO.
  case monday = 1
  /// TU.
  case tuesday
  /// WE.
  case wednesday
  /// TH.
  case thursday
  /// FR.
  case friday
  /// SA.
  case saturday
  /// SU.
  case sunday

  /// The two letters of iCalendar, `MO` through `SU`.
  ///
  /// - Source: RFC 5545, section 3.3.10.
  public var iCalendarWord: String {
    switch self {
    case .monday: "MO"
    case .tuesday: "TU"
    case .wednesday: "WE"
    case .thursday: "TH"
    case .friday: "FR"
    case .saturday: "SA"
    case .sunday: "SU"
    }
  }

  /// The day of two letters, upper case; nil for anything else.
  public init?(iCalendarWord word: String) {
    guard let day = Self.allCases.first(where: { $0.iCalendarWord == word }) else { return nil }
    self = day
  }

  /// The weekday of a number of days since 1970-01-01, a Thursday.
  public init(daysSinceEpoch days: Int64) {
    let index = Int((days % 7 + 10) % 7)
    self = Self.allCases[index]
  }

  /// Monday comes first.
  public static func < (left: Weekday, right: Weekday) -> Bool { left.rawValue < right.rawValue }
}

extension CivilDateTime {
  /// The day of the week of the date.
  public var weekday: Weekday { Weekday(daysSinceEpoch: daysSinceEpoch) }
}

/// A time of day in whole minutes, as the clock on the wall shows it.
public struct TimeOfDay: Hashable, Sendable, Comparable {
  /// 0 through 23.
  public let hour: Int
  /// 0 through 59.
  public let minute: Int

  /// A time of day; nil when hour or minute is outside its range.
  public init?(hour: Int, minute: Int) {
    guard (0...23).contains(hour), (0...59).contains(minute) else { return nil }
    self.hour = hour
    self.minute = minute
  }

  /// Reads `08:30`, always five characters; nil for anything else.
  public init?(text: String) {
    let bytes = Array(text.utf8)
    let digits = bytes.map { Int($0) - 0x30 }
    guard bytes.count == 5, bytes[2] == UInt8(ascii: ":"),
      [0, 1, 3, 4].allSatisfy({ (0...9).contains(digits[$0]) })
    else { return nil }
    self.init(hour: digits[0] * 10 + digits[1], minute: digits[3] * 10 + digits[4])
  }

  /// The time as `08:30`.
  public var text: String {
    (hour < 10 ? "0" : "") + "\(hour):" + (minute < 10 ? "0" : "") + "\(minute)"
  }

  /// Earlier times come first.
  public static func < (left: TimeOfDay, right: TimeOfDay) -> Bool {
    (left.hour, left.minute) < (right.hour, right.minute)
  }
}
