import Bytes
import Care
import JSON
import Moments
import Recurrence
import Reminders
import TestSupport
import Testing

@Suite("Reminders after a restart")
struct RestartTests {
  /// A week with every kind of item and answers drawn from a seed.
  private func week(seed: UInt64, isForgetful: Bool) throws -> Home {
    var random = SplitMix64(seed: seed)
    var home = Home(settings: ["reminderNoticeMinutes": 5])
    home.isForgetful = isForgetful
    try home.add(Home.pill(isCritical: true))
    try home.add(Home.pill("twice", schedule: Home.daily("08:00", "20:00")))
    try home.add(Home.pill("night", schedule: Home.daily("23:30")))
    try home.add(
      Home.pill(
        "every",
        schedule: .elapsed(
          ElapsedSchedule(
            everyMinutes: 300, first: Home.date("2026-03-02T09:00"), timeZone: "Europe/Madrid"))))
    try home.add(
      Home.pill(
        "prn", schedule: .asNeeded(AsNeededSchedule(minimumGapMinutes: 60, dailyMaximum: 2))))
    for _ in 0..<400 {
      home.pass(minutes: Double(random.next() % 60), endingSounds: random.next() % 2 == 0)
      let id: RoutineItemID = ["pill", "twice", "night", "every", "prn"][Int(random.next() % 5)]
      switch random.next() % 8 {
      case 0, 1: try? home.answer(id, .done)
      case 2: try? home.answer(id, .notNow)
      case 3: try? home.answer(id, .skip(reason: "no"))
      case 4: try? home.answer(id, .snooze(minutes: 7))
      case 5: home.press(isDone: random.next() % 2 == 0)
      case 6: home.tell(.alarmBegan)
      default: home.endSounds()
      }
    }
    return home
  }

  @Test(
    "Made anew from what is stored after every step it does the same",
    arguments: 1...TestSize.count(whole: 3, usual: 1))
  func rebuilt(week number: Int) throws {
    let seed = UInt64(number)
    let kept = try week(seed: seed, isForgetful: false)
    let forgetful = try week(seed: seed, isForgetful: true)
    let first = zip(kept.story, forgetful.story).enumerated().first { $0.element.0 != $0.element.1 }
    #expect(first == nil, "\(first.map { kept.story[max(0, $0.offset - 4)..<$0.offset] } ?? [])")
    #expect(kept.story.count == forgetful.story.count)
    #expect(kept.occurrences == forgetful.occurrences)
    #expect(kept.story.count > 400)
  }

  @Test(
    "What was cut short by a power cut is said again; the press for it is not lost on the clock")
  func soundCutShort() throws {
    var home = Home()
    try home.add(Home.pill())
    home.pass(minutes: 60.2, endingSounds: false)
    home.forgetStory()
    home.cutPower(minutes: 1)
    #expect(home.said == ["Please take your blood pressure pill, 1 tablet."])
    home.expectPress()
    #expect(home.state("pill", "2026-03-02T08:00") == .done)
  }

  @Test(
    "Rows that cannot be read are removed and the item goes on; open due times of lost items are closed"
  )
  func damaged() throws {
    var home = Home()
    try home.add(Home.pill())
    home.pass(until: "2026-03-02T08:01")
    var world = home.world
    world.boot = "other"
    var engine = ReminderEngine(
      stored: StoredState(
        routineItems: [Home.pill()],
        occurrences: Array(home.occurrences.values) + [
          Occurrence(
            item: "lost", resident: "ada", slot: "2026-03-01T08:00",
            due: Home.local("2026-03-01T08:00"), state: .prompted, changedAt: home.now.utc)
        ],
        engineRows: [
          EngineRow(engine: "reminders", subject: "ada", name: "item:pill", content: "nonsense"),
          EngineRow(engine: "reminders", subject: "ada", name: "what", content: .object([])),
          EngineRow(engine: "glucose", subject: "ada", name: "what", content: .object([])),
        ]), seed: 0, in: world)
    #expect(engine.nextWake.map { $0 <= home.now.tick } == true)
    let outcome = try #require(try engine.handle(.started(version: "1"), in: world))
    let removed = outcome.changes.compactMap {
      if case .removeEngineRow(_, _, let name) = $0 { name } else { nil }
    }
    #expect(Set(removed) == ["item:pill", "what"])
    let closed = outcome.changes.compactMap { $0.row(Occurrence.self, in: .occurrence) }
    #expect(closed.map(\.item) == ["lost"] && closed.first?.state == .cancelled)
    world.now = home.now.advanced(byMilliseconds: 10 * 60_000)
    let later = try #require(try engine.handle(.time, in: world))
    #expect(later.events.map(\.type) == [.reminderPrompted])
  }
}
