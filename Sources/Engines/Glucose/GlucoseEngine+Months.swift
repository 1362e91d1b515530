import Care
import CivilTime
import GlucoseFigures
import GlucoseValues
import Moments

/// The means of calendar months, told at the end of each day.
extension GlucoseEngine {
  /// Residents whose months are told: those with readings, a known zone and a clock to go by.
  private func listeners(
    in world: World
  ) -> [(resident: ResidentID, zone: CivilTimeZone)] {
    guard world.now.quality.isTrusted else { return [] }
    return logs.residents.compactMap { resident in
      world.people[resident]?.zone.map { (resident, $0) }
    }
  }

  mutating func tellMonths(in world: World, _ outcome: inout Outcome) {
    for (resident, zone) in listeners(in: world) {
      let yesterday = zone.local(at: world.now.utc).civil.adding(days: -1)
      let months = states[resident, default: GlucoseState()].months.due(through: yesterday)
      for month in months {
        let news = MonthNews(month, through: yesterday, of: logs[resident], in: zone)
        outcome.events.append(news.event(of: resident, in: words(about: resident, in: world)))
      }
    }
  }

  /// A reading came, changed or went; nothing of a sensor is in the means.
  mutating func noteChange(of reading: GlucoseReading, in world: World) {
    guard let zone = world.people[reading.resident]?.zone, reading.sensor == .fingerStick
    else { return }
    let month = CalendarMonth(zone.local(at: reading.time).civil)
    states[reading.resident]?.months.noteChange(in: month)
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
