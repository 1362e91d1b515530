import Care
import CivilTime
import Foundation
import JSON
import Moments
import Recurrence
import Reminders

/// Ten thousand items of ten residents: what waiting for them costs.
enum ReminderBenchmark {
  private static let residents = 10
  private static let itemsEach = 1_000
  private static let steps = 2_001

  static var parts: [BenchmarkPart] {
    [
      BenchmarkPart(name: "reminders-memory", measure: measureMemory),
      BenchmarkPart(name: "reminders-step", measure: measureStep),
      BenchmarkPart(name: "reminders-idle", measure: measureIdle),
    ]
  }

  private static let start = Moment(
    tick: .seconds(100), utc: Timestamp(milliseconds: 1_772_431_200_000), quality: .synchronised)
  private static let people = (0..<residents).map {
    Resident(id: ResidentID("r-\($0)"), name: "R", timeZone: "Europe/Madrid")
  }

  private static func measureMemory(_ table: inout Table) throws {
    let zone = try TimeZoneFile.load(name: "Europe/Madrid")
    let items = try makeItems()
    let before = try ScheduleBenchmark.residentBytes()
    var engine = engine(of: [], zone)
    let making = seconds { engine = Self.engine(of: items, zone) }
    let count = items.count
    table.add("next due of \(count) items", "\(decimal(making * 1000)) ms")
    table.add(
      "memory of \(count) items",
      "\(decimal(Double(try ScheduleBenchmark.residentBytes() - before) / 1_048_576)) MB")
    let asked = median(
      (0..<5).map { _ in
        seconds { for _ in 0..<100_000 where engine.nextWake == nil { exit(1) } } / 100_000
      })
    table.add("next wake of \(count) items", "\(decimal(asked * 1e9, 0)) ns")
  }

  private static func measureStep(_ table: inout Table) throws {
    let zone = try TimeZoneFile.load(name: "Europe/Madrid")
    let items = try makeItems()
    let world = world(zone, at: start)
    let small = try stepCost(engine(of: Array(items.prefix(100)), zone), in: world)
    let large = try stepCost(engine(of: items, zone), in: world)
    table.add("step, for each due item, of 100 items", "\(decimal(small * 1e6)) µs")
    table.add(
      "step, for each due item, of \(items.count) items", "\(decimal(large * 1e6)) µs",
      budget: "≤ 3 times that of 100", isKept: large <= 3 * small)
  }

  /// Each item has its own minute of the day; one falls due after the other.
  private static func makeItems() throws -> [RoutineItem] {
    let daily = try RecurrenceRule(text: "FREQ=DAILY")
    return (0..<residents * itemsEach).map { number in
      let minute = number * 7 % 1440
      return RoutineItem(
        id: RoutineItemID("item-\(number)"), resident: ResidentID("r-\(number / itemsEach)"),
        title: "Item \(number)",
        schedule: .calendar(
          CalendarSchedule(
            start: CivilDateTime(
              year: 2026, month: 1, day: 1, hour: minute / 60, minute: minute % 60,
              second: number / 1440 % 60), rule: daily, timeZone: "Europe/Madrid")))
    }
  }

  private static func engine(of items: [RoutineItem], _ zone: CivilTimeZone) -> ReminderEngine {
    ReminderEngine(
      stored: StoredState(routineItems: items), seed: 0, in: world(zone, at: start))
  }

  private static func world(_ zone: CivilTimeZone, at now: Moment) -> World {
    World(
      now: now, house: House(residents: people, timeZones: ["Europe/Madrid": zone]), boot: "bench")
  }

  /// The middle of many steps, each at the tick that the engine asked for, for each item that it was about.
  ///
  /// Among many items several are prompted again at the second at which another one falls due.
  private static func stepCost(_ engine: ReminderEngine, in start: World) throws -> Double {
    var engine = engine
    var world = start
    var costs: [Double] = []
    while costs.count < steps, let next = engine.nextWake {
      let wait = max(0, next.milliseconds(since: world.now.tick))
      world.now = world.now.advanced(byMilliseconds: wait)
      var outcome = Outcome()
      let cost = try seconds { outcome = try engine.handle(.time, in: world) ?? Outcome() }
      let touched = Set(outcome.events.compactMap { $0.facts["item"]?.stringContent }).count
      if touched > 0 { costs.append(cost / Double(touched)) }
      // The speaker says what it is told to, so that no queue grows.
      while let sound = outcome.sound {
        let report = SoundReport(sound: sound, outcome: .finished)
        outcome = try engine.handle(.observed(.sound(report)), in: world) ?? Outcome()
      }
    }
    return median(costs)
  }

  /// With nothing to be due there is no timer at all.
  private static func measureIdle(_ table: inout Table) throws {
    let idle = engine(
      of: (0..<1_000).map {
        RoutineItem(id: RoutineItemID("i-\($0)"), resident: "r-0", title: "t", schedule: .never)
      }, try TimeZoneFile.load(name: "Europe/Madrid"))
    table.add(
      "wake-ups with nothing due", idle.nextWake == nil ? "none" : "some", budget: "none",
      isKept: idle.nextWake == nil)
  }
}

extension Outcome {
  /// What is to be played.
  fileprivate var sound: SoundID? {
    actions.lazy.compactMap { if case .play(let request) = $0 { request.id } else { nil } }.first
  }
}
