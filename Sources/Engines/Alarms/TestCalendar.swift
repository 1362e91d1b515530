import Moments

/// On which days tests come round, and at which hours.
enum TestCalendar {
  private static let hours = 10..<18
  static let monthDays: Int64 = 30
  static let weekDays: Int64 = 7

  /// Whether what was last done on a day is due again after some days.
  static func isDue(_ last: Int64, _ days: Int64, _ local: CivilDateTime) -> Bool {
    // A clock that was set back must not put the test off for years.
    let passed = local.daysSinceEpoch - last
    return (passed >= days || passed < -1) && hours.contains(local.hour)
  }

  /// Minutes until tests may next be due: at ten, and then every hour of the day that is fit for them.
  static func minutesToTests(_ local: CivilDateTime) -> Int {
    let minute = local.hour * 60 + local.minute
    if hours.contains(local.hour) { return 60 - local.minute }
    let start = hours.lowerBound * 60
    return minute < start ? start - minute : start + 1440 - minute
  }
}
