import Care
import JSON
import Moments
import Room
import TestSupport
import Testing
import Texts

@Suite("What people ask of the room")
struct RoomRequestTests {
  @Test("A sound by its name is played as low as a chime, and another name is unknown")
  func playSound() {
    var room = RoomScene()
    let played = room.ask(.playSound(name: "reminder")).outcome.sounds
    #expect(played.map(\.parts) == [[.pattern("reminder")]])
    #expect(played.map(\.priority) == [.chime])
    #expect(room.ask(.playSound(name: "trumpet")).refusal?.code == .unknownTarget)
  }

  @Test("A text is said after a chime")
  func say() {
    var room = RoomScene()
    let said = room.ask(.say(text: "Lunch", language: "en"))
    #expect(
      said.outcome.sounds.map(\.parts)
        == [[.pattern("chime"), .speech(Sentence("Lunch", language: "en"))]])
    #expect(said.outcome.sounds.map(\.priority) == [.reminder])
    #expect(said.reply == ["isSpoken": true])
  }

  @Test("A text has 1 through 500 characters in a language that is spoken")
  func sayLimits() {
    var room = RoomScene()
    let longest = String(repeating: "萍", count: 500)
    #expect(room.ask(.say(text: longest, language: "zh")).refusal == nil)
    for (text, language) in [("", "en"), (longest + "a", "zh"), ("Hei", "nb"), ("Hi", "")] {
      let asked = room.ask(.say(text: text, language: language))
      #expect(asked.refusal?.code == .invalid && asked.actions.isEmpty, "\(text) \(language)")
    }
  }

  @Test("The help is spoken a sentence at a time", arguments: ["en", "zh"])
  func speakHelp(language: String) {
    var room = RoomScene()
    let help = room.ask(.speakHelp(language: language))
    let spoken = help.outcome.sounds.flatMap(\.parts).compactMap { part -> String? in
      if case .speech(let sentence) = part { sentence.text } else { nil }
    }
    #expect(spoken == ResidentGuide.text(language: language))
    #expect(help.outcome.sounds.first?.parts.last == .pause(milliseconds: 1500))
    #expect(help.reply == ["isSpoken": true])
    #expect(room.ask(.speakHelp(language: "nb")).refusal?.code == .invalid)
  }

  @Test("A call is answered with when it comes, and rings as the resident's settings want it")
  func startFakeCall() {
    var room = RoomScene()
    for (settings, ring) in [
      ([:], "ring-gb"), (["country": "CN"], "ring-cn"),
      (["country": "CN", "fakeCallCountry": "US"], "ring-us"),
      (["fakeCallCountry": "AT"], "ring-at"),
    ] as [(House.Settings, String)] {
      room.house.settings["mary"] = settings
      let asked = room.ask(.startFakeCall(resident: "mary", afterSeconds: 0))
      #expect(asked.reply == ["afterSeconds": 0])
      #expect(asked.outcome.sounds.map(\.parts) == [[.pattern(ring)]])
      #expect(room.ask(.endFakeCall).refusal == nil)
    }
    #expect(
      room.ask(.startFakeCall(resident: "mary", afterSeconds: 30)).reply == ["afterSeconds": 30])
  }

  @Test("No call comes in for somebody who is not known, or who needs help")
  func noFakeCall() {
    var room = RoomScene([RoomScene.mary, RoomScene.john])
    let start = RoomRequest.startFakeCall(resident: "mary", afterSeconds: 0)
    #expect(
      room.ask(.startFakeCall(resident: "marry", afterSeconds: 0)).refusal?.code == .unknownTarget)
    room.need.open = ["mary"]
    #expect(room.ask(start).refusal?.code == .conflict)
    room.need = World.Need()
    room.need.prealarm = ["mary"]
    #expect(room.ask(start).refusal?.code == .conflict)
    room.need = World.Need()
    room.need.isSomebodys = true
    #expect(room.ask(start).refusal?.code == .conflict)
    #expect(room.engine.nextWake == nil)
    room.need = World.Need()
    room.need.open = ["john"]
    #expect(room.ask(start).refusal == nil)
  }

  @Test("A fake call concerns its resident, and nothing else asked of the room anybody")
  func concerned() {
    let engine = RoomScene().engine
    let start = RoomRequest.startFakeCall(resident: "mary", afterSeconds: 0)
    #expect(engine.resident(concernedBy: .room(start)) == "mary")
    #expect(engine.resident(concernedBy: .room(.endFakeCall)) == nil)
    #expect(engine.resident(concernedBy: .locate(resident: "mary")) == nil)
  }
}

@Suite("What can be heard in the room")
struct RoomSoundTests {
  private func report(
    _ component: ComponentID, _ state: HealthState, _ detail: String = "no sound device"
  ) -> Input {
    .observed(
      .health(
        HealthReport(component: component, state: state, detail: Message(verbatim: detail))))
  }

  @Test(
    "Where nothing can be heard, nothing is said to be said",
    arguments: [HealthState.failed, .unused])
  func silence(state: HealthState) throws {
    var room = RoomScene()
    let requests: [RoomRequest] = [
      .say(text: "Lunch", language: "en"), .playSound(name: "chime"),
      .speakHelp(language: "en"), .startFakeCall(resident: "mary", afterSeconds: 60),
    ]
    #expect(room.shown(.sound).silence == nil)
    for request in requests { #expect(room.ask(request).refusal == nil) }
    #expect(try room.hear(report("sound", state)) == Outcome())
    #expect(room.shown(.sound).silence == Message(verbatim: "no sound device"))
    for request in requests {
      let refusal = room.ask(request).refusal
      #expect(refusal?.code == .conflict)
      #expect(refusal?.message.description.contains("no sound device") == true)
    }
    // A call that is planned can be ended all the same.
    #expect(room.ask(.endFakeCall).refusal == nil)
    try room.hear(report("sound", .working))
    #expect(room.shown(.sound).silence == nil)
    for request in requests { #expect(room.ask(request).refusal == nil) }
  }

  @Test("A loudspeaker that works in part is heard")
  func degraded() throws {
    var room = RoomScene()
    try room.hear(report("sound", .degraded))
    #expect(room.shown(.sound).silence == nil)
    #expect(room.ask(.playSound(name: "chime")).refusal == nil)
  }

  private func isSpoken(_ room: inout RoomScene) -> (Bool?, String) {
    let reply = room.ask(.say(text: "Lunch", language: "en")).reply
    let help = room.ask(.speakHelp(language: "en")).reply
    #expect(help == reply)
    return (reply["isSpoken"]?.boolContent, reply["explanation"]?.stringContent ?? "")
  }

  @Test("Whoever has something said hears that only a tone is heard, and why")
  func speechlessness() throws {
    var room = RoomScene()
    #expect(isSpoken(&room) == (true, ""))
    try room.hear(.observed(.ways(WaysReport(offers: []))))
    #expect(isSpoken(&room).0 == false)
    #expect(isSpoken(&room).1.contains("Enable the plugin speech"))
    #expect(room.shown(.sound).speechlessness != nil)
    func offer(isRunning: Bool) throws {
      let voice = WaysReport.Service(plugin: "speech", isRunning: isRunning)
      #expect(try room.hear(.observed(.ways(WaysReport(offers: [], voice: voice)))) == Outcome())
    }
    try offer(isRunning: false)
    #expect(isSpoken(&room).0 == false && isSpoken(&room).1.contains("homeward plugins"))
    try offer(isRunning: true)
    #expect(isSpoken(&room) == (true, ""))
    #expect(room.shown(.sound).speechlessness == nil)
    try room.hear(report("speech", .degraded, "no voice"))
    #expect(isSpoken(&room).0 == false && isSpoken(&room).1.contains("no voice"))
    try room.hear(report("speech", .working))
    #expect(isSpoken(&room) == (true, ""))
  }

  @Test("A plugin that failed speaks no new words, though it is said to run")
  func failedVoice() throws {
    var room = RoomScene()
    let voice = WaysReport.Service(plugin: "speech", isRunning: true)
    try room.hear(.observed(.ways(WaysReport(offers: [], voice: voice))))
    room.faults = [
      HealthReport(component: "plugin/email", state: .failed),
      HealthReport(component: "plugin/speech", state: .degraded),
    ]
    #expect(isSpoken(&room) == (true, ""))
    room.faults.append(HealthReport(component: "plugin/speech", state: .failed))
    #expect(isSpoken(&room).0 == false && isSpoken(&room).1.contains("speech does not work"))
    #expect(room.shown(.sound).speechlessness != nil)
  }

  @Test("Why nothing is spoken is told in the gateway's language")
  func language() throws {
    var room = RoomScene()
    room.house.language = .zh
    try room.hear(.observed(.ways(WaysReport(offers: []))))
    let words = isSpoken(&room).1
    #expect(!words.isEmpty && words.unicodeScalars.contains { $0.value >= 0x4E00 }, "\(words)")
  }

  @Test("What happens elsewhere is none of the room's business")
  func elsewhere() throws {
    var room = RoomScene()
    #expect(room.ask(.startFakeCall(resident: "mary", afterSeconds: 60)).refusal == nil)
    let wake = room.engine.nextWake
    let inputs: [Input] = [
      .started(version: "0"), .time, report("gps/car", .failed), .changed(.guardians),
      .changed(.erased("john")), .signalled(.news(.receipt(sender: "Anna"), of: "mary")),
      .observed(.sound(SoundReport(sound: "by-hand", outcome: .failed))),
      .observed(.clock(ClockReport(quality: .synchronised))), .settled(after: .wake),
    ]
    for input in inputs {
      #expect(try room.hear(input) == nil, "\(input)")
      #expect(room.engine.nextWake == wake)
    }
    #expect(room.shown(.sound).silence == nil)
  }
}
