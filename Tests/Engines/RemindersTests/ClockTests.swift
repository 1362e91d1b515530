import Care
import CivilTime
import JSON
import Moments
import Recurrence
import Reminders
import Testing
import Texts

@Suite("Reminders and clocks that are wrong, late or gone")
struct ClockTests {
  @Test("Nothing fires while the clock is not trusted; then grace decides")
  func untrusted() throws {
    var home = Home()
    try home.add(Home.pill())
    try home.add(Home.pill("late", schedule: Home.daily("07:15")))
    home.cutPower(minutes: 10, quality: .untrusted)
    home.forgetStory()
    home.pass(minutes: 100)
    #expect(home.story.isEmpty)
    #expect(home.engine.nextWake == nil)
    home.setClock(Home.local("2026-03-02T08:50"))
    // Of 07:15 nothing was heard for over an hour, of 08:00 for less.
    #expect(
      home.story == [
        "08:50 reminder.missed late", "08:50 reminder.due pill", "08:50 reminder.prompted pill",
        "08:50 says Please take your blood pressure pill, 1 tablet.",
      ])
    #expect(home.events(.reminderMissed).first?.lane == .alarm)
    #expect(home.occurrence("late", "2026-03-02T07:15")?.reason == "outage")
  }

  @Test(
    "After a power cut it goes on where it was, with the same prompt count",
    arguments: [(3.0, "08:10"), (35.0, "08:40")])
  func powerCut(off: Double, next: String) throws {
    var home = Home()
    try home.add(Home.pill())
    home.pass(until: "2026-03-02T08:05")
    home.forgetStory()
    home.cutPower(minutes: off)
    home.pass(minutes: 5.5)
    #expect(home.story.first == "\(next) reminder.prompted pill")
    #expect(home.occurrence("pill", "2026-03-02T08:00")?.prompts == 2)
  }

  @Test("A critical one whose half hour passed in a power cut is an alarm at once, and only once")
  func criticalInPowerCut() throws {
    var home = Home()
    try home.add(Home.pill(isCritical: true))
    home.pass(until: "2026-03-02T08:05")
    home.cutPower(minutes: 60)
    home.pass(minutes: 1)
    home.cutPower(minutes: 10)
    home.pass(minutes: 60)
    #expect(home.events(.medicineMissed).count == 1)
  }

  @Test("Off for three days with one due time a day: each is told once as missed")
  func daysOff() throws {
    var home = Home()
    try home.add(Home.pill())
    home.forgetStory()
    home.cutPower(minutes: 3 * 1440)
    home.tell(.time)
    #expect(home.story.filter { $0.hasSuffix("reminder.missed pill") }.count == 3)
    #expect(home.said.isEmpty)
    #expect(Set(home.occurrences.values.map(\.state)) == [.missed])
  }

  @Test("Off for a month, or fifty due times: one gap with their number, and the last one judged")
  func gap() throws {
    var home = Home()
    try home.add(Home.pill())
    try home.add(
      Home.pill(
        "hourly",
        schedule: .calendar(
          CalendarSchedule(
            start: Home.date("2026-01-01T00:30"), rule: Home.rule("FREQ=HOURLY"),
            timeZone: "Europe/Madrid"))))
    home.forgetStory()
    home.cutPower(minutes: 30 * 1440)
    home.tell(.time)
    let gaps = home.events(.reminderGap)
    #expect(gaps.map { $0.facts["item"]?.stringContent } == ["hourly", "pill"])
    #expect(gaps.last?.facts["count"]?.integerContent == 31)
    #expect(gaps.first?.facts["isMore"]?.boolContent == true)
    #expect(home.events(.reminderMissed).count == 0 || home.occurrences.count == 2)
    #expect(home.occurrences.count == 2)
  }

  @Test(
    "Thirty years ahead and back: bounded, and the routine goes on; what was answered is not asked twice"
  )
  func thirtyYears() throws {
    var home = Home()
    try home.add(Home.pill(schedule: Home.daily("08:00", "20:00")))
    home.pass(until: "2026-03-02T08:05")
    try home.answer("pill", .done)
    home.cutPower(minutes: 1)
    home.forgetStory()
    home.setClock(Home.local("2056-03-02T09:00"))
    #expect(home.events(.reminderGap).count == 1)
    #expect(home.events.count < 6)
    home.pass(minutes: 20)
    home.forgetStory()
    home.setClock(Home.local("2026-03-02T08:30"))
    home.pass(until: "2026-03-02T20:01")
    #expect(home.story.filter { $0.contains("reminder.due") } == ["20:00 reminder.due pill"])
    #expect(home.state("pill", "2026-03-02T08:00") == .done)
    try home.answer("pill", .done)
    home.forgetStory()
    home.pass(until: "2026-03-03T08:01")
    #expect(home.story.first == "08:00 reminder.due pill")
  }

  @Test("Thirty years ahead and back again and again, through power cuts: never busy, never twice")
  func oftenAhead() throws {
    var home = Home()
    try home.add(Home.pill())
    for day in 2..<25 {
      home.setClock(Home.local("2056-03-\(day < 10 ? "0" : "")\(day)T09:00"))
      home.pass(minutes: 5)
      home.cutPower(minutes: 1)
      home.setClock(Home.local("2026-03-\(day < 10 ? "0" : "")\(day)T07:30"))
      home.cutPower(minutes: 1)
      home.forgetStory()
      home.pass(minutes: 60)
      #expect(home.events(.reminderDue).count == 1, "day \(day): \(home.story)")
      try home.answer("pill", .done)
      let slot = "2026-03-\(day < 10 ? "0" : "")\(day)T08:00"
      #expect(home.state("pill", slot) == .done)
      #expect(home.engine.nextWake.map { $0 > home.now.tick } == true)
      home.pass(minutes: 60)
      #expect(home.state("pill", slot) == .done)
    }
  }

  @Test("A day ahead for an hour: tomorrow's due times are judged anew when they come")
  func dayAhead() throws {
    var home = Home()
    try home.add(Home.pill(isCritical: true))
    home.cutPower(minutes: 1)
    home.setClock(Home.local("2026-03-03T12:30"))
    #expect(home.state("pill", "2026-03-03T08:00") == .missed)
    home.setClock(Home.local("2026-03-02T07:30"))
    home.pass(until: "2026-03-02T08:05")
    try home.answer("pill", .done)
    home.forgetStory()
    home.pass(until: "2026-03-03T08:05")
    #expect(home.story.contains("08:00 reminder.due pill"))
    #expect(home.state("pill", "2026-03-03T08:00") == .prompted)
  }

  @Test("A few minutes back while it is open: it goes on and does not begin again")
  func smallStep() throws {
    var home = Home()
    try home.add(Home.pill())
    home.pass(until: "2026-03-02T08:01")
    home.setClock(Home.local("2026-03-02T07:56"))
    home.forgetStory()
    home.pass(until: "2026-03-02T08:20")
    #expect(!home.story.contains { $0.contains("reminder.due") })
    #expect(home.occurrence("pill", "2026-03-02T08:00")?.prompts == 3)
    try home.answer("pill", .done)
    home.setClock(Home.local("2026-03-02T07:00"))
    home.forgetStory()
    home.pass(until: "2026-03-02T09:00")
    #expect(home.story.isEmpty)
  }

  @Test(
    "Daylight saving: a time in the gap comes an hour later, a doubled one once, others keep the clock on the wall",
    arguments: [
      ("2026-03-28T12:00", "02:30", "2026-03-29T02:30", "2026-03-29T03:30:00+02:00"),
      ("2026-03-28T12:00", "08:00", "2026-03-29T08:00", "2026-03-29T08:00:00+02:00"),
      ("2026-10-24T12:00", "02:30", "2026-10-25T02:30", "2026-10-25T02:30:00+02:00"),
      ("2026-10-24T12:00", "08:00", "2026-10-25T08:00", "2026-10-25T08:00:00+01:00"),
    ])
  func daylightSaving(start: String, time: String, slot: String, due: String) throws {
    var home = Home(at: start)
    try home.add(Home.pill(schedule: Home.daily(time)))
    home.pass(minutes: 24 * 60)
    let events = home.events(.reminderDue)
    #expect(events.count == 1)
    #expect(events.first?.facts["slot"]?.stringContent == slot)
    #expect(events.first?.facts["dueLocal"]?.stringContent == due)
  }

  @Test(
    "A zone that is not on the machine: not judged, nothing lost, and it goes on when the zone is back"
  )
  func zoneGone() throws {
    var home = Home()
    try home.add(Home.pill())
    home.tell(.timeZone(name: "Europe/Madrid", nil))
    #expect(home.engine.unknownZones == ["Europe/Madrid": 1])
    home.forgetStory()
    home.pass(minutes: 70)
    #expect(home.story.isEmpty)
    #expect(home.engine.items.count == 1)
    home.tell(.timeZone(name: "Europe/Madrid", Home.madrid))
    #expect(home.engine.unknownZones.isEmpty)
    #expect(home.story.contains("08:10 reminder.due pill"))
  }

  @Test("So long after the last one: summer time and the clock's jumps change nothing")
  func elapsed() throws {
    var home = Home(at: "2026-03-28T20:00")
    let schedule = Schedule.elapsed(
      ElapsedSchedule(
        everyMinutes: 480, first: Home.date("2026-03-28T21:00"), timeZone: "Europe/Madrid"))
    try home.add(Home.pill(schedule: schedule, isCritical: true))
    home.pass(until: "2026-03-28T21:20")
    try home.answer("pill", .done)
    #expect(
      home.refusal(.answer("pill", slot: nil, .done))?.message.description.contains(
        "2026-03-29 06:20") == true)
    home.setClock(home.now.utc.advanced(byMilliseconds: 5 * 3_600_000))
    home.forgetStory()
    home.pass(minutes: 479)
    #expect(home.story.isEmpty)
    home.pass(minutes: 2)
    #expect(home.story.first?.hasSuffix("reminder.due pill") == true)
    // Missed: it asks again so long after the time at which it was missed.
    home.pass(minutes: 240)
    home.forgetStory()
    home.pass(minutes: 477)
    #expect(home.events(.reminderDue).isEmpty)
    home.pass(minutes: 3)
    #expect(home.events(.reminderDue).count == 1)
  }
}
