import Care
import JSON
import Moments
import Recurrence
import Reminders
import Testing
import Texts

/// A trusted clock that was wrong and is put right swallows nothing, whatever it left behind.
@Suite struct ClockPutRightTests {
  /// How the gateway comes to know the right time.
  enum Way: CaseIterable, Sendable {
    /// The clock is set while it runs.
    case running
    /// It is restarted within one boot, and the clock was set between.
    case restarted
    /// It boots with the right time.
    case booted
  }

  static let wrongs: [(way: Way, ahead: Int64)] = Way.allCases.flatMap { way in
    [3_600, 86_400, 20 * 86_400, 4 * 365 * 86_400].map { (way, $0) }
  }

  private func setAhead(_ seconds: Int64, _ home: inout Home) {
    home.setClock(home.now.utc.advanced(byMilliseconds: seconds * 1000))
  }

  private func putRight(_ seconds: Int64, _ way: Way, _ home: inout Home) {
    let right = home.now.utc.advanced(byMilliseconds: -seconds * 1000)
    switch way {
    case .running: home.setClock(right)
    case .restarted:
      home.now.utc = right
      home.rebuild()
      home.tell(.started)
    case .booted:
      home.now.utc = right
      home.cutPower(minutes: 0)
    }
    home.forgetStory()
  }

  private func hourly(_ local: String) -> Schedule {
    .elapsed(
      ElapsedSchedule(everyMinutes: 60, first: Home.date(local), timeZone: "Europe/Madrid"))
  }

  @Test("So long after the last time: it is due again within that time", arguments: wrongs)
  func elapsed(wrong: (way: Way, ahead: Int64)) throws {
    var home = Home()
    try home.add(Home.pill(schedule: hourly("2026-03-02T07:10")))
    home.pass(minutes: 5)
    setAhead(wrong.ahead, &home)
    home.pass(minutes: 11)
    try home.answer("pill", .done)
    putRight(wrong.ahead, wrong.way, &home)
    home.pass(minutes: 58)
    #expect(home.events(.reminderDue).isEmpty, "\(home.story)")
    home.pass(minutes: 3)
    #expect(home.events(.reminderDue).count == 1, "\(wrong): \(home.story)")
  }

  @Test(
    "What is open for a day that has not come is withdrawn, and no alarm comes of it",
    arguments: wrongs.filter { $0.ahead > 3_600 })
  func open(wrong: (way: Way, ahead: Int64)) throws {
    var home = Home()
    try home.add(Home.pill(isCritical: true))
    setAhead(wrong.ahead, &home)
    home.pass(minutes: 65)
    #expect(!home.events(.reminderDue).isEmpty)
    putRight(wrong.ahead, wrong.way, &home)
    home.pass(until: "2026-03-03T07:59")
    let others = home.events.filter { $0.facts["slot"]?.stringContent != "2026-03-02T08:00" }
    #expect(others.allSatisfy { $0.type == .reminderCancelled }, "\(wrong): \(home.story)")
    home.forgetStory()
    home.pass(until: "2026-03-03T08:01")
    #expect(home.story.contains("08:00 reminder.due pill"), "\(wrong): \(home.story)")
  }

  @Test("What was answered a day too early is asked when its day comes", arguments: Way.allCases)
  func answeredAhead(way: Way) throws {
    var home = Home()
    try home.add(Home.pill())
    setAhead(86_400, &home)
    home.pass(minutes: 61)
    try home.answer("pill", .done)
    #expect(home.state("pill", "2026-03-03T08:00") == .done)
    putRight(86_400, way, &home)
    home.pass(until: "2026-03-03T07:59")
    home.forgetStory()
    home.pass(until: "2026-03-03T08:01")
    #expect(home.story.contains("08:00 reminder.due pill"), "\(way): \(home.story)")
  }

  @Test("As needed: the pause counts from now, the day's number is today's", arguments: wrongs)
  func asNeeded(wrong: (way: Way, ahead: Int64)) throws {
    var home = Home()
    try home.add(
      Home.pill(
        schedule: .asNeeded(AsNeededSchedule(minimumGapMinutes: 60, dailyMaximum: 2))))
    setAhead(wrong.ahead, &home)
    try home.answer("pill", .done)
    putRight(wrong.ahead, wrong.way, &home)
    #expect(home.refusal(.answer("pill", slot: nil, .done)) != nil)
    home.pass(minutes: 61)
    try home.answer("pill", .done)
    home.pass(minutes: 61)
    // Two were taken within hours, whatever the clock said of the first.
    let third = home.refusal(.answer("pill", slot: nil, .done))
    #expect(third?.code == .conflict, "\(wrong)")
    home.pass(minutes: 24 * 60)
    try home.answer("pill", .done)
  }
}
