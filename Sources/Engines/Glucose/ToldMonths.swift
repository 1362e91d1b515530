import Bytes
import Care
import CivilTime
import GlucoseFigures
import JSON
import Moments

/// Through which day the means of a resident's months were told, and which past months have to be told again.
struct ToldMonths: Hashable, Sendable {
  /// Past months that wait to be told again; more are told with the report alone.
  private static let changedAtMost = 24
  /// A gateway that was off for longer tells the months before in the report alone.
  private static let monthsAtMost = 13

  /// The last local day for which the means of its month were told, `2026-11-20`.
  private var toldDay: CivilDateTime?
  /// Past months whose readings were changed since they were told.
  private var changed: Set<CalendarMonth> = []

  /// Nothing was told.
  init() {}

  var isEmpty: Bool { toldDay == nil && changed.isEmpty }

  /// The months to tell, in order, when `yesterday` is the last day that is over; from now on they are told.
  mutating func due(through yesterday: CivilDateTime) -> [CalendarMonth] {
    // A day that has not come yet was told by a clock that was ahead.
    if let ahead = toldDay, ahead > yesterday { toldDay = yesterday }
    // The first day that an engine sees has nothing to say about the day before.
    guard let told = toldDay else {
      toldDay = yesterday
      return []
    }
    guard told < yesterday else { return [] }
    let current = CalendarMonth(yesterday)
    var months = changed
    // Through the day that was told everything is said; the day after may be the first of a month.
    var month = CalendarMonth(told.adding(days: 1))
    while month <= current, months.count < Self.monthsAtMost + Self.changedAtMost {
      months.insert(month)
      month = month.next
    }
    months.insert(current)
    toldDay = yesterday
    changed = []
    return months.sorted()
  }

  /// A reading of a month came, changed or went: where that month was told already, it is told again.
  mutating func noteChange(in month: CalendarMonth) {
    guard let told = toldDay, month < CalendarMonth(told), changed.count < Self.changedAtMost
    else { return }
    changed.insert(month)
  }
}

extension ToldMonths {
  init(_ reader: JSONReader) throws(DecodeError) {
    if let day = try reader.optionalString("toldDay") {
      toldDay = try CivilDateTime(localText: "\(day)T00:00")
    }
    for value in try reader.array("changedMonths") {
      guard let month = value.stringContent.flatMap(CalendarMonth.init(text:)) else {
        throw reader.error(.wrongType, "changedMonths")
      }
      changed.insert(month)
    }
  }

  /// The members of the state's object; nil for those without content.
  var members: (toldDay: JSONValue?, changedMonths: JSONValue?) {
    (
      (toldDay?.iso8601Date).map { .string($0) },
      changed.isEmpty ? nil : .array(changed.sorted().map { .string($0.description) })
    )
  }
}

extension CivilDateTime {
  /// The beginning of a day so many days later.
  func adding(days: Int64) -> CivilDateTime {
    let midnight = CivilDateTime(year: year, month: month, day: day).asUTC
    return CivilDateTime(utc: midnight.advanced(byMilliseconds: days * 86_400_000))
  }
}
