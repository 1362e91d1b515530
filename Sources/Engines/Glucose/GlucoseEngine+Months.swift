import Care
import CivilTime
import GlucoseFigures
import GlucoseValues
import JSON
import Moments
import Texts

/// The means of calendar months, told at the end of each day.
extension GlucoseEngine {
  /// A gateway that was off for longer tells the months before in the report alone.
  private static let monthsAtMost = 13

  /// Residents whose months are told: those with readings, a known zone and a clock to go by.
  private func listeners(
    in world: World
  ) -> [(resident: ResidentID, zone: CivilTimeZone)] {
    guard world.now.quality.isTrusted else { return [] }
    return logs.keys.sorted().compactMap { resident in
      guard let zone = world.people[resident]?.zone, !log(of: resident).readings.isEmpty else {
        return nil
      }
      return (resident, zone)
    }
  }

  mutating func tellMonths(in world: World, _ outcome: inout Outcome) {
    for (resident, zone) in listeners(in: world) {
      let today = zone.local(at: world.now.utc).civil
      let yesterday = today.adding(days: -1)
      var state = states[resident] ?? GlucoseState()
      // A day that has not come yet was told by a clock that was ahead.
      if let ahead = state.toldDay, ahead > yesterday {
        state.toldDay = yesterday
        states[resident] = state
      }
      let told = state.toldDay ?? yesterday
      // The first day that an engine sees has nothing to say about the day before.
      guard state.toldDay != nil, told < yesterday else {
        if state.toldDay == nil {
          state.toldDay = yesterday
          states[resident] = state
        }
        continue
      }
      let current = CalendarMonth(yesterday)
      var months = state.changedMonths
      // Through the day that was told everything is said; the day after may be the first of a month.
      var month = CalendarMonth(told.adding(days: 1))
      while month <= current, months.count < Self.monthsAtMost + GlucoseState.changedMonthsAtMost {
        months.insert(month)
        month = month.next
      }
      months.insert(current)
      state.toldDay = yesterday
      state.changedMonths = []
      states[resident] = state
      for month in months.sorted() {
        tell(month, of: resident, in: zone, through: yesterday, world, &outcome)
      }
    }
  }

  private func tell(
    _ month: CalendarMonth, of resident: ResidentID, in zone: CivilTimeZone,
    through day: CivilDateTime, _ world: World, _ outcome: inout Outcome
  ) {
    let log = log(of: resident)
    let start = month.start(in: zone)
    // Through the end of the day that is over, or of the month.
    let next = day.adding(days: 1)
    let end = min(month.next.start(in: zone), zone.instant(of: next))
    let isComplete = log.isComplete(since: start)
    let readings = log.readings.filter {
      isComplete && $0.isTimeCertain && $0.sensor == .fingerStick && $0.time >= start
        && $0.time < end
    }
    let means = GlucoseMonth(month, isOver: month < CalendarMonth(next), readings: readings)
    let words = words(about: resident, in: world)
    outcome.events.append(
      EventDraft(
        type: .glucoseMonth, lane: .record, resident: resident,
        facts: means.json.setting("through", to: .string(day.iso8601Date))
          .setting("isComplete", to: .bool(isComplete))
          .setting(
            "explanation",
            to: .string(words.month(means, isComplete: isComplete).text(in: words.language)))))
  }

  /// A reading of a month that was told already came, changed or went: that month is told again.
  mutating func noteChange(of reading: GlucoseReading, in world: World) {
    guard let zone = world.people[reading.resident]?.zone,
      let told = states[reading.resident]?.toldDay, reading.sensor == .fingerStick
    else { return }
    let month = CalendarMonth(zone.local(at: reading.time).civil)
    let count = states[reading.resident]?.changedMonths.count ?? 0
    guard month < CalendarMonth(told), count < GlucoseState.changedMonthsAtMost else { return }
    states[reading.resident]?.changedMonths.insert(month)
  }

  /// The next local midnight of anybody whose months are told.
  func nextMidnight(in world: World) -> Tick? {
    listeners(in: world).map { _, zone in
      let tomorrow = zone.local(at: world.now.utc).civil.adding(days: 1)
      let wait = zone.instant(of: tomorrow).milliseconds(since: world.now.utc)
      return world.now.tick.advanced(byMilliseconds: max(1, wait))
    }.min()
  }
}

extension CivilDateTime {
  /// The beginning of a day so many days later.
  fileprivate func adding(days: Int64) -> CivilDateTime {
    let midnight = CivilDateTime(year: year, month: month, day: day).asUTC
    return CivilDateTime(utc: midnight.advanced(byMilliseconds: days * 86_400_000))
  }
}
