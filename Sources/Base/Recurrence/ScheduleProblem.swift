public import CivilTime
import Moments

extension Schedule {
  /// What keeps the schedule from being used, in a sentence for the person who made it; nil when nothing does.
  ///
  /// Beside numbers and dates (``Schedule/fault``) it is asked whether the schedule is ever due: 30 February,
  /// an end before the start and a schedule that leaves all its times out are refused. A rule without an end is fine.
  ///
  /// - Parameter zone: the zone that a calendar schedule names.
  public func problem(in zone: CivilTimeZone) -> ScheduleFault? {
    switch self {
    case .calendar(let calendar): calendar.problem(in: zone)
    case .never, .elapsed, .asNeeded: fault
    }
  }
}

extension CalendarSchedule {
  /// As ``Schedule/problem(in:)``.
  public func problem(in zone: CivilTimeZone) -> ScheduleFault? {
    if let fault { return fault }
    if isEverDue(in: zone) { return nil }
    var relaxed = self
    relaxed.excluded = []
    if relaxed.isEverDue(in: zone) { return .allExcluded }
    relaxed.rule = try? rule?.ending(.forever)
    return relaxed.isEverDue(in: zone) ? .endsBeforeStart : .neverDue
  }

  private func isEverDue(in zone: CivilTimeZone) -> Bool {
    let finder = try? OccurrenceFinder(self, zone: zone)
    return finder?.next(after: Timestamp(milliseconds: .min)) != nil
  }
}
