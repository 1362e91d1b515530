public import CivilTime
import Moments
public import Texts

extension ScheduleWords {
  static let workdays: [Weekday] = [.monday, .tuesday, .wednesday, .thursday, .friday]

  // MARK: Days

  /// The weekday's name.
  public static func name(_ weekday: Weekday) -> Message {
    switch weekday {
    case .monday: Message("Monday")
    case .tuesday: Message("Tuesday")
    case .wednesday: Message("Wednesday")
    case .thursday: Message("Thursday")
    case .friday: Message("Friday")
    case .saturday: Message("Saturday")
    case .sunday: Message("Sunday")
    }
  }

  /// The month's name, of 1 for January through 12.
  static func name(month: Int) -> Message {
    let names = [
      Message("January"), Message("February"), Message("March"), Message("April"), Message("May"),
      Message("June"), Message("July"), Message("August"), Message("September"),
      Message("October"), Message("November"), Message("December"),
    ]
    return names.indices.contains(month - 1) ? names[month - 1] : Message(verbatim: "\(month)")
  }

  /// `27 March 2026`.
  static func date(_ local: CivilDateTime) -> Message {
    Message(
      "{day} {month} {year}",
      ["day": local.day, "month": name(month: local.month), "year": local.year])
  }

  /// `every Tuesday`, `the third Tuesday`.
  static func weekday(_ day: RecurrenceRule.DayOfWeek) -> Message {
    guard let ordinal = day.ordinal else {
      return Message("every {weekday}", ["weekday": name(day.weekday)])
    }
    return Message(
      "the {position} {weekday}", ["position": position(ordinal), "weekday": name(day.weekday)])
  }

  /// `the 15th`, `the last day`, `the second to last day`.
  static func monthDay(_ day: Int) -> Message {
    guard day > 0 else { return Message("the {position} day", ["position": position(day)]) }
    return switch englishOrdinal(day) {
    case .st: Message("the {day}st", ["day": day])
    case .nd: Message("the {day}nd", ["day": day])
    case .rd: Message("the {day}rd", ["day": day])
    case .th: Message("the {day}th", ["day": day])
    }
  }

  // MARK: Numbers

  /// `every day`, `every second day`, `every 5 days`.
  static func every(_ interval: Int, _ unit: RecurrenceRule.Frequency) -> Message {
    switch (unit, interval) {
    case (.hourly, 1): Message("every hour")
    case (.hourly, 2): Message("every second hour")
    case (.hourly, 3): Message("every third hour")
    case (.hourly, _): Message("every {n} hours", ["n": interval])
    case (.daily, 1): Message("every day")
    case (.daily, 2): Message("every second day")
    case (.daily, 3): Message("every third day")
    case (.daily, _): Message("every {n} days", ["n": interval])
    case (.weekly, 1): Message("every week")
    case (.weekly, 2): Message("every second week")
    case (.weekly, 3): Message("every third week")
    case (.weekly, _): Message("every {n} weeks", ["n": interval])
    case (.monthly, 1): Message("every month")
    case (.monthly, 2): Message("every second month")
    case (.monthly, 3): Message("every third month")
    case (.monthly, _): Message("every {n} months", ["n": interval])
    case (.yearly, 1): Message("every year")
    case (.yearly, 2): Message("every second year")
    case (.yearly, 3): Message("every third year")
    case (.yearly, _): Message("every {n} years", ["n": interval])
    }
  }

  /// `first`, `last`, `second to last`, `20th`.
  static func position(_ number: Int) -> Message {
    if number == -1 { return Message("last", context: "position") }
    let position = position(magnitude: Int(number.magnitude))
    return number > 0 ? position : Message("{position} to last", ["position": position])
  }

  private static func position(magnitude: Int) -> Message {
    switch magnitude {
    case 1: Message("first", context: "position")
    case 2: Message("second", context: "position")
    case 3: Message("third", context: "position")
    case 4: Message("fourth", context: "position")
    case 5: Message("fifth", context: "position")
    default:
      switch englishOrdinal(magnitude) {
      case .st: Message("{n}st", ["n": magnitude])
      case .nd: Message("{n}nd", ["n": magnitude])
      case .rd: Message("{n}rd", ["n": magnitude])
      case .th: Message("{n}th", ["n": magnitude])
      }
    }
  }

  /// What stands behind the number in English.
  private enum EnglishOrdinal {
    case st, nd, rd, th
  }

  private static func englishOrdinal(_ number: Int) -> EnglishOrdinal {
    if (11...13).contains(number % 100) { return .th }
    return switch number % 10 {
    case 1: .st
    case 2: .nd
    case 3: .rd
    default: .th
    }
  }

  /// `once`, `twice`, `5 times`.
  static func times(_ count: Int) -> Message {
    switch count {
    case 1: Message("once")
    case 2: Message("twice")
    default: Message("{n} times", ["n": count])
    }
  }

  // MARK: Times

  static func clock(_ local: CivilDateTime) -> Message {
    Message(
      verbatim: "\(two(local.hour)):\(two(local.minute))"
        + (local.second == 0 ? "" : ":\(two(local.second))"))
  }

  /// `90 minutes`, `8 hours`, `2 days`.
  static func span(minutes: Int64) -> Message {
    if minutes % 1440 == 0, minutes > 1440 { return Message("{n} days", ["n": minutes / 1440]) }
    if minutes % 60 == 0, minutes > 0 {
      return minutes == 60 ? Message("an hour") : Message("{n} hours", ["n": minutes / 60])
    }
    return minutes == 1 ? Message("a minute") : Message("{n} minutes", ["n": minutes])
  }

  static func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }

  // MARK: Lists

  /// `a`, `a and b`, `a, b and c`.
  static func all(_ words: [Message]) -> Message {
    guard let last = words.last, words.count > 1 else {
      return words.first ?? Message(verbatim: "")
    }
    return Message("{list} and {last}", ["list": listed(words.dropLast()), "last": last])
  }

  /// `a`, `a or b`, `a, b or c`.
  static func either(_ words: [Message]) -> Message {
    guard let last = words.last, words.count > 1 else {
      return words.first ?? Message(verbatim: "")
    }
    return Message("{list} or {last}", ["list": listed(words.dropLast()), "last": last])
  }

  /// With commas; in halves, so that a list of a thousand times of day is ten messages deep.
  private static func listed(_ words: ArraySlice<Message>) -> Message {
    guard words.count > 1 else { return words.first ?? Message(verbatim: "") }
    let half = words.count / 2
    return Message(
      "{list}, {more}", ["list": listed(words.prefix(half)), "more": listed(words.dropFirst(half))])
  }
}
