import CivilTime
import Moments

/// In which order a file writes day, month and year.
public enum DateOrder: String, Hashable, Sendable, CaseIterable {
  /// 20/11/2026.
  case dayFirst = "dmy"
  /// 11/20/2026.
  case monthFirst = "mdy"
  /// 2026-11-20.
  case yearFirst = "ymd"
}

/// A time as a table writes it, before it is known which number is the day.
enum WrittenTime: Hashable {
  /// With its zone, so that it is one moment.
  case moment(Timestamp)
  /// Of the local clock.
  case local(WrittenDate, TimeOfClock)

  struct TimeOfClock: Hashable {
    var hour: Int
    var minute: Int
    var second = 0
    var millisecond = 0
  }

  /// Reads a time; nil for what is none in any order of its date.
  ///
  /// `2026-11-20T07:30:00Z`, `2026-11-20 07:30`, `20.11.2026 7:30`, `11-20-2026 07:30 PM`; dates with `-`, `/` or `.`.
  init?(_ text: String) {
    if let moment = Self.moment(text) {
      self = .moment(moment)
      return
    }
    guard let end = text.firstIndex(where: { $0 == " " || $0 == "T" || $0 == "," }),
      let date = WrittenDate(text[..<end]),
      let time = Self.time(String(text[text.index(after: end)...]).withoutBlanks)
    else { return nil }
    self = .local(date, time)
  }

  private static func moment(_ text: String) -> Timestamp? {
    let dashed = String(
      text.enumerated().map { index, letter in
        letter == "/" && (index == 4 || index == 7) ? "-" : letter
      })
    return try? Timestamp(iso8601: dashed)
  }

  /// Reads `07:30`, `7:30:15`, `7:30:15.250` and `07:30 PM`.
  private static func time(_ text: String) -> TimeOfClock? {
    let digits = text.prefix { $0.isASCII && ($0.isNumber || $0 == ":" || $0 == ".") }
    let letters = text.dropFirst(digits.count).lowercased().filter { $0 != "." && $0 != " " }
    // "7:30 a.m." has no dot behind its minutes, "7:30:15.250" has one in its seconds.
    let parts = digits.split(separator: ":", omittingEmptySubsequences: false)
    guard (2...3).contains(parts.count), let hour = number(parts[0], 1...2),
      let minute = number(parts[1], 2...2), minute < 60
    else { return nil }
    var time = TimeOfClock(hour: hour, minute: minute)
    if parts.count == 3 {
      let fraction = parts[2].split(separator: ".", omittingEmptySubsequences: false)
      guard fraction.count <= 2, let second = number(fraction[0], 2...2), second < 60 else {
        return nil
      }
      time.second = second
      if fraction.count == 2 {
        guard number(fraction[1], 1...9) != nil,
          let thousandths = Int((fraction[1] + "00").prefix(3))
        else { return nil }
        time.millisecond = thousandths
      }
    }
    switch letters {
    case "": return (0...23).contains(hour) ? time : nil
    case "am", "pm":
      guard (1...12).contains(hour) else { return nil }
      time.hour = hour % 12 + (letters == "pm" ? 12 : 0)
      return time
    default: return nil
    }
  }

  static func number(_ text: Substring, _ digits: ClosedRange<Int>) -> Int? {
    guard digits.contains(text.utf8.count), text.utf8.allSatisfy({ (0x30...0x39).contains($0) })
    else { return nil }
    return Int(text)
  }

  /// The moment that is meant, and whether the local clock shows the time once, never or twice.
  ///
  /// Nil for a day that is on no calendar in this order.
  func resolved(
    _ order: DateOrder, in zone: CivilTimeZone
  ) -> (instant: Timestamp, clock: LocalTimeResolution)? {
    switch self {
    case .moment(let moment): return (moment, .unique)
    case .local(let date, let time):
      guard var civil = date.civil(order) else { return nil }
      (civil.hour, civil.minute, civil.second) = (time.hour, time.minute, time.second)
      guard civil.isOnTheCalendar else { return nil }
      civil.millisecond = time.millisecond
      let found = zone.resolve(civil)
      return (found.instant, found.resolution)
    }
  }
}

/// Three numbers of which a year, a month and a day are to be made.
struct WrittenDate: Hashable {
  private let first: Int
  private let second: Int
  private let third: Int
  private let isYearFirst: Bool
  /// Whether the year has two digits alone, so that it may be any of the three.
  private let isShort: Bool

  init?(_ text: Substring) {
    guard let separator = text.first(where: { "-/.".contains($0) }) else { return nil }
    let parts = text.split(separator: separator, omittingEmptySubsequences: false)
    guard parts.count == 3 else { return nil }
    let numbers = parts.compactMap { WrittenTime.number($0, 1...4) }
    guard numbers.count == 3, parts[1].count <= 2 else { return nil }
    (first, second, third) = (numbers[0], numbers[1], numbers[2])
    isYearFirst = parts[0].count == 4
    isShort = parts[2].count == 2 && parts[0].count <= 2
    guard isYearFirst != (parts[2].count == 4) || isShort, parts[0].count != 3,
      !isYearFirst || parts[2].count <= 2
    else { return nil }
  }

  /// The orders in which this is a date.
  var orders: [DateOrder] { DateOrder.allCases.filter { civil($0) != nil } }

  /// The midnight that is meant; nil where the numbers are no date in this order.
  func civil(_ order: DateOrder) -> CivilDateTime? {
    let (year, month, day) =
      switch isYearFirst ? .yearFirst : order {
      case .dayFirst: (third, second, first)
      case .monthFirst: (third, first, second)
      case .yearFirst: (first, second, third)
      }
    let isRefused = order == .yearFirst && !isYearFirst && !isShort
    guard !isRefused else { return nil }
    let civil = CivilDateTime(year: isShort ? 2000 + year : year, month: month, day: day)
    return civil.isOnTheCalendar ? civil : nil
  }
}

/// What all dates of a file together say about their order.
struct DateEvidence {
  private var first: [DateOrder: (line: Int, text: String)] = [:]
  private var open: (orders: [DateOrder], text: String)?

  /// Weighs one date of the file.
  mutating func take(_ written: WrittenTime, line: Int, text: String) {
    guard case .local(let date, _) = written else { return }
    let orders = date.orders
    let meanings = Set(orders.compactMap { date.civil($0) })
    guard meanings.count > 1 else {
      guard orders.count == 1, let only = orders.first, first[only] == nil else { return }
      first[only] = (line, text)
      return
    }
    if open == nil { open = (orders, text) }
  }

  /// The order of all dates of the file.
  ///
  /// - Throws: that the file leaves it open, or says two things.
  func order() throws(GlucoseTable.Failure) -> DateOrder {
    let known = DateOrder.allCases.filter { first[$0] != nil }
    // Dates that begin with a year of four digits are read in every order, so they never come here alone.
    if known.count > 1, let one = first[known[0]], let other = first[known[1]] {
      throw .datesDiffer(one.line, one.text, other.line, other.text)
    }
    if let only = known.first { return only }
    if let open { throw .dateOrder(open.orders, open.text) }
    return .dayFirst
  }
}
