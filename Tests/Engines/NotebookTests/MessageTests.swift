import Care
import JSON
import Moments
import Notebook
import TestSupport
import Testing
import Texts

@Suite("Messages")
struct MessageTests {
  private func words(_ request: SoundRequest?) -> [String] {
    request?.parts.compactMap { if case .speech(let sentence) = $0 { sentence.text } else { nil } }
      ?? []
  }

  @Test("A message to the resident is told, chimes and is spoken with who wrote it")
  func spoken() throws {
    var house = Household()
    house.ask(Household.send())
    #expect(house.types == ["message.sent"])
    let sound = try #require(house.lastPlayed)
    #expect(sound.priority == .reminder && sound.parts.first == .pattern("chime"))
    #expect(
      words(sound) == ["Message from Anna: I come at six.", "Press the button if you heard this."])
    try house.report(.started)
    #expect(house.types == ["message.sent", "message.spoken"])
    #expect(house.messages["m1"]?.spokenAt == house.now.utc)
  }

  @Test("A resident who speaks Chinese hears Chinese words around the message")
  func chinese() {
    var house = Household()
    house.ask(Household.send("m1", "我六点来。", sender: "小安", to: "ping"))
    #expect(words(house.lastPlayed) == ["小安的消息：我六点来。", "听到了请按一下按钮。"])
  }

  @Test("What became of a message is told in the resident's language")
  func explained() throws {
    var house = Household()
    house.ask(Household.send("m1", "我六点来。", sender: "小安", to: "ping"))
    try house.report(.started)
    house.ask(.read("m1"))
    let told = house.events.map { $0.facts["explanation"]?.stringContent }
    #expect(
      told == ["小安给被照护者写了消息。", "小安的消息已第一次播报。", "小安的消息已被听到或读到。"])
  }

  @Test("A message to caregivers is told and not spoken")
  func toCaregivers() {
    var house = Household()
    house.ask(Household.send("m1", "Please call me.", sender: "Mary", .toCaregivers))
    #expect(house.played.isEmpty && house.engine.nextWake == nil)
    #expect(house.events.map { $0.facts["direction"] } == ["to-caregivers"])
    #expect(house.events.map { $0.facts["text"] } == ["Please call me."])
  }

  @Test("A message that comes twice is one message; another text with its id is refused")
  func twice() {
    for isRead in [false, true] {
      var house = Household()
      house.ask(Household.send())
      if isRead { house.ask(.read("m1")) }
      let again = house.ask(Household.send())
      #expect(again.refusal == nil && again.events.isEmpty && again.changes.isEmpty)
      #expect(house.played.count == 1)
      #expect(house.ask(Household.send("m1", "Something else")).refusal?.code == .conflict)
    }
  }

  @Test("A message nobody says to have heard is spoken three times, ten minutes apart")
  func repeated() throws {
    var house = Household()
    house.ask(Household.send())
    var began: [Int64] = []
    for _ in 1...3 {
      began.append(house.now.tick.milliseconds(since: Household.noon.tick) / 1000)
      try house.report(.started)
      house.wait(20)
      try house.report(.finished)
      house.wait(580)
    }
    #expect(began == [0, 600, 1200])
    house.wait(86_400)
    #expect(house.played.count == 3 && house.engine.nextWake == nil)
    #expect(house.events.filter { $0.type == .messageSpoken }.count == 3)
    #expect(house.engine.unreadMessages.map(\.id) == ["m1"])
  }

  @Test(
    "A press while it sounds, or within two minutes after it began, is the receipt",
    arguments: [
      (0, true, true), (60, true, true), (300, true, true), (20, false, true),
      (119, false, true), (120, false, false), (500, false, false),
    ] as [(Int64, Bool, Bool)])
  func receipt(_ after: Int64, _ sounds: Bool, _ counts: Bool) throws {
    var house = Household()
    house.ask(Household.send())
    #expect(!house.engine.isAsking(at: house.now), "nothing was heard yet")
    try house.report(.started)
    if !sounds { try house.report(.finished) }
    house.wait(after)
    #expect(house.engine.isAsking(at: house.now) == counts)
    house.press()
    #expect((house.messages["m1"]?.readAt != nil) == counts)
    guard counts else { return }
    #expect(house.messages["m1"]?.readBy == "button/wired")
    #expect(house.types.last == "message.read")
    #expect(house.stopped.count == (sounds ? 1 : 0))
    house.wait(86_400)
    #expect(house.played.count == 1 && house.rows.isEmpty)
  }

  @Test("Somebody far away can say that it was read, once; an unknown message is refused")
  func readByCommand() {
    var house = Household()
    house.ask(Household.send())
    let backend = Principal(channel: .plugin, name: "mqtt/anna")
    #expect(house.ask(.read("m1"), by: backend).reply == ["read": "m1"])
    #expect(house.messages["m1"]?.readBy == "plugin:mqtt/anna")
    #expect(house.stopped.count == 1)
    #expect(house.ask(.read("m1")).refusal == nil)
    #expect(house.types.filter { $0 == "message.read" }.count == 1)
    #expect(house.ask(.read("m9")).refusal?.code == .unknownTarget)
  }

  @Test("Several messages are spoken one after the other, the oldest first")
  func inTurn() throws {
    var house = Household()
    for number in 1...3 {
      house.ask(Household.send(MessageID("m\(number)"), "Text \(number)"))
      house.wait(1)
    }
    #expect(house.played.count == 1)
    try house.report(.started)
    house.press()
    #expect(words(house.lastPlayed).first == "Message from Anna: Text 2")
    try house.report(.started)
    try house.report(.finished)
    house.wait(119)
    #expect(house.played.count == 2, "the second may still be answered")
    house.wait(1)
    #expect(words(house.lastPlayed).first == "Message from Anna: Text 3")
  }

  @Test("A message that could not be heard is tried again and counts for nothing")
  func failed() throws {
    for outcome in [SoundReport.Outcome.failed, .stopped] {
      var house = Household()
      house.ask(Household.send())
      for number in 1...5 {
        try house.report(outcome)
        #expect(house.messages["m1"]?.spokenAt == nil)
        house.wait(600)
        #expect(house.played.count == number + 1)
      }
    }
  }

  @Test(
    "A loudspeaker that never answers holds up no other message for more than a quarter of an hour")
  func silentSpeaker() {
    var house = Household()
    house.ask(Household.send())
    house.ask(Household.send("m2", "Second"))
    house.wait(899)
    #expect(house.played.count == 1)
    house.wait(1)
    #expect(house.stopped.count == 1)
    #expect(words(house.lastPlayed).first == "Message from Anna: Second")
  }

  @Test("Late reports of an earlier sound are not taken for the one that sounds")
  func lateReport() throws {
    var house = Household()
    house.ask(Household.send())
    let first = try #require(house.lastPlayed).id
    house.wait(900 + 600)
    #expect(house.lastPlayed?.id != first)
    try house.report(.started, first)
    #expect(house.messages["m1"]?.spokenAt == nil)
  }

  // MARK: Quiet hours

  @Test("In quiet hours a message waits until they are over")
  func quietHours() {
    var house = Household()
    house.quiet = .minutes(90)
    house.ask(Household.send())
    #expect(house.played.isEmpty)
    house.wait(89 * 60)
    #expect(house.played.isEmpty)
    house.quiet = .over
    house.wait(60)
    #expect(house.played.count == 1)
  }

  @Test("Quiet hours that are changed are looked at again at once")
  func changedQuietHours() {
    var house = Household()
    house.quiet = .minutes(500)
    house.ask(Household.send())
    house.quiet = .over
    house.tell(.circumstancesChanged)
    #expect(house.played.count == 1)
  }

  @Test("Without a clock a new message is spoken at once, and one from before waits for the clock")
  func unknownTime() {
    var house = Household()
    house.quiet = .unknown
    house.ask(Household.send())
    #expect(house.played.count == 1)
    house.restart(boot: "boot-2")
    house.tell(.time)
    house.wait(3600)
    #expect(house.played.count == 1)
    house.quiet = .over
    house.tell(.circumstancesChanged)
    #expect(house.played.count == 2)
  }

  @Test("A clock that never comes keeps a message for a night and no longer")
  func noClockAtAll() {
    var house = Household()
    house.quiet = .minutes(10)
    house.ask(Household.send())
    house.quiet = .unknown
    house.restart(boot: "boot-2")
    house.wait(8 * 3600)
    #expect(house.played.isEmpty)
    house.wait(3600)
    #expect(house.played.count == 1)
  }

  // MARK: Power cuts

  @Test("After a restart the count goes on", arguments: [Household.boot, "boot-2"])
  func restart(_ boot: BootID) throws {
    var house = Household()
    house.ask(Household.send())
    try house.report(.started)
    house.wait(300)
    house.restart(boot: boot)
    house.tell(.time)
    #expect(house.played.count == 1, "ten minutes are not over")
    house.wait(300)
    #expect(house.played.count == 2)
    try house.report(.started)
    house.restart(boot: boot)
    house.wait(600)
    try house.report(.started)
    house.restart(boot: boot)
    house.wait(86_400)
    #expect(house.played.count == 3 && house.messages["m1"]?.readAt == nil)
  }

  @Test("A power cut after every input changes nothing but the answer to what sounds")
  func powerCuts() throws {
    var results: [[String]] = []
    for losesPower in [false, true] {
      var house = Household(losesPower: losesPower)
      house.ask(Household.send("m1", "One"))
      house.ask(Household.send("m2", "Please call", sender: "Mary", .toCaregivers))
      house.ask(.put(Household.note(text: "one"), revision: nil))
      house.ask(.put(Household.note(text: "two"), revision: 1))
      house.ask(.put(Household.note(text: "three"), revision: 1))
      house.ask(.read("m1"))
      house.ask(.read("m2"))
      house.ask(.remove("n1", revision: 2))
      house.wait(7200)
      results.append(house.types)
      #expect(house.notes.isEmpty && house.messages.values.allSatisfy { $0.readAt != nil })
    }
    #expect(results[0] == results[1])
  }

  @Test("A row about a message that is gone is cleared away")
  func staleRow() throws {
    var house = Household()
    house.ask(Household.send())
    try house.report(.started)
    let rows = house.rows
    let engine = NotebookEngine(
      stored: StoredState(engineRows: rows), seed: 0, in: house.world)
    #expect(engine.nextWake != nil && engine.rows == rows)
    var cleared = engine
    let outcome = try #require(try cleared.handle(.time, in: house.world))
    #expect(outcome.changes.count == 1 && cleared.rows.isEmpty && cleared.nextWake == nil)
  }

  // MARK: Bounds

  @Test("Of many unread messages the newest 200 are held; the rest waits in the store")
  func manyUnread() throws {
    let world = Household().world
    var engine = NotebookEngine(stored: StoredState(), seed: 0, in: world)
    for number in 1...1000 {
      let command = Command(
        id: "c", principal: Household.anna,
        request: .note(Household.send(MessageID("m\(number)"))))
      _ = try engine.handle(.asked(command, sent: world.now.tick), in: world)
    }
    #expect(engine.unreadMessages.count == 200)
    #expect(engine.unreadMessages.first?.id == "m801")
  }

  @Test(
    "What cannot be spoken or is too long is refused",
    arguments: [
      ("", "Anna", "1 through 2000"), (String(repeating: "x", count: 2001), "Anna", "2001"),
      ("a\0b", "Anna", "NUL"), ("Hello", "", "1 through 200"), ("Hello", "A\nB", "one line"),
      (" \n ", "Anna", "read aloud"), ("Hello", "  ", "read aloud"),
    ])
  func refused(_ text: String, _ sender: String, _ reason: String) throws {
    var house = Household()
    let refusal = try #require(house.ask(Household.send("m1", text, sender: sender)).refusal)
    #expect(
      refusal.code == .invalid && refusal.message.description.contains(reason), "\(refusal.message)"
    )
    #expect(house.messages.isEmpty)
  }

  @Test(
    "A long text is spoken in pieces of at most 500 characters, none of it lost",
    arguments: [
      String(repeating: "A sentence of words. ", count: 95),
      String(repeating: "没有空格的很长的句子", count: 200), String(repeating: "x", count: 2000),
      String(repeating: "👨‍👩‍👧‍👦", count: 280), String(repeating: "word, ", count: 333),
    ])
  func pieces(_ text: String) throws {
    var house = Household()
    house.ask(Household.send("m1", text))
    let pieces = words(house.lastPlayed).dropLast()
    #expect(pieces.allSatisfy { $0.unicodeScalars.count <= 500 })
    #expect(pieces.joined() == "Message from Anna: \(text)")
    #expect(pieces.count <= 6)
  }
}
