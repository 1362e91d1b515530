import Care
import Moments

/// When local time next changes what is to be done, and which alarms wait for that.
struct LocalWake: Sendable {
  private(set) var tick: Tick?
  /// Alarms of low priority that wait for the end of their quiet hours.
  private var held: Set<AlarmID> = []

  init() {}

  init(_ alarms: [LiveAlarm], in house: House, _ world: World) {
    guard world.knowsLocalTime else { return }
    var minutes: [Int] = []
    for alarm in alarms where alarm.isDispatched {
      guard let left = house.quietMinutes(of: alarm, in: world) else { continue }
      minutes.append(left)
      if house.rule(of: alarm).priority == .low { held.insert(alarm.id) }
    }
    for id in house.residents.keys.sorted() {
      guard let local = world.localTime(of: id) else { continue }
      minutes.append(TestCalendar.minutesToTests(local))
    }
    guard let soonest = minutes.min() else { return }
    let local = house.residents.keys.sorted().lazy.compactMap { world.localTime(of: $0) }.first
    let seconds = Int64(soonest) * 60 - Int64(local?.second ?? 0)
    tick = world.now.tick.advanced(byMilliseconds: max(1, seconds) * 1000)
  }

  /// Whether what was not told yet of an alarm waits.
  func holds(_ alarm: LiveAlarm) -> Bool { held.contains(alarm.id) }
}
