import Care
import CivilTime
import JSON
import Moments
import Recurrence
import Reminders
import Testing
import Texts

@Suite("What is said of a due time before it comes")
struct AheadTests {
  @Test("A tablet taken at ten to eight counts for eight, and she is not reminded of it")
  func early() throws {
    var home = Home(at: "2026-03-02T07:50")
    try home.add(Home.pill())
    home.forgetStory()
    let reply = try home.ask(.answer("pill", slot: nil, .done))
    #expect(reply["slot"]?.stringContent == "2026-03-02T08:00")
    #expect(reply["isEarly"]?.boolContent == true)
    #expect(reply["due"]?.stringContent == "2026-03-02T07:00:00.000Z")
    #expect(reply["nextDue"]?.stringContent == "2026-03-03T07:00:00.000Z")
    let done = try #require(home.events(.reminderDone).first)
    #expect(done.facts["isEarly"]?.boolContent == true)
    #expect(
      done.facts["explanation"]?.stringContent
        == "blood pressure pill (at 08:00) was done early, and is not asked for then.")
    #expect(home.summary("pill")?["state"]?.stringContent == "done")
    home.forgetStory()
    home.pass(until: "2026-03-03T07:59")
    #expect(home.story.isEmpty)
    home.pass(until: "2026-03-03T08:01")
    #expect(home.story.first == "08:00 reminder.due pill")
  }

  @Test(
    "From when on: two hours, at most half of the way from the due time before, or as set",
    arguments: [
      (["08:00"], [:], "2026-03-03T06:00"), (["08:00", "20:00"], [:], "2026-03-02T18:00"),
      (["08:00", "10:00"], [:], "2026-03-02T09:00"),
      (["08:00"], ["reminderEarlyMinutes": 0], "2026-03-03T08:00"),
      (["08:00"], ["reminderEarlyMinutes": 240], "2026-03-03T04:00"),
    ] as [([String], [String: JSONValue], String)])
  func window(times: [String], settings: [String: JSONValue], from: String) throws {
    var home = Home(at: "2026-03-02T07:59", settings: settings)
    var item = Home.pill()
    if case .calendar(var calendar) = item.schedule {
      calendar.times = times.compactMap { TimeOfDay(text: $0) }
      item.schedule = .calendar(calendar)
    }
    try home.add(item)
    home.pass(until: "2026-03-02T08:00")
    try home.answer("pill", .done)
    home.now = Moment(
      tick: home.now.tick.advanced(
        byMilliseconds: Home.local(from).milliseconds(since: home.now.utc) - 60_000),
      utc: Home.local(from).advanced(byMilliseconds: -60_000), quality: .synchronised)
    let early = RoutineRequest.answer("pill", slot: nil, .done)
    let refusal = try #require(home.refusal(early))
    #expect(refusal.code == .conflict)
    let said = from.split(separator: "T").joined(separator: " ")
    #expect(refusal.message.description.contains("counts from \(said) on"), "\(refusal.message)")
    home.pass(minutes: 1)
    if from != "2026-03-03T08:00" { #expect(home.refusal(early) == nil) }
  }

  @Test("Never twice: neither for the same due time nor, pressed again, for the one after")
  func never() throws {
    var home = Home(at: "2026-03-02T07:00")
    try home.add(Home.pill(schedule: Home.daily("08:00", "09:00")))
    home.pass(until: "2026-03-02T07:45")
    try home.answer("pill", .done)
    #expect(home.refusal(.answer("pill", slot: nil, .done))?.code == .conflict)
    let again = home.refusal(.answer("pill", slot: nil, .done))?.message.description ?? ""
    #expect(again.hasPrefix("blood pressure pill was done on 2026-03-02 07:45."), "\(again)")
    #expect(home.refusal(.answer("pill", slot: "2026-03-02T08:00", .done))?.code == .conflict)
    #expect(home.refusal(.answer("pill", slot: "2026-03-02T09:00", .done))?.code == .conflict)
    home.pass(until: "2026-03-02T08:35")
    try home.answer("pill", .done)
    #expect(home.state("pill", "2026-03-02T09:00") == .done)
    // Late for one, and pressed again a minute after: that is not the next one.
    home.pass(until: "2026-03-03T08:59")
    try home.answer("pill", .done)
    #expect(home.state("pill", "2026-03-03T08:00") == .done)
    #expect(home.refusal(.answer("pill", slot: nil, .done))?.code == .conflict)
  }

  @Test("What was missed this morning and is taken at half past six counts for the evening")
  func nearest() throws {
    var home = Home(at: "2026-03-02T07:00")
    try home.add(Home.pill(schedule: Home.daily("08:00", "20:00")))
    home.pass(until: "2026-03-02T17:00")
    #expect(home.state("pill", "2026-03-02T08:00") == .missed)
    home.pass(until: "2026-03-02T18:30")
    try home.answer("pill", .done)
    #expect(home.state("pill", "2026-03-02T20:00") == .done)
    #expect(home.state("pill", "2026-03-02T08:00") == .missed)
  }

  @Test("Left out in advance, with a reason; without one it is refused")
  func skip() throws {
    var home = Home(at: "2026-03-02T12:00")
    try home.add(Home.pill(isCritical: true))
    #expect(home.refusal(.answer("pill", slot: nil, .skip(reason: "")))?.code == .invalid)
    try home.answer("pill", .skip(reason: "blood test"))
    #expect(home.state("pill", "2026-03-03T08:00") == .skipped)
    home.forgetStory()
    home.pass(until: "2026-03-04T07:59")
    #expect(home.story.isEmpty)
    // The one after it is further away than a day: it has to be named.
    try home.answer("pill", .skip(reason: "trip"), slot: "2026-03-04T08:00")
    #expect(home.refusal(.answer("pill", slot: nil, .skip(reason: "trip")))?.code == .conflict)
  }

  @Test(
    "Taken back before its time: it is asked as if nothing had been said, and the stock is whole")
  func undo() throws {
    var home = Home(at: "2026-03-02T07:30")
    var item = Home.pill()
    item.stock = Stock(units: 20, unitsPerDose: 2)
    try home.add(item)
    try home.answer("pill", .done)
    #expect(home.items["pill"]?.stock?.units == 18)
    home.isForgetful = true
    try home.answer("pill", .undo)
    #expect(home.items["pill"]?.stock?.units == 20)
    #expect(home.summary("pill")?["state"]?.stringContent == "waiting")
    #expect(home.refusal(.answer("pill", slot: nil, .undo))?.code == .conflict)
    home.forgetStory()
    home.pass(until: "2026-03-02T08:01")
    #expect(home.story.first == "08:00 reminder.due pill")
    try home.answer("pill", .done)
    #expect(home.items["pill"]?.stock?.units == 18)
    // What has come cannot be taken back.
    #expect(home.refusal(.answer("pill", slot: nil, .undo))?.code == .conflict)
  }

  @Test(
    "So long after the last one: early counts, and what follows counts from then; taken back it does not"
  )
  func elapsed() throws {
    var home = Home(at: "2026-03-02T07:00")
    let schedule = Schedule.elapsed(
      ElapsedSchedule(
        everyMinutes: 480, first: Home.date("2026-03-02T08:00"), timeZone: "Europe/Madrid"))
    try home.add(Home.pill(schedule: schedule))
    home.pass(until: "2026-03-02T08:10")
    try home.answer("pill", .done)
    home.pass(until: "2026-03-02T15:00")
    try home.answer("pill", .done)
    #expect(home.summary("pill")?["nextDueLocal"]?.stringContent == "2026-03-02T23:00:00+01:00")
    try home.answer("pill", .undo)
    #expect(home.summary("pill")?["nextDueLocal"]?.stringContent == "2026-03-02T16:10:00+01:00")
    home.forgetStory()
    home.pass(until: "2026-03-02T16:11")
    #expect(home.story.first == "16:10 reminder.due pill")
  }

  @Test("Taken back, and off when its time comes: it is asked all the same")
  func undoThenOff() throws {
    var home = Home(at: "2026-03-02T07:30")
    try home.add(Home.pill())
    try home.answer("pill", .done)
    try home.answer("pill", .undo)
    home.pass(until: "2026-03-02T07:50")
    home.forgetStory()
    home.cutPower(minutes: 20)
    home.tell(.time)
    #expect(home.story.first == "08:10 reminder.due pill")
  }

  @Test("A restart between an early tablet and its time asks for nothing", arguments: [5.0, 45.0])
  func restart(minutes: Double) throws {
    var home = Home(at: "2026-03-02T07:30")
    try home.add(Home.pill(isCritical: true))
    try home.answer("pill", .done)
    home.forgetStory()
    home.cutPower(minutes: minutes)
    home.pass(until: "2026-03-02T12:30")
    #expect(home.story.isEmpty)
    #expect(home.state("pill", "2026-03-02T08:00") == .done)
  }
}
