import Care
import JSON
import Moments
import Recurrence
import Reminders
import Testing
import Texts

@Suite("What may be done when, and what an item may be")
struct ItemTests {
  // MARK: DC-5

  @Test(
    "Done since the most recent due time is done; done is refused while it is not due, and the next due is shown"
  )
  func doneOrNot() throws {
    var home = Home(at: "2026-03-02T05:59")
    try home.add(Home.pill(schedule: Home.daily("08:00", "20:00")))
    func look(_ home: Home) -> [String] {
      let summary = home.summary("pill")
      return [
        summary?["state"]?.stringContent ?? "-",
        summary?["isDue"]?.boolContent.map { $0 ? "due" : "not due" } ?? "-",
        summary?["nextDueLocal"]?.stringContent ?? "-",
      ]
    }
    #expect(look(home) == ["waiting", "not due", "2026-03-02T08:00:00+01:00"])
    #expect(
      home.refusal(.answer("pill", slot: nil, .done))?.message.description
        == "blood pressure pill is not due now. It is not due until 2026-03-02 08:00; done early it counts from 2026-03-02 06:00 on."
    )
    home.pass(until: "2026-03-02T08:01")
    #expect(look(home) == ["waiting", "due", "2026-03-02T20:00:00+01:00"])
    try home.answer("pill", .done)
    #expect(look(home) == ["done", "not due", "2026-03-02T20:00:00+01:00"])
    #expect(
      home.refusal(.answer("pill", slot: nil, .done))?.message.description
        == "blood pressure pill was done on 2026-03-02 08:01. It is not due until 2026-03-02 20:00; done early it counts from 2026-03-02 18:00 on."
    )
    home.pass(until: "2026-03-02T19:59")
    #expect(look(home)[0] == "done")
    home.pass(until: "2026-03-03T01:00")
    #expect(look(home) == ["waiting", "due", "2026-03-03T08:00:00+01:00"])
    #expect(home.state("pill", "2026-03-02T20:00") == .missed)
    try home.answer("pill", .done)
    #expect(look(home)[0] == "done")
    #expect(home.refusal(.answer("pill", slot: "2026-03-02T08:00", .done))?.code == .conflict)
    #expect(home.refusal(.answer("pill", slot: "never", .done))?.code == .unknownTarget)
    try home.ask(.setOn("pill", false))
    #expect(look(home) == ["off", "not due", "-"])
    #expect(home.refusal(.answer("pill", slot: nil, .done))?.code == .conflict)
    #expect(home.refusal(.answer("nothing", slot: nil, .done))?.code == .unknownTarget)
  }

  @Test("As needed: at any time, but not too early and not too often; never missed")
  func asNeeded() throws {
    var home = Home(at: "2026-03-02T10:20")
    try home.add(
      Home.pill(schedule: .asNeeded(AsNeededSchedule(minimumGapMinutes: 120, dailyMaximum: 3))))
    home.forgetStory()
    try home.answer("pill", .done)
    home.pass(until: "2026-03-02T12:19")
    #expect(
      home.refusal(.answer("pill", slot: nil, .done))?.message.description
        == "Too early: blood pressure pill was last taken on 2026-03-02 10:20. Wait until 2026-03-02 12:20."
    )
    home.pass(until: "2026-03-02T12:20")
    try home.answer("pill", .done)
    home.cutPower(minutes: 240)
    try home.answer("pill", .done)
    home.pass(until: "2026-03-02T20:00")
    #expect(
      home.refusal(.answer("pill", slot: nil, .done))?.message.description.contains("3 times today")
        == true)
    #expect(home.refusal(.answer("pill", slot: nil, .notNow))?.code == .conflict)
    home.pass(until: "2026-03-03T00:01")
    try home.answer("pill", .done)
    #expect(home.occurrences.count == 4)
    #expect(home.story.allSatisfy { $0.contains("reminder.done") })
  }

  @Test(
    "Stock: each done takes a dose; caregivers are told once that it runs out, and after a restock again"
  )
  func stock() throws {
    var home = Home()
    var item = Home.pill(schedule: Home.daily("08:00", "20:00"))
    item.stock = Stock(units: 6, unitsPerDose: 1, warnDays: 1)
    try home.add(item)
    #expect(home.summary("pill")?["daysLeft"]?.integerContent == 3)
    var told: [Int] = []
    for dose in 1...4 {
      home.pass(minutes: 61)
      while home.summary("pill")?["isDue"]?.boolContent != true { home.pass(minutes: 30) }
      try home.answer("pill", .done)
      told.append(home.events(.stockLow).count)
      #expect(home.items["pill"]?.stock?.units == UnitCount(Int64(6 - dose)))
    }
    #expect(told == [0, 0, 1, 1])
    let low = try #require(home.events(.stockLow).first)
    #expect(low.lane == .alarm && low.facts["severity"]?.stringContent == "notice")
    #expect(low.facts["daysLeft"]?.integerContent == 1)
    let revision = home.items["pill"]?.revision
    let reply = try home.ask(.restock("pill", units: 60))
    #expect(reply["daysLeft"]?.integerContent == 30)
    #expect(home.items["pill"]?.revision == revision.map { $0 + 1 })
    #expect(home.refusal(.restock("pill", units: -1))?.code == .invalid)
  }

  @Test("A change of the item keeps what was counted since somebody looked; a restock sets it")
  func stockAndChange() throws {
    var home = Home()
    var seen = Home.pill(schedule: Home.daily("08:00"))
    seen.stock = Stock(units: 6, unitsPerDose: 2, warnDays: 1)
    try home.add(seen)
    while home.summary("pill")?["isDue"]?.boolContent != true { home.pass(minutes: 30) }
    try home.answer("pill", .done)
    seen.title = "heart pill"
    seen.stock?.warnDays = 3
    try home.ask(.put(seen, revision: 1))
    #expect(home.items["pill"]?.title == "heart pill")
    #expect(home.items["pill"]?.stock == Stock(units: 4, unitsPerDose: 2, warnDays: 3))
    seen.stock = nil
    try home.ask(.put(seen, revision: 2))
    #expect(home.items["pill"]?.stock == nil)
    seen.stock = Stock(units: 9)
    try home.ask(.put(seen, revision: 3))
    #expect(home.items["pill"]?.stock == Stock(units: 9))
  }

  // MARK: Two at once

  @Test(
    "Two change one item at once: the second is told who and when, and both versions are in an event"
  )
  func conflict() throws {
    var home = Home()
    try home.add(Home.pill())
    try home.ask(.put(Home.pill(title: "Anna's"), revision: 1))
    home.pass(minutes: 5)
    let late = RoutineRequest.put(Home.pill(title: "Ben's"), revision: 1)
    let refusal = try #require(home.refusal(late))
    #expect(refusal.code == .conflict)
    #expect(
      refusal.message.description.contains("local:anna")
        && refusal.message.description.contains("2026-03-02 07:00"))
    let event = try #require(refusal.events.first)
    #expect(event.type == .changeConflict)
    #expect(event.facts["held"]?["title"]?.stringContent == "Anna's")
    #expect(event.facts["refused"]?["title"]?.stringContent == "Ben's")
    let removal = try #require(home.refusal(.remove("pill", revision: 1)))
    #expect(removal.code == .conflict && removal.events.map(\.type) == [.changeConflict])
    // Who says nothing of a revision is the last to win, and the one before is in the event.
    try home.ask(.put(Home.pill(title: "Ben's"), revision: nil))
    let changed = try #require(home.events(.recordChanged).last)
    #expect(changed.facts["previous"]?["title"]?.stringContent == "Anna's")
    // When it is due next is told with the change, not only with the next reminder.
    #expect(changed.facts["nextDue"]?.stringContent?.hasPrefix("2026-03-02T") == true)
    #expect(home.items["pill"]?.revision == 3)
  }

  // MARK: Bad input

  @Test("Bad items are refused with what to do, and nothing changes")
  func badItems() throws {
    var home = Home()
    try home.add(Home.pill())
    func changed(_ change: (inout RoutineItem) -> Void) -> RoutineItem {
      var item = Home.pill()
      change(&item)
      return item
    }
    let never = Schedule.calendar(
      CalendarSchedule(
        start: Home.date("2026-02-01T08:00"),
        rule: Home.rule("FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30"),
        timeZone: "Europe/Madrid"))
    let bad: [RoutineItem] = [
      changed { $0.title = "" }, changed { $0.title = "   " },
      changed { $0.title = String(repeating: "x", count: 10_000) },
      changed { $0.title = "two\nlines" },
      changed { $0.details = String(repeating: "x", count: 10_001) },
      changed { $0.details = "a\0b" }, changed { $0.id = "Not An Id" }, changed { $0.id = "" },
      changed { $0.resident = "nobody" }, changed { $0.recording = "relative.wav" },
      changed { $0.picture = "aa" },
      changed { $0.stock = Stock(units: -1) }, changed { $0.timing.attempts = 21 },
      changed { $0.timing.quietHours = "25:00-26:00" },
      changed { $0.schedule = Home.daily("08:00", zone: "Nowhere/Land") },
      changed { $0.schedule = never },
      changed {
        $0.schedule = .asNeeded(AsNeededSchedule(minimumGapMinutes: -1, dailyMaximum: 1))
      },
      changed { $0.dose = String(repeating: "x", count: 101) },
      changed { $0.place = String(repeating: "x", count: 201) },
    ]
    for item in bad {
      let refusal = try #require(
        home.refusal(.put(item, revision: nil)), "\(String(item.json.serialized.prefix(200)))")
      #expect(refusal.code == .invalid || refusal.code == .unknownTarget)
      #expect(refusal.message.description.count < 400)
    }
    #expect(
      home.refusal(
        .put(changed { $0.details = String(repeating: "长", count: 10_000) }, revision: nil)) == nil)
    #expect(home.refusal(.put(Home.pill("other"), revision: 4))?.code == .unknownTarget)
  }

  @Test("At most 1,000 items for one resident")
  func tooMany() throws {
    var home = Home()
    let items = (0..<1000).map {
      RoutineItem(
        id: RoutineItemID("i-\($0)"), resident: "ada", title: "t", schedule: .never, source: "cal")
    }
    try home.ask(.replace(resident: "ada", source: "cal", items: items))
    #expect(home.items.count == 1000)
    #expect(home.refusal(.put(Home.pill(), revision: nil))?.code == .conflict)
  }

  @Test("A calendar replaces its own items, all or nothing, and leaves the others alone")
  func replace() throws {
    var home = Home()
    try home.add(Home.pill())
    func item(_ id: RoutineItemID, _ title: String) -> RoutineItem {
      RoutineItem(
        id: id, resident: "ada", kind: .appointment, title: title, schedule: Home.daily("15:00"),
        source: "family")
    }
    try home.ask(
      .replace(resident: "ada", source: "family", items: [item("a", "A"), item("b", "B")]))
    home.forgetStory()
    let bad = [item("a", "changed"), item("pill", "stolen")]
    #expect(
      home.refusal(.replace(resident: "ada", source: "family", items: bad))?.code == .conflict)
    #expect(home.items["a"]?.title == "A")
    #expect(
      home.refusal(
        .replace(resident: "ada", source: "family", items: [item("a", "x"), item("a", "y")]))?.code
        == .invalid)
    let reply = try home.ask(
      .replace(resident: "ada", source: "family", items: [item("b", "B"), item("c", "C")]))
    #expect(reply["changed"]?.integerContent == 1 && reply["removed"]?.integerContent == 1)
    #expect(home.items.keys.sorted() == ["b", "c", "pill"])
    #expect(home.events.map { $0.facts["target"]?.stringContent } == ["a", "c"])
  }

  @Test("A calendar that hands over again leaves what the family decided about its items")
  func replaceKeepsDecisions() throws {
    var home = Home()
    var walk = RoutineItem(
      id: "walk", resident: "ada", kind: .appointment, title: "Walk",
      schedule: Home.daily("15:00"), source: "family")
    try home.ask(.replace(resident: "ada", source: "family", items: [walk]))
    var decided = walk
    decided.isCritical = true
    decided.recording = "/var/lib/homeward/voices/anna.wav"
    decided.picture = "aa"
    home.pictures = ["aa"]
    decided.dose = "20 minutes"
    decided.timing.repeatMinutes = 5
    try home.ask(.put(decided, revision: nil))
    try home.ask(.setOn("walk", false))
    walk.title = "Walk with Erik"
    walk.timing.noticeMinutes = 15
    try home.ask(.replace(resident: "ada", source: "family", items: [walk]))
    let item = try #require(home.items["walk"])
    #expect(item.title == "Walk with Erik" && item.timing.noticeMinutes == 15)
    #expect(!item.isOn && item.isCritical && item.timing.repeatMinutes == 5)
    #expect(item.picture == "aa" && item.recording == decided.recording)
    #expect(item.dose == "20 minutes")
  }

  // MARK: The resident moves

  @Test("A new zone asks once; keep leaves the times, move takes them along, nothing fires twice")
  func zoneChange() throws {
    var home = Home(at: "2026-03-02T08:05")
    try home.add(Home.pill(schedule: Home.daily("08:30", "21:00")))
    home.pass(until: "2026-03-02T08:31")
    try home.answer("pill", .done)
    home.residents = [Resident(id: "ada", name: "Ada", timeZone: "Europe/London")]
    home.tell(.residentsChanged(home.residents))
    home.tell(.residentsChanged(home.residents))
    let asked = home.events(.routineZoneAsked)
    #expect(asked.count == 1)
    #expect(asked.first?.facts["items"]?.integerContent == 1)
    home.cutPower(minutes: 1)
    #expect(home.items["pill"]?.schedule.timeZone == "Europe/Madrid")
    let reply = try home.ask(.answerZone(resident: "ada", .move))
    #expect(reply["moved"]?.integerContent == 1)
    home.forgetStory()
    // 08:30 in London is 09:30 in Madrid: its key was answered.
    home.pass(until: "2026-03-02T21:30")
    #expect(home.story.isEmpty)
    home.pass(until: "2026-03-02T22:01")
    #expect(home.story.first == "22:00 reminder.due pill")
    #expect(home.refusal(.answerZone(resident: "ada", .keep))?.code == .conflict)
  }

  @Test("An erased resident leaves nothing behind, and what sounds stops")
  func erased() throws {
    var home = Home()
    try home.add(Home.pill())
    home.pass(minutes: 60.5, endingSounds: false)
    #expect(home.sounding.count == 1)
    home.residents = []
    var engine = home.engine
    let outcome = try #require(try engine.handle(.changed(.erased("ada")), in: home.world))
    #expect(outcome.events.isEmpty)
    #expect(outcome.actions.count == 1)
    #expect(engine.items.isEmpty && engine.nextWake == nil)
    var state = StoredState()
    engine.store(in: &state)
    #expect(state.routineItems.isEmpty && state.occurrences.isEmpty)
    #expect(!state.engineRows.contains { $0.subject == "ada" })
  }

  @Test(
    "Adherence: done among done and missed, over 7 and 30 days; late ones shown, as-needed left out"
  )
  func adherence() throws {
    var home = Home()
    try home.add(Home.pill())
    try home.add(
      Home.pill("prn", schedule: .asNeeded(AsNeededSchedule(minimumGapMinutes: 0, dailyMaximum: 9)))
    )
    for day in 0..<20 {
      home.pass(until: "2026-03-\(day + 2 < 10 ? "0" : "")\(day + 2)T08:00")
      if day % 4 == 0 { try home.answer("pill", .snooze(minutes: 5)) }
      if day % 4 != 3 {
        home.pass(minutes: 6)
        try home.answer("pill", .done)
        try home.answer("prn", .done)
      }
      home.pass(minutes: 300)
    }
    let week = Adherence(home.occurrences.values, days: 7, before: home.now.utc, asNeeded: ["prn"])
    let month = Adherence(
      home.occurrences.values, days: 30, before: home.now.utc, asNeeded: ["prn"])
    #expect([month.done, month.late, month.missed] == [15, 5, 5])
    #expect(month.share == 0.75)
    #expect(week.done + week.missed == 7)
    #expect(Adherence([], days: 7, before: home.now.utc).share == nil)
  }

  @Test("Settings hold for the resident, an item's own for the item; what does not fit is refused")
  func settings() throws {
    var home = Home(settings: ["reminderRepeatMinutes": 20, "reminderAttempts": 2])
    try home.add(Home.pill())
    var other = Home.pill("other")
    other.timing.repeatMinutes = 5
    try home.add(other)
    home.pass(until: "2026-03-02T09:30")
    #expect(
      home.story.filter { $0.contains("prompted") } == [
        "08:00 reminder.prompted other", "08:00 reminder.prompted pill",
        "08:05 reminder.prompted other", "08:20 reminder.prompted pill",
      ])
    var settings = ReminderSettings()
    for (name, value) in [
      ("reminderRepeatMinutes", JSONValue.integer(0)), ("reminderAttempts", 21),
      ("reminderQuietHours", "night"), ("reminderNonsense", 1),
    ] {
      #expect(throws: CommandReply.Refusal.self) { try settings.set(name, to: value) }
    }
    for name in ReminderSettings.names {
      let value = try #require(ReminderSettings().value(name))
      try settings.set(name, to: value)
      try settings.set(name, to: .null)
    }
    #expect(settings == ReminderSettings())
  }
}
