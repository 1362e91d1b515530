import Care
import Moments

/// How often an as-needed item was done on a day of its resident, in days since 1970.
struct DoseCount: Hashable, Sendable {
  private var day: Int64 = 0
  private var count: Int64 = 0

  init() {}

  init(day: Int64, count: Int64) {
    self.day = day
    self.count = count
  }

  /// What is to be stored; nil before the first.
  var stored: (day: Int64, count: Int64)? { count > 0 ? (day, count) : nil }

  /// How often it was done on a day.
  func taken(on today: Int64) -> Int64 { day == today ? count : 0 }

  /// It was done once more.
  mutating func add(on today: Int64) {
    count = taken(on: today) + 1
    day = today
  }

  /// A day that lies ahead by a clock that was set back is today; says whether it was one.
  mutating func end(on today: Int64) -> Bool {
    guard day > today else { return false }
    day = today
    return true
  }
}

extension Stock {
  /// Less by what one dose takes away.
  mutating func takeDose() {
    units.hundredths = max(0, units.hundredths - unitsPerDose.hundredths)
  }

  /// More by what one dose takes away.
  mutating func giveBackDose() { units.hundredths += unitsPerDose.hundredths }

  /// Whole days that it lasts; nil when nothing is due.
  func daysLeft(by times: ItemTimes, at utc: Timestamp) -> Int64? {
    guard let doses = times.dosesInFourWeeks(after: utc) else { return nil }
    return units.hundredths / max(1, unitsPerDose.hundredths) * 28 / doses
  }

  /// Whether it lasts for so few days that caregivers are to know.
  func isLow(by times: ItemTimes, at utc: Timestamp) -> Bool {
    daysLeft(by: times, at: utc).map { $0 <= warnDays } ?? false
  }
}
