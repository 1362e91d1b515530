import Care
import JSON
import Reminders
import Testing

@Suite("The life of a due time")
struct LifeTests {
  @Test(
    "It is prompted when due, every 10 minutes, four times; caregivers hear after an hour; missed after four"
  )
  func unanswered() throws {
    var home = Home()
    try home.add(Home.pill())
    home.forgetStory()
    home.pass(until: "2026-03-02T13:00")
    #expect(
      home.story == [
        "08:00 reminder.due pill", "08:00 reminder.prompted pill",
        "08:00 says Please take your blood pressure pill, 1 tablet.",
        "08:10 reminder.prompted pill",
        "08:10 says Please take your blood pressure pill, 1 tablet.",
        "08:20 reminder.prompted pill",
        "08:20 says Please take your blood pressure pill, 1 tablet.",
        "08:30 reminder.prompted pill",
        "08:30 says Please take your blood pressure pill, 1 tablet.",
        "09:00 reminder.unanswered pill", "12:00 reminder.missed pill",
      ])
    #expect(home.state("pill", "2026-03-02T08:00") == .missed)
    let told = try #require(home.events(.reminderUnanswered).first)
    #expect(told.lane == .alarm && told.facts["severity"]?.stringContent == "notice")
    #expect(told.facts["dueLocal"]?.stringContent == "2026-03-02T08:00:00+01:00")
    #expect(told.facts["prompts"]?.integerContent == 4)
    // Caregivers know already.
    #expect(home.events(.reminderMissed).first?.lane == .record)
  }

  @Test("A critical one is an alarm after half an hour, and is settled when it is taken after all")
  func critical() throws {
    var home = Home()
    try home.add(Home.pill(isCritical: true))
    home.pass(until: "2026-03-02T13:00")
    let alarm = try #require(home.events(.medicineMissed).first)
    #expect(home.events(.medicineMissed).count == 1)
    #expect(alarm.lane == .alarm && alarm.facts["severity"]?.stringContent == "alarm")
    #expect(alarm.facts["label"]?.stringContent == "blood pressure pill")
    #expect(home.story.contains("08:30 reminder.prompted pill"))
    #expect(home.story.contains("08:30 medicine.missed pill"))
    #expect(home.story.contains("12:00 reminder.missed pill"))
    try home.answer("pill", .done)
    #expect(home.story.suffix(2) == ["13:00 reminder.done pill", "13:00 medicine.settled pill"])
    let taken = try #require(home.occurrence("pill", "2026-03-02T08:00"))
    #expect(taken.state == .done && taken.isLate && taken.by == "local:anna")
  }

  @Test("Done after it became an alarm is late, also before caregivers were told in words")
  func lateAfterAlarm() throws {
    var home = Home()
    try home.add(Home.pill(isCritical: true))
    home.pass(until: "2026-03-02T08:31")
    try home.answer("pill", .done)
    let taken = try #require(home.occurrence("pill", "2026-03-02T08:00"))
    #expect(taken.isLate && !taken.isTold)
  }

  @Test("Put off three times and no more; what was put off is asked again")
  func snooze() throws {
    var home = Home()
    try home.add(Home.pill())
    home.pass(until: "2026-03-02T08:01")
    for minute in [1, 12, 23] {
      home.pass(until: "2026-03-02T08:\(minute < 10 ? "0" : "")\(minute)")
      try home.answer("pill", .snooze(minutes: nil))
      #expect(home.state("pill", "2026-03-02T08:00") == .snoozed)
    }
    home.pass(until: "2026-03-02T08:34")
    #expect(home.state("pill", "2026-03-02T08:00") == .prompted)
    #expect(home.refusal(.answer("pill", slot: nil, .snooze(minutes: 5)))?.code == .conflict)
    #expect(home.refusal(.answer("pill", slot: nil, .snooze(minutes: 0)))?.code == .invalid)
    try home.answer("pill", .done)
    #expect(home.occurrence("pill", "2026-03-02T08:00")?.isLate == true)
    #expect(home.story.filter { $0.contains("reminder.prompted") }.count == 4)
  }

  @Test("Not now ends an ordinary one and puts a critical one off")
  func notNow() throws {
    var home = Home()
    try home.add(Home.pill())
    try home.add(Home.pill("heart", title: "heart pill", isCritical: true))
    home.pass(until: "2026-03-02T08:01")
    try home.answer("pill", .notNow)
    try home.answer("heart", .notNow)
    #expect(home.state("pill", "2026-03-02T08:00") == .notNow)
    #expect(home.state("heart", "2026-03-02T08:00") == .snoozed)
    home.forgetStory()
    home.pass(until: "2026-03-02T08:12")
    #expect(home.story.first == "08:11 reminder.prompted heart")
  }

  @Test("Left out with a reason; without one it is refused")
  func skip() throws {
    var home = Home()
    try home.add(Home.pill(isCritical: true))
    home.pass(until: "2026-03-02T08:45")
    #expect(home.refusal(.answer("pill", slot: nil, .skip(reason: "")))?.code == .invalid)
    try home.answer("pill", .skip(reason: "the doctor said so"))
    #expect(home.occurrence("pill", "2026-03-02T08:00")?.reason == "the doctor said so")
    #expect(home.events(.medicineSettled).count == 1)
  }

  @Test("The next due time ends the one before")
  func nextDose() throws {
    var home = Home()
    try home.add(Home.pill(schedule: Home.daily("08:00", "09:00")))
    home.pass(until: "2026-03-02T09:01")
    #expect(home.state("pill", "2026-03-02T08:00") == .missed)
    #expect(
      home.occurrence("pill", "2026-03-02T08:00")?.reason == "no-answer"
        || home.occurrence("pill", "2026-03-02T08:00")?.reason == "next-due")
    #expect(home.state("pill", "2026-03-02T09:00") == .prompted)
  }

  @Test(
    "Switched off, removed or moved while it is due: cancelled, and its alarm is settled",
    arguments: ["off", "remove", "move"])
  func cancelled(how: String) throws {
    var home = Home()
    try home.add(Home.pill(isCritical: true))
    home.pass(until: "2026-03-02T08:40")
    switch how {
    case "off": try home.ask(.setOn("pill", false))
    case "remove": try home.ask(.remove("pill", revision: nil))
    default: try home.add(Home.pill(schedule: Home.daily("21:00"), isCritical: true))
    }
    #expect(home.state("pill", "2026-03-02T08:00") == .cancelled)
    #expect(home.events(.medicineSettled).count == 1)
    home.forgetStory()
    home.pass(until: "2026-03-02T20:59")
    #expect(home.story.isEmpty)
  }

  @Test("Another title does not cancel, and a time that stays does not fire twice")
  func edited() throws {
    var home = Home()
    try home.add(Home.pill())
    home.pass(until: "2026-03-02T08:05")
    try home.add(Home.pill(title: "new pill", schedule: Home.daily("08:00", "20:00")))
    #expect(home.state("pill", "2026-03-02T08:00") == .prompted)
    try home.answer("pill", .done)
    // Moved away and back within the minute: the key was answered.
    try home.add(Home.pill(schedule: Home.daily("09:00")))
    home.setClock(Home.local("2026-03-02T07:50"))
    try home.add(Home.pill())
    home.forgetStory()
    home.pass(until: "2026-03-03T07:59")
    #expect(home.story.isEmpty)
  }

}
