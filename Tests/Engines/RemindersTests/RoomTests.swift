import Care
import JSON
import Reminders
import Testing

@Suite("Reminders in the room")
struct RoomTests {
  @Test("Chime, name, time, one action; twice with half a minute between")
  func sound() throws {
    var home = Home()
    try home.add(Home.pill())
    home.pass(minutes: 60, endingSounds: false)
    let sound = try #require(home.sounding.first)
    #expect(sound.priority == .reminder)
    #expect(sound.repetitions == 2 && sound.pauseMilliseconds == 30_000)
    #expect(
      sound.parts == [
        .pattern("reminder"), .speech(Sentence("Ada,", language: "en")),
        .clock(timeZone: "Europe/Madrid", language: "en"),
        .speech(Sentence("Please take your blood pressure pill, 1 tablet.", language: "en")),
      ])
    #expect(home.engine.sentences(at: home.now).map(\.text).contains("Ada,"))
  }

  @Test(
    "A press answers done while it sounds and within two minutes after it began; then it means something else"
  )
  func press() throws {
    var home = Home()
    try home.add(Home.pill())
    home.expectNoPress()
    home.pass(until: "2026-03-02T08:01")
    #expect(home.engine.isAnswerable(at: home.now))
    home.expectPress()
    let taken = try #require(home.occurrence("pill", "2026-03-02T08:00"))
    #expect(taken.state == .done && taken.by == "button/wired" && !taken.isLate)
    #expect(home.said.last == "Well done, Ada. Done: blood pressure pill.")
    home.expectNoPress()
    home.pass(until: "2026-03-03T08:03")
    home.expectNoPress()
  }

  @Test("A press stops the sound; a double press is not now, and says so")
  func double() throws {
    var home = Home()
    try home.add(Home.pill())
    try home.add(
      Home.pill("heart", title: "heart pill", schedule: Home.daily("09:00"), isCritical: true))
    home.pass(minutes: 60, endingSounds: false)
    #expect(home.sounding.count == 1)
    home.expectPress(isDone: false)
    #expect(home.state("pill", "2026-03-02T08:00") == .notNow)
    #expect(home.sounding.map(\.words) == ["All right, Ada. Not now: blood pressure pill."])
    home.endSounds()
    home.pass(minutes: 60, endingSounds: false)
    home.expectPress(isDone: false)
    #expect(
      home.sounding.map(\.words) == ["All right, Ada. I ask again in 10 minutes: heart pill."])
    home.endSounds()
    for _ in 0..<2 {
      home.pass(minutes: 10, endingSounds: false)
      home.press(isDone: false)
      home.endSounds()
    }
    home.pass(minutes: 10, endingSounds: false)
    home.press(isDone: false)
    #expect(home.sounding.map(\.words) == ["Ada, please do not wait any longer: heart pill."])
    #expect(home.state("heart", "2026-03-02T09:00") == .prompted)
  }

  @Test("A family's recording in the place of the computer's voice; where it is missing, the voice")
  func recording() throws {
    var home = Home()
    var item = Home.pill()
    item.recording = "/var/lib/homeward/anna.wav"
    try home.add(item)
    home.pass(minutes: 60, endingSounds: false)
    let sound = try #require(home.sounding.first)
    #expect(sound.parts == [.pattern("reminder"), .file("/var/lib/homeward/anna.wav")])
    home.tell(.sound(SoundReport(sound: sound.id, outcome: .failed)))
    #expect(home.said.last == "Please take your blood pressure pill, 1 tablet.")
    home.expectPress()
  }

  @Test(
    "A thousand due in one minute: one sound at a time, critical ones first, three by name; each press three more"
  )
  func thousand() throws {
    var home = Home()
    for number in 0..<1000 {
      try home.add(
        Home.pill(
          RoutineItemID("item-\(number + 1000)"), title: "thing \(number)",
          isCritical: number == 500))
    }
    home.forgetStory()
    home.pass(minutes: 60, endingSounds: false)
    #expect(home.events(.reminderDue).count == 1000)
    #expect(
      home.sounding.map(\.words) == [
        "Please see to: thing 500, 1 tablet; thing 0, 1 tablet; thing 1, 1 tablet; and 997 more."
      ])
    home.expectPress()
    #expect(home.occurrences.values.filter { $0.state == .done }.count == 3)
    #expect(home.sounding.map(\.words) == ["Well done, Ada. Done: thing 500; thing 0; thing 1."])
    home.endSound()
    #expect(home.sounding.first?.words.hasSuffix("and 994 more.") == true)
    home.forgetStory()
    home.pass(minutes: 300)
    // Four prompts of all, and never one sound for each.
    #expect(home.said.count < 10)
    #expect(!home.occurrences.values.contains { !$0.state.isFinal })
  }

  @Test("A second one waits until the first has been heard")
  func order() throws {
    var home = Home()
    try home.add(Home.pill())
    try home.add(Home.pill("walk", title: "walk", schedule: Home.daily("08:01")))
    home.pass(minutes: 61.5, endingSounds: false)
    #expect(home.sounding.map(\.words) == ["Please take your blood pressure pill, 1 tablet."])
    home.endSound()
    #expect(home.sounding.map(\.words) == ["Please take your walk, 1 tablet."])
  }

  @Test("An alarm has the room for itself; what it cut short is said again")
  func alarm() throws {
    var home = Home()
    try home.add(Home.pill())
    home.pass(minutes: 60, endingSounds: false)
    home.tell(.alarmBegan)
    #expect(home.sounding.isEmpty)
    home.pass(minutes: 1.9, endingSounds: false)
    #expect(home.sounding.isEmpty)
    home.pass(minutes: 0.2, endingSounds: false)
    #expect(home.sounding.count == 1)
  }

  @Test("A sound whose end is never reported does not silence the next")
  func lostReport() throws {
    var home = Home()
    try home.add(Home.pill())
    home.pass(minutes: 75, endingSounds: false)
    #expect(home.said.count == 2)
  }

  @Test("In ten minutes: said before it is due, and once more when the resident leaves home")
  func notice() throws {
    var home = Home(settings: ["reminderNoticeMinutes": 10])
    try home.add(Home.pill())
    home.pass(until: "2026-03-02T07:50")
    #expect(home.said == ["In 10 minutes: blood pressure pill."])
    let notice = try #require(home.events(.reminderNotice).first)
    #expect(notice.facts["inMinutes"]?.integerContent == 10)
    home.pass(until: "2026-03-02T07:55")
    home.tell(.leftHome("ada"))
    #expect(home.said.last == "In 5 minutes: blood pressure pill.")
    #expect(home.events(.reminderNotice).last?.facts["isLeaving"]?.boolContent == true)
    // What was announced may be done before its time, and is not asked for then.
    try home.answer("pill", .done)
    #expect(home.state("pill", "2026-03-02T08:00") == .done)
    home.forgetStory()
    home.pass(until: "2026-03-03T07:49")
    #expect(home.story.isEmpty)
  }

  @Test("Chinese")
  func chinese() throws {
    var home = Home(settings: ["language": "zh"])
    try home.add(Home.pill(title: "降压药"))
    home.pass(until: "2026-03-02T08:00")
    #expect(home.said == ["Ada， 请服用降压药，1 tablet。"])
    home.press()
    #expect(home.said.last == "Ada，做得好。 已完成：降压药。")
  }
}

extension Home {
  /// Ends what sounds now, and only that.
  mutating func endSound() {
    guard let sound = sounding.last else { return }
    noteEnd(of: sound.id)
    tell(.sound(SoundReport(sound: sound.id, outcome: .finished)))
  }
}
