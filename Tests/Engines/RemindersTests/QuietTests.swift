import Care
import CivilTime
import JSON
import Recurrence
import Reminders
import Testing

@Suite("What is due in quiet hours")
struct QuietTests {
  private static func item(
    _ id: RoutineItemID = "item", _ times: String..., kind: RoutineItem.Kind = .routine,
    in policy: QuietPolicy? = nil
  ) -> RoutineItem {
    var schedule = Home.daily(times[0])
    if case .calendar(var calendar) = schedule {
      calendar.times = times.compactMap { TimeOfDay(text: $0) }
      schedule = .calendar(calendar)
    }
    var item = RoutineItem(
      id: id, resident: "ada", kind: kind, title: id.rawValue, schedule: schedule)
    item.timing.inQuietHours = policy
    return item
  }

  /// When it is said within two days, as `22:30 item`, where she answers each time.
  private static func heard(
    _ items: [RoutineItem], from start: String = "2026-03-02T12:00", hours: Double = 24
  ) throws -> [String] {
    var home = Home(at: start)
    for item in items { try home.add(item) }
    home.forgetStory()
    var said: [String] = []
    for _ in 0..<Int(hours * 12) {
      home.pass(minutes: 5)
      for line in home.story where line.contains(" says ") { said.append(line) }
      home.forgetStory()
      for item in items where home.summary(item.id)?["isDue"]?.boolContent == true {
        if home.occurrences.values.contains(where: { $0.item == item.id && !$0.state.isFinal }) {
          try home.answer(item.id, .done)
        }
      }
    }
    return said
  }

  @Test(
    "Medicine is asked at its time, the rest at the nearer end of the night, what is critical always at its time",
    arguments: [
      (item("pill", "22:30", kind: .medicine), "22:30 says Please take your pill."),
      (item("pill", "03:00", kind: .medicine), "03:00 says Please take your pill."),
      (item("door", "22:30"), "21:45 says At 22:30: door."),
      (item("cat", "06:30"), "07:00 says It is time for: cat."),
      (item("taxi", "06:15", kind: .appointment), "21:45 says At 06:15: taxi."),
      (
        item("taxi", "06:15", kind: .appointment, in: .ask),
        "06:15 says You have an appointment: taxi."
      ),
      (item("pill", "22:30", kind: .medicine, in: .before), "21:45 says At 22:30: pill."),
      (item("pill", "22:30", kind: .medicine, in: .after), "07:00 says Please take your pill."),
      (item("walk", "21:59"), "21:59 says It is time for: walk."),
      (item("walk", "07:00"), "07:00 says It is time for: walk."),
    ])
  func standards(item: RoutineItem, line: String) throws {
    #expect(try Self.heard([item]) == [line])
  }

  @Test("Critical medicine is asked at its time whatever it says itself")
  func critical() throws {
    var item = Self.item("heart", "23:00", kind: .medicine, in: .silent)
    item.isCritical = true
    #expect(try Self.heard([item]) == ["23:00 says Please take your heart."])
  }

  @Test(
    "A bedtime tablet that nobody answers: said at its time, asked again, and missed four hours after"
  )
  func unanswered() throws {
    var home = Home(at: "2026-03-02T12:00")
    try home.add(Self.item("pill", "22:30", kind: .medicine))
    home.forgetStory()
    home.pass(until: "2026-03-03T08:00")
    #expect(
      home.story.filter { $0.contains("says") }.map { $0.prefix(5) } == [
        "22:30", "22:40", "22:50", "23:00",
      ])
    #expect(home.story.last == "02:30 reminder.missed pill")
  }

  @Test("What was never said is never missed", arguments: QuietPolicy.allCases)
  func neverMissedUnsaid(policy: QuietPolicy) throws {
    for time in ["22:00", "22:30", "00:00", "02:29", "02:30", "02:31", "06:59"] {
      var home = Home(at: "2026-03-02T12:00")
      try home.add(Self.item("thing", time, in: policy))
      var isSaid = false
      for _ in 0..<(30 * 12) {
        home.forgetStory()
        home.pass(minutes: 5)
        for line in home.story {
          if line.contains("says") { isSaid = true }
          if line.contains("unanswered") || line.contains("missed") {
            #expect(isSaid, "\(policy) \(time): \(line)")
          }
          if line.contains("missed") { isSaid = false }
        }
      }
    }
  }

  @Test("Silent: shown as due, said by nobody, answerable, and let go when the night is over")
  func silent() throws {
    var home = Home(at: "2026-03-02T12:00")
    try home.add(Self.item("turn", "02:00", in: .silent))
    home.forgetStory()
    home.pass(until: "2026-03-03T06:00")
    #expect(home.story == ["02:00 reminder.due turn"])
    #expect(home.summary("turn")?["isDue"]?.boolContent == true)
    home.pass(until: "2026-03-03T07:01")
    #expect(home.story == ["02:00 reminder.due turn", "07:00 reminder.cancelled turn"])
    #expect(home.occurrence("turn", "2026-03-03T02:00")?.reason == "quiet-hours")
    // Who did it in the night says so in the morning.
    try home.answer("turn", .done)
    #expect(home.state("turn", "2026-03-03T02:00") == .done)
  }

  @Test("Water every hour: through the night once before and once after, no heap at seven")
  func hourly() throws {
    let item = RoutineItem(
      id: "water", resident: "ada", title: "water",
      schedule: .calendar(
        CalendarSchedule(
          start: Home.date("2026-01-01T00:00"), rule: Home.rule("FREQ=HOURLY"),
          timeZone: "Europe/Madrid")))
    let said = try Self.heard([item], from: "2026-03-02T19:30", hours: 13)
    #expect(said.map { $0.prefix(5) } == ["20:00", "21:00", "21:45", "07:00", "08:00"])
  }

  @Test("Several items moved to one minute are said in one breath")
  func together() throws {
    let said = try Self.heard([Self.item("cat", "06:30"), Self.item("radio", "06:45")])
    #expect(said == ["07:00 says Please see to: cat; and radio."])
    let before = try Self.heard([Self.item("door", "22:30"), Self.item("gas", "23:00")])
    #expect(before == ["21:45 says Please see to: door at 22:30; and gas at 23:00."])
  }

  @Test(
    "On the nights on which the clock jumps the end of the quiet hours is the one on the wall",
    arguments: ["2026-03-28T12:00", "2026-10-24T12:00"])
  func daylightSaving(start: String) throws {
    #expect(
      try Self.heard([Self.item("cat", "06:30")], from: start) == [
        "07:00 says It is time for: cat."
      ])
    #expect(
      try Self.heard([Self.item("door", "01:15")], from: start) == ["21:45 says At 01:15: door."])
  }

  @Test("Quiet hours that end early while something waits: it is asked at once, and only once")
  func changedWhileWaiting() throws {
    var home = Home(at: "2026-03-02T12:00")
    try home.add(Self.item("cat", "04:00", in: .after))
    home.pass(until: "2026-03-03T05:30")
    home.forgetStory()
    home.settings["ada"] = ["reminderQuietHours": "none"]
    home.tell(.settingsChanged("ada", ["reminderQuietHours": "none"]))
    #expect(home.said == ["It is time for: cat."])
    home.pass(until: "2026-03-03T05:35")
    try home.answer("cat", .done)
    home.forgetStory()
    home.pass(until: "2026-03-03T12:00")
    #expect(home.story.isEmpty)
  }

  @Test("Quiet hours that begin while something is asked hold the next prompt back until they end")
  func beginWhileOpen() throws {
    var home = Home(at: "2026-03-02T12:00")
    try home.add(Self.item("walk", "21:55"))
    home.forgetStory()
    home.pass(until: "2026-03-02T23:00")
    #expect(
      home.story == [
        "21:55 reminder.due walk", "21:55 reminder.prompted walk",
        "21:55 says It is time for: walk.", "22:55 reminder.unanswered walk",
      ])
  }

  @Test("Added in the night for this night: asked when the night is over, for before it is past")
  func addedInTheNight() throws {
    var home = Home(at: "2026-03-02T23:30")
    try home.add(Self.item("door", "00:30"))
    home.pass(until: "2026-03-03T07:01")
    #expect(home.said == ["It is time for: door."])
  }

  @Test(
    "Restarts in the night, and a gateway made anew after each step, tell the same story",
    arguments: [true, false])
  func restart(isForgetful: Bool) throws {
    var home = Home(at: "2026-03-02T12:00")
    home.isForgetful = isForgetful
    try home.add(Self.item("cat", "04:00", in: .after))
    try home.add(Self.item("pill", "04:00", kind: .medicine))
    home.pass(until: "2026-03-03T03:50")
    home.forgetStory()
    home.cutPower(minutes: 30)
    #expect(home.said == ["Please take your pill."])
    home.pass(until: "2026-03-03T05:00")
    try home.answer("pill", .done)
    home.cutPower(minutes: 10)
    home.forgetStory()
    home.pass(until: "2026-03-03T07:05")
    #expect(home.said == ["It is time for: cat."])
    #expect(home.events(.reminderMissed).isEmpty)
  }

  @Test("A gateway that was off from before the due time until after the night still asks")
  func offAllNight() throws {
    var home = Home(at: "2026-03-02T21:00")
    try home.add(Self.item("cat", "04:00", in: .after))
    home.forgetStory()
    home.cutPower(minutes: 10 * 60 + 30)
    home.tell(.time)
    #expect(home.said == ["It is time for: cat."])
  }

  @Test("A clock that jumps back over the night asks once")
  func jump() throws {
    var home = Home(at: "2026-03-02T12:00")
    try home.add(Self.item("door", "22:30"))
    home.pass(until: "2026-03-02T21:46")
    try home.answer("door", .done)
    home.forgetStory()
    home.setClock(Home.local("2026-03-02T21:30"))
    home.pass(until: "2026-03-03T20:00")
    #expect(home.story.isEmpty)
  }

  @Test("Two residents keep their own quiet hours, by the clock on their own wall")
  func twoResidents() throws {
    var home = Home(at: "2026-03-02T12:00")
    let ben = Resident(id: "ben", name: "Ben", timeZone: "Europe/London")
    home.residents.append(ben)
    home.tell(.residentsChanged(home.residents))
    home.settings["ben"] = ["reminderQuietHours": "20:00-08:30"]
    home.tell(.settingsChanged("ben", ["reminderQuietHours": "20:00-08:30"]))
    try home.add(Self.item("cat", "06:30"))
    var dog = Self.item("dog", "06:30")
    dog.resident = "ben"
    try home.add(dog)
    home.forgetStory()
    home.pass(until: "2026-03-03T12:00")
    let said = home.story.filter { $0.contains("says") }
    #expect(said.first == "07:00 says It is time for: cat.")
    // Half past eight in London.
    #expect(said.contains { $0.hasPrefix("09:30") && $0.contains("dog") })
    #expect(!said.contains { $0 < "09:30" && $0.contains("dog") })
  }

  @Test("An alarm that has just begun goes first; the tablet is said when the room is free")
  func alarmOpen() throws {
    var home = Home(at: "2026-03-02T12:00")
    try home.add(Self.item("pill", "22:30", kind: .medicine))
    home.pass(until: "2026-03-02T22:29")
    home.tell(.alarmBegan)
    home.forgetStory()
    home.pass(until: "2026-03-02T22:35")
    #expect(home.story.filter { $0.contains("says") } == ["22:31 says Please take your pill."])
  }

  @Test("What is asked when is shown beside what its own times say")
  func shown() throws {
    var home = Home(at: "2026-03-02T12:00")
    try home.add(Self.item("door", "22:30"))
    let summary = try #require(home.summary("door"))
    #expect(summary["nextDueLocal"]?.stringContent == "2026-03-02T21:45:00+01:00")
    #expect(summary["nextInsteadOf"]?.stringContent == "2026-03-02T21:30:00.000Z")
    #expect(summary["quietHours"]?.stringContent == "22:00-07:00")
    #expect(summary["inQuietHours"]?.stringContent == "nearest")
    home.pass(until: "2026-03-02T21:50")
    let due = try #require(home.events(.reminderDue).first?.facts["explanation"]?.stringContent)
    #expect(due == "Ada is asked for door (at 22:30) now, because its time lies in quiet hours.")
  }
}
