import Care
import CivilTime
import Core
import JSON
import Moments
import Recurrence
import Testing

/// What a planned absence does to walks and alarms.
@Suite struct AbsenceStepTests {
  /// Mary at home, with Anna who is told; it is 20:36:40 where she lives, on a Wednesday.
  private func home(_ tune: (inout CoreFixture) -> Void = { _ in }) -> CoreFixture {
    var fixture = CoreFixture()
    fixture.step(.started(version: "0"))
    fixture.step(.timeZone(name: "Australia/Darwin", file: RoutineStepTests.darwin))
    fixture.perform(.putResident(CoreFixture.mary))
    fixture.perform(.putZone(CoreFixture.zone()))
    fixture.perform(
      .putGuardian(
        Guardian(id: "anna", resident: "mary", name: "Anna", email: "anna@example.org")))
    tune(&fixture)
    for _ in 0..<3 { fixture.step(fixture.fix(metersNorth: 0), afterSeconds: 20) }
    return fixture
  }

  private func absence(
    from: String = "20:30", until: String = "22:00", grace: Int64 = 30, zone: ZoneID? = nil,
    id: AbsenceID = "day-centre"
  ) throws -> Absence {
    Absence(
      id: id, resident: "mary", name: "Day centre", days: .weekly([.wednesday]),
      from: try #require(TimeOfDay(text: from)), until: try #require(TimeOfDay(text: until)),
      graceMinutes: grace, zone: zone)
  }

  private func walk(
    from start: Double, to end: Double, _ fixture: inout CoreFixture
  ) -> [Event] {
    let before = fixture.results.count
    for step in 0...30 {
      let place = start + (end - start) * Double(step) / 30
      fixture.step(fixture.fix(metersNorth: place), afterSeconds: 20)
    }
    return fixture.results.dropFirst(before).flatMap(\.events)
  }

  /// Stays where she is for so long.
  private func stay(
    _ meters: Double, forMinutes minutes: Int, _ fixture: inout CoreFixture
  ) -> [Event] {
    let before = fixture.results.count
    for _ in 0..<minutes { fixture.step(fixture.fix(metersNorth: meters), afterSeconds: 60) }
    return fixture.results.dropFirst(before).flatMap(\.events)
  }

  private func zoneAlarms(_ fixture: CoreFixture) -> [JSONValue] {
    fixture.core.alarms.summaries().filter { $0["kind"] == "zone" }
  }

  private func isDone(_ result: StepResult) -> Bool {
    if case .done = result.reply { return true }
    return false
  }

  @Test("Out for the day centre is no alarm, and the event says what was expected")
  func expected() throws {
    var fixture = home()
    #expect(isDone(fixture.perform(.absence(.put(try absence())))))
    let events = walk(from: 0, to: 400, &fixture)
    let left = try #require(events.first { $0.type == .zoneLeft })
    #expect(left.facts["isExpected"] == true && left.facts["absenceName"] == "Day centre")
    #expect(left.facts["untilLocal"] == "22:00")
    #expect(
      left.facts["explanation"]?.stringContent?.hasSuffix(
        "It is expected: Day centre, until 22:00.") == true)
    #expect(!events.contains { $0.type == .alarmRaised } && zoneAlarms(fixture).isEmpty)
    let shown = try #require(fixture.core.household.residentSummaries.first?["absence"])
    #expect(shown["name"] == "Day centre" && shown["isAway"] == true)
  }

  @Test("Out still after the grace: the alarm says what was expected, and coming home ends it")
  func overdue() throws {
    var fixture = home()
    fixture.perform(.absence(.put(try absence(until: "21:00", grace: 10))))
    _ = walk(from: 0, to: 400, &fixture)
    let events = stay(400, forMinutes: 30, &fixture)
    let raised = try #require(events.first { $0.type == .alarmRaised })
    #expect(raised.facts["text"] == "Mary was expected back from Day centre at 21:00.")
    #expect(events.filter { $0.type == .alarmRaised }.count == 1)
    let messages = fixture.results.flatMap(\.actions).compactMap { action -> String? in
      guard case .notify(let message) = action else { return nil }
      return message.text
    }
    #expect(
      messages.contains { $0.contains("Mary 21:10 was expected back: 21:00 Day centre.") },
      "\(messages)")
    _ = walk(from: 400, to: 0, &fixture)
    #expect(zoneAlarms(fixture).isEmpty)
  }

  @Test("Home early and out again is an alarm as always")
  func homeEarly() throws {
    var fixture = home()
    fixture.perform(.absence(.put(try absence())))
    _ = walk(from: 0, to: 400, &fixture)
    _ = walk(from: 400, to: 0, &fixture)
    let events = walk(from: 0, to: 400, &fixture)
    #expect(events.contains { $0.type == .alarmRaised })
    #expect(events.first { $0.type == .zoneLeft }?.facts["isExpected"] == nil)
  }

  @Test("Removed while she is out: the alarm is raised in the same step")
  func removed() throws {
    var fixture = home()
    fixture.perform(.absence(.put(try absence())))
    _ = walk(from: 0, to: 400, &fixture)
    let events = fixture.perform(.absence(.remove("day-centre"))).events
    let raised = try #require(events.first { $0.type == .alarmRaised })
    #expect(
      raised.facts["text"]
        == "The planned absence of Mary, Day centre, was removed. Mary is outside of all safe zones."
    )
  }

  @Test("Planned while she is out: the open alarm about being outside ends in the same step")
  func plannedAfterwards() throws {
    var fixture = home()
    _ = walk(from: 0, to: 400, &fixture)
    #expect(zoneAlarms(fixture).count == 1)
    let events = fixture.perform(.absence(.put(try absence()))).events
    let resolved = try #require(events.first { $0.type == .alarmResolved })
    #expect(resolved.facts["reason"] == "Is expected to be out: Day centre, until 22:00.")
    #expect(zoneAlarms(fixture).isEmpty)
  }

  @Test("An alarm that is open when a planned absence begins stays open")
  func beginsMeanwhile() throws {
    var fixture = home()
    fixture.perform(.absence(.put(try absence(from: "20:55"))))
    let events = walk(from: 0, to: 400, &fixture) + stay(400, forMinutes: 30, &fixture)
    #expect(events.contains { $0.type == .absenceBegan })
    #expect(zoneAlarms(fixture).count == 1)
  }

  @Test("A zone with an alarm of its own, and an SOS, are as always")
  func othersAsAlways() throws {
    var fixture = home { fixture in
      var watched = CoreFixture.zone()
      watched.alarmsOnLeaving = true
      fixture.perform(.putZone(watched))
    }
    fixture.perform(.absence(.put(try absence())))
    #expect(walk(from: 0, to: 400, &fixture).contains { $0.type == .alarmRaised })
    let events = fixture.perform(
      .alarm(.raise(resident: "mary", kind: .sos, trigger: .commandLine, text: ""))
    ).events
    #expect(events.contains { $0.type == .alarmRaised && $0.facts["kind"] == "sos" })
  }

  @Test("Without a trusted clock nothing is hidden, and it is said")
  func untrusted() throws {
    var fixture = home()
    fixture.perform(.absence(.put(try absence())))
    fixture.now.quality = .untrusted
    let events = walk(from: 0, to: 400, &fixture)
    let left = try #require(events.first { $0.type == .zoneLeft })
    #expect(left.facts["isExpected"] == nil)
    #expect(
      left.facts["explanation"]?.stringContent?.hasSuffix(
        "While nobody knows the time, no planned absence explains it.") == true)
    #expect(zoneAlarms(fixture).count == 1)
    guard case .done(let reply) = fixture.perform(.absence(.put(try absence(id: "x")))).reply else {
      Issue.record("refused")
      return
    }
    #expect(reply["isClockTrusted"] == false && reply["isOn"] == false)
  }

  @Test("Another run over the same rows goes on, and an erased resident leaves no row")
  func restart() throws {
    var fixture = home()
    fixture.perform(.absence(.put(try absence(until: "21:00", grace: 10))))
    _ = walk(from: 0, to: 400, &fixture)
    var stored = fixture.core.storedState
    #expect(stored.engineRows.contains { $0.engine == "absences" && $0.subject == "mary" })
    var next = CoreFixture(stored: stored, seed: 4, at: fixture.now)
    next.step(.started(version: "0"))
    next.step(.timeZone(name: "Australia/Darwin", file: RoutineStepTests.darwin))
    #expect(zoneAlarms(next).isEmpty)
    #expect(stay(400, forMinutes: 30, &next).contains { $0.type == .alarmRaised })
    // The run before used the first ids, and what was done is not done again.
    next.perform(.eraseResident("mary"), id: "erase")
    stored = next.core.storedState
    #expect(!stored.engineRows.contains { $0.engine == "absences" })
  }

  @Test("What falls due meanwhile is named, and a plugin needs an expiry as for zones")
  func routineAndPlugins() throws {
    var fixture = home()
    let pill = RoutineItem(
      id: "pill", resident: "mary", kind: .medicine, title: "heart pill",
      schedule: .calendar(
        CalendarSchedule(
          start: CivilDateTime(year: 2026, month: 1, day: 1, hour: 21),
          rule: try RecurrenceRule(text: "FREQ=DAILY"), timeZone: "Australia/Darwin")))
    fixture.perform(.routine(.put(pill, revision: nil)))
    guard case .done(let reply) = fixture.perform(.absence(.put(try absence()))).reply else {
      Issue.record("refused")
      return
    }
    #expect(
      reply["routine"] == [
        ["item": "pill", "title": "heart pill", "kind": "medicine", "times": ["21:00"]]
      ])
    let plugin = Principal(channel: .plugin, name: "mqtt/anna")
    let request = Command.Request.absence(.remove("day-centre"))
    #expect(fixture.perform(request, by: plugin).reply?.refusalCode == .expired)
    #expect(isDone(fixture.perform(request, by: plugin, expiresIn: 60)))
  }

  @Test("With tracking off nobody is missed")
  func trackingOff() throws {
    var fixture = home()
    fixture.perform(.absence(.put(try absence(until: "21:00", grace: 10))))
    _ = walk(from: 0, to: 400, &fixture)
    fixture.perform(.setTracking(resident: "mary", isOn: false))
    #expect(!stay(400, forMinutes: 30, &fixture).contains { $0.type == .alarmRaised })
  }

  @Test("Who refused to be located is not shown to be anywhere")
  func consent() throws {
    var fixture = home()
    fixture.perform(.absence(.put(try absence())))
    #expect(fixture.core.household.residentSummaries.first?["absence"] != nil)
    fixture.perform(
      .putConsent(resident: "mary", kind: .location, isGranted: false, by: "Mary"))
    #expect(fixture.core.household.residentSummaries.first?["absence"] == nil)
  }
}
