import Bytes
import Care
import Core
import Foundation
import Moments
import Recurrence
import Reminders
import TestSupport
import Testing

/// A year in a house with daylight saving, 30 items, random answers, power cuts and wrong clocks.
@Suite("A simulated year")
struct SimulatedYearTests {
  @Test("Every due time of a year, or of its half, ends exactly once in exactly one final state")
  func year() throws {
    let seed: UInt64 = 1
    let began = Date()
    var year = SimulatedYear(seed: seed)
    try year.addItems()
    year.live(days: TestSize.count(whole: 365, usual: 182))
    let faults = year.faults()
    #expect(faults.isEmpty, "\(faults.prefix(10).joined(separator: "\n"))")
    let few = TestSize.count(whole: 20, usual: 10)
    #expect(year.cuts > few && year.clockErrors > few)
    let states = Dictionary(grouping: year.due.values, by: \.state).mapValues(\.count)
    for state in [Occurrence.State.done, .missed, .skipped, .notNow] {
      #expect(states[state, default: 0] > few)
    }
    let seconds = Date().timeIntervalSince(began)
    print(
      "simulated year, seed \(seed): \(year.due.count) due times, \(year.steps) steps, \(year.cuts) power cuts, "
        + "\(year.clockErrors) clock errors, \(states.map { "\($0.value) \($0.key.rawValue)" }.sorted().joined(separator: ", ")): "
        + String(format: "%.1f s", seconds))
  }
}

/// The house, its store and its time.
private struct SimulatedYear {
  private var core: GatewayCore
  private var random: SplitMix64
  /// The true time, which the gateway's clock shows unless it is wrong.
  private var truth: Timestamp
  private var tick = Tick.seconds(10)
  /// How far the gateway's clock is off, in milliseconds.
  private var offset: Int64 = 0
  private var quality = TimeQuality.synchronised
  private var boot = 1
  private var stored = StoredState(residents: [
    Resident(id: "ada", name: "Ada", timeZone: "America/New_York")
  ])
  private(set) var due: [String: Occurrence] = [:]
  private var writes: [String: [Occurrence.State]] = [:]
  private(set) var steps = 0
  private(set) var cuts = 0
  private(set) var clockErrors = 0
  private var commands = 0
  private var problems: [String] = []
  private let start: Timestamp
  private var end: Timestamp
  private static let file: [UInt8] = {
    let url = URL(fileURLWithPath: "/usr/share/zoneinfo/America/New_York")
    guard let data = try? Data(contentsOf: url) else { preconditionFailure("tzdata is needed") }
    return [UInt8](data)
  }()

  init(seed: UInt64) {
    random = SplitMix64(seed: seed)
    // 1 January 2026, noon in New York.
    start = Timestamp(milliseconds: 1_767_286_800_000)
    truth = start
    end = start
    core = Self.core(
      stored, boot: 1, seed: seed, at: Moment(tick: tick, utc: truth, quality: .synchronised))
    begin()
  }

  private static func core(
    _ stored: StoredState, boot: Int, seed: UInt64, at now: Moment
  ) -> GatewayCore {
    var configuration = CoreConfiguration(gateway: "year", heartbeatSeconds: 86_400)
    configuration.timeZoneFiles["America/New_York"] = Self.file
    return GatewayCore(
      stored: stored, configuration: configuration, seed: seed, boot: BootID("boot-\(boot)"),
      at: now)
  }

  private var now: Moment {
    Moment(tick: tick, utc: truth.advanced(byMilliseconds: offset), quality: quality)
  }

  private mutating func begin() { step(.started(version: "year")) }

  // MARK: Items

  /// Wall-clock items of all kinds; each local time is unlike the others by some minutes.
  mutating func addItems() throws {
    let rules = [
      "FREQ=DAILY", "FREQ=DAILY;INTERVAL=2", "FREQ=WEEKLY;BYDAY=MO,WE,FR",
      "FREQ=MONTHLY;BYMONTHDAY=31",
      "FREQ=MONTHLY;BYDAY=3TU", "FREQ=WEEKLY;INTERVAL=2;BYDAY=SU",
    ]
    let hours = [2, 8, 12, 18, 21]
    for number in 0..<30 {
      let start = CivilDateTime(
        year: 2025, month: 12, day: 1 + number % 5, hour: hours[number % 5], minute: number)
      try put(number, rule: rules[number % 6], start: start)
    }
  }

  private var items: [RoutineItemID: CalendarSchedule] = [:]

  private mutating func put(_ number: Int, rule: String, start: CivilDateTime) throws {
    let schedule = CalendarSchedule(
      start: start, rule: try RecurrenceRule(text: rule), timeZone: "America/New_York")
    let id = RoutineItemID("item-\(number)")
    items[id] = schedule
    var item = RoutineItem(
      id: id, resident: "ada", kind: .medicine, title: "Item \(number)",
      isCritical: number % 15 == 0, schedule: .calendar(schedule))
    if number % 4 == 1 { item.timing.noticeMinutes = 15 }
    ask(.put(item, revision: nil))
  }

  // MARK: Time

  mutating func live(days: Int) {
    let last = start.advanced(byMilliseconds: Int64(days) * 86_400_000)
    while truth < last, problems.isEmpty {
      // Something comes between on average every hour.
      pass(minutes: Int64(random.next() % 120))
      switch random.next() % 400 {
      case 0, 1: cutPower()
      case 2, 3: setClockWrong()
      case 4..<8: _ = step(press(.double))
      case 8..<40: _ = step(press(.press))
      default: answerSomething()
      }
    }
    // What is open ends within the day after.
    setClock(offset: 0)
    end = truth
    pass(minutes: 1440)
  }

  private mutating func pass(minutes: Int64) {
    let end = tick.advanced(byMilliseconds: minutes * 60_000)
    var guardrail = 0
    while let next = core.nextWake, next <= end {
      guardrail += 1
      guard guardrail < 2_000 else {
        problems.append("the core never sleeps")
        return
      }
      advance(max(0, next.milliseconds(since: tick)))
      let result = step(.wake)
      endSounds(result)
    }
    advance(max(0, end.milliseconds(since: tick)))
  }

  private mutating func advance(_ milliseconds: Int64) {
    tick = tick.advanced(byMilliseconds: milliseconds)
    truth = truth.advanced(byMilliseconds: milliseconds)
  }

  private mutating func endSounds(_ result: StepResult) {
    for action in result.actions {
      guard case .play(let request) = action, random.next() % 3 != 0 else { continue }
      step(.observation(.sound(SoundReport(sound: request.id, outcome: .finished))))
    }
  }

  private func press(_ gesture: ButtonGesture) -> CoreInput {
    .observation(.button(ButtonReport(button: "wired", gesture: gesture, edge: tick)))
  }

  private mutating func answerSomething() {
    let id = RoutineItemID("item-\(random.next() % 30)")
    switch random.next() % 6 {
    case 0, 1, 2: ask(.answer(id, slot: nil, .done))
    case 3: ask(.answer(id, slot: nil, .notNow))
    case 4: ask(.answer(id, slot: nil, .skip(reason: "by dice")))
    default: ask(.answer(id, slot: nil, .snooze(minutes: 15)))
    }
  }

  private mutating func ask(_ request: RoutineRequest) {
    commands += 1
    step(
      .command(
        Command(
          id: CommandID("c-\(commands)"), principal: Principal(channel: .local, name: "anna"),
          request: .routine(request))))
  }

  // MARK: What goes wrong

  private mutating func cutPower() {
    cuts += 1
    let minutes = [2, 20, 90, 600, 3 * 1440][Int(random.next() % 5)]
    truth = truth.advanced(byMilliseconds: Int64(minutes) * 60_000)
    boot += 1
    tick = .seconds(Int64(5 + random.next() % 60))
    quality = random.next() % 3 == 0 ? .untrusted : .synchronised
    offset = quality.isTrusted ? 0 : -Int64(minutes) * 60_000
    var state = core.storedState
    // The store hands out what was written: compare with what the core says it holds.
    state.occurrences = Array(due.values).filter { !$0.state.isFinal }
    let final = Dictionary(grouping: due.values.filter(\.state.isFinal), by: \.item)
    for (_, closed) in final {
      state.occurrences += closed.sorted { $0.due > $1.due }.prefix(16)
    }
    core = Self.core(state, boot: boot, seed: random.next(), at: now)
    begin()
    guard !quality.isTrusted else { return }
    pass(minutes: Int64(random.next() % 90))
    setClock(offset: 0)
  }

  private mutating func setClockWrong() {
    clockErrors += 1
    let hour: Int64 = 3_600_000
    let errors = [hour, -hour, 2 * hour, -3 * hour, 30 * hour, 30 * 8766 * hour]
    setClock(offset: errors[Int(random.next() % 6)])
    pass(minutes: Int64(random.next() % 60))
    setClock(offset: 0)
  }

  private mutating func setClock(offset wanted: Int64) {
    let jump = wanted - offset
    offset = wanted
    quality = .synchronised
    step(.observation(.clock(ClockReport(quality: .synchronised, stepMilliseconds: jump))))
  }

  // MARK: One step

  @discardableResult
  private mutating func step(_ input: CoreInput) -> StepResult {
    steps += 1
    let result = core.step(input, at: now)
    for change in result.changes {
      guard let occurrence = change.row(Occurrence.self, in: .occurrence) else { continue }
      let key = "\(occurrence.item) \(occurrence.slot)"
      if let old = due[key], old.state.isFinal, !old.by.isEmpty, !occurrence.state.isFinal {
        problems.append("\(key) was answered (\(old.state.rawValue)) and fires again")
      }
      due[key] = occurrence
    }
    return result
  }

  // MARK: What must hold

  /// What is wrong with the year; empty when nothing is.
  func faults() -> [String] {
    var faults = problems
    var expected: Set<String> = []
    for (id, schedule) in items {
      for slot in PlainCalendar(schedule).slots(after: start, before: end) {
        expected.insert("\(id) \(slot)")
      }
    }
    let inYear = due.filter { $0.value.due > start && $0.value.due <= end }
    for key in expected.subtracting(inYear.keys).sorted() { faults.append("\(key) never came") }
    for key in Set(inYear.keys).subtracting(expected).sorted() { faults.append("\(key) is none") }
    for (key, occurrence) in inYear.sorted(by: { $0.key < $1.key }) where expected.contains(key) {
      if !occurrence.state.isFinal {
        faults.append("\(key) is \(occurrence.state.rawValue) for ever")
      }
    }
    return faults
  }
}

/// The due times of the simulated items, by Foundation's calendar: written apart from the code that is tested.
private struct PlainCalendar {
  let schedule: CalendarSchedule

  init(_ schedule: CalendarSchedule) { self.schedule = schedule }

  func slots(after start: Timestamp, before end: Timestamp) -> [String] {
    guard let zone = TimeZone(identifier: "America/New_York") else { return [] }
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = zone
    var slots: [String] = []
    let first = schedule.start.daysSinceEpoch
    let beginning = CivilDateTime(year: 2026, month: 1, day: 1).daysSinceEpoch
    for day in max(first, beginning)..<(beginning + 370) where isDue(day, first) {
      let date = CivilDateTime(utc: Timestamp(milliseconds: day * 86_400_000))
      let hour = schedule.start.hour
      let minute = schedule.start.minute
      var parts = DateComponents()
      (parts.year, parts.month, parts.day) = (date.year, date.month, date.day)
      (parts.hour, parts.minute) = (hour, minute)
      // In the gap of March Foundation moves on by the gap, as RFC 5545 does.
      guard let moment = calendar.date(from: parts) else { continue }
      let due = Timestamp(milliseconds: Int64(moment.timeIntervalSince1970 * 1000))
      guard due > start, due <= end else { continue }
      slots.append(
        String(
          format: "%04d-%02d-%02dT%02d:%02d", date.year, date.month, date.day, hour, minute))
    }
    return slots
  }

  private func isDue(_ day: Int64, _ first: Int64) -> Bool {
    let date = CivilDateTime(utc: Timestamp(milliseconds: day * 86_400_000))
    // 1970-01-01 was a Thursday; 0 is Monday.
    let weekday = (day + 3) % 7
    switch schedule.rule?.text {
    case "FREQ=DAILY": return true
    case "FREQ=DAILY;INTERVAL=2": return (day - first) % 2 == 0
    case "FREQ=WEEKLY;BYDAY=MO,WE,FR": return [0, 2, 4].contains(weekday)
    case "FREQ=MONTHLY;BYMONTHDAY=31": return date.day == 31
    case "FREQ=MONTHLY;BYDAY=3TU": return weekday == 1 && (15...21).contains(date.day)
    case "FREQ=WEEKLY;INTERVAL=2;BYDAY=SU":
      let week = (day + 3) / 7 - (first + 3) / 7
      return weekday == 6 && week % 2 == 0
    default: return false
    }
  }
}
