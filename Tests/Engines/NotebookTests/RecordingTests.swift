import Care
import JSON
import Moments
import Notebook
import TestSupport
import Testing
import Texts

@Suite("Recorded messages")
struct RecordingTests {
  private func recorded(
    _ id: MessageID = "m1", _ recording: RecordingID = "aa", _ text: String = "",
    _ direction: ChatMessage.Direction = .toResident, to resident: ResidentID = "mary"
  ) -> NoteRequest {
    Household.send(id, text, sender: "Anna", direction, to: resident, recording: recording)
  }

  @Test("A recorded message is told with its seconds, announced, and the voice itself is played")
  func played() throws {
    var house = Household()
    house.keepRecording("aa")
    #expect(house.ask(recorded()).refusal == nil)
    #expect(house.messages["m1"]?.recording == ChatMessage.Attachment(id: "aa", seconds: 12))
    let facts = try #require(house.events.last?.facts)
    #expect(facts["text"] == "" && facts["recording"] == "aa" && facts["recordingSeconds"] == 12)
    #expect(facts["explanation"] == "Anna recorded a message of 12 seconds for the resident.")
    let parts = try #require(house.lastPlayed).parts
    #expect(
      parts == [
        .pattern("chime"), .speech(Sentence("Anna recorded a message for you.", language: "en")),
        .pause(milliseconds: 500), .recording("aa"), .pause(milliseconds: 500),
        .speech(Sentence("Press the button if you heard this.", language: "en")),
      ])
    #expect(house.lastPlayed?.priority == .reminder)
  }

  @Test("It is played again like any message, until somebody heard it, and not in quiet hours")
  func again() throws {
    var house = Household()
    house.keepRecording("aa")
    house.quiet = .minutes(60)
    house.ask(recorded())
    #expect(house.played.isEmpty)
    house.quiet = .over
    house.wait(3_600)
    try house.report(.started)
    try house.report(.finished)
    house.wait(600)
    try house.report(.started)
    #expect(house.played.count == 2)
    #expect(house.played.allSatisfy { $0.parts.contains(.recording("aa")) })
    let isHeard = house.press()
    #expect(isHeard)
    #expect(house.messages["m1"]?.readBy == "button/wired" && house.stopped.count == 1)
    house.wait(3_600)
    #expect(house.played.count == 2 && house.recordings["aa"]?.isSent == true)
  }

  @Test("Words beside a recording are spoken before it")
  func withWords() throws {
    var house = Household()
    house.keepRecording("aa")
    house.ask(recorded("m1", "aa", "Listen."))
    let parts = try #require(house.lastPlayed).parts
    #expect(parts[1] == .speech(Sentence("Message from Anna: Listen.", language: "en")))
    #expect(parts.contains(.recording("aa")))
    #expect(
      house.messages["m1"]?.words.description == "Listen. (Recorded message, 12 seconds)")
  }

  @Test("What a resident recorded is told to those who care, and not played")
  func toCaregivers() {
    var house = Household()
    house.keepRecording("aa", resident: "ping")
    house.ask(recorded("m1", "aa", "", .toCaregivers, to: "ping"))
    #expect(house.played.isEmpty && house.types == ["message.sent"])
    #expect(
      house.events.last?.signal
        == .news(.message(sender: "Anna", text: "", recordedSeconds: 12), of: "ping"))
    let words = house.messages["m1"]?.words
    #expect(words?.text(in: .zh) == "录音消息，12秒")
  }

  @Test("A recording that is not there, or was made for somebody else, is carried by no message")
  func refused() {
    var house = Household()
    house.keepRecording("bb", resident: "ping")
    for id in ["aa", "bb", ""] as [RecordingID] {
      #expect(house.ask(recorded("m1", id)).refusal?.code == .unknownTarget)
    }
    #expect(
      house.messages.isEmpty && house.events.isEmpty && house.recordings["bb"]?.isSent == false)
    // Blank words are no words, with a recording as without.
    house.keepRecording("aa")
    #expect(house.ask(recorded("m1", "aa", "  ")).refusal?.code == .invalid)
    #expect(house.ask(Household.send("m1", "")).refusal?.code == .invalid)
  }

  @Test("A message that comes twice is one, with its recording; another recording is refused")
  func twice() {
    var house = Household(losesPower: true)
    house.keepRecording("aa")
    house.keepRecording("bb")
    house.ask(recorded())
    let again = house.ask(recorded())
    #expect(again.refusal == nil && again.events.isEmpty)
    #expect(house.ask(recorded("m1", "bb")).refusal?.code == .conflict)
    #expect(house.ask(Household.send("m1", "Words")).refusal?.code == .conflict)
    #expect(house.messages.count == 1)
  }

  @Test("A recording waits an hour for its message; one that was sent stays")
  func waiting() {
    var house = Household(losesPower: true)
    house.keepRecording("aa")
    house.keepRecording("bb")
    house.ask(recorded("m1", "bb", "", .toCaregivers))
    house.wait(3_000)
    house.keepRecording("aa")
    house.wait(3_700)
    #expect(house.removedRecordings == ["aa"] && house.recordings.keys.sorted() == ["bb"])
    #expect(house.engine.nextWake == nil)
    // Brought a second time, it is the one that was sent already, and waits for nothing.
    house.keepRecording("bb")
    #expect(house.engine.nextWake == nil)
  }

  @Test("Only so many are kept of each resident: the oldest goes, first what nobody sent")
  func bounded() {
    var house = Household()
    func name(_ number: Int) -> RecordingID { RecordingID("r\(1000 + number)") }
    house.keepRecording("other", resident: "ping")
    for number in 0..<NoteRules.recordingsAtMost {
      house.now = house.now.advanced(byMilliseconds: 1000)
      house.keepRecording(name(number))
      house.ask(recorded(MessageID("m\(number)"), name(number), "", .toCaregivers))
      house.ask(.read(MessageID("m\(number)")))
    }
    #expect(house.removedRecordings.isEmpty)
    house.keepRecording("new")
    #expect(house.removedRecordings == [name(0)] && house.recordings["other"] != nil)
    // Whoever brings more and more and sends nothing takes nothing from others.
    for number in 0..<50 { house.keepRecording(RecordingID("x\(number)")) }
    #expect(house.removedRecordings.count == 51)
    #expect(house.recordings.values.filter { $0.isSent }.count == NoteRules.recordingsAtMost - 1)
  }

  @Test("One that is not kept any more is said so, where its voice was to be played")
  func gone() throws {
    var message = ChatMessage(
      id: "m1", resident: "mary", direction: .toResident, sender: "Anna", text: "",
      sentAt: Household.noon.utc)
    message.recording = ChatMessage.Attachment(id: "aa", seconds: 3)
    var engine = NotebookEngine(
      stored: StoredState(messages: [message]), seed: 0, in: Household().world)
    let outcome = try engine.handle(.time, in: Household().world)
    let parts = try #require(
      outcome?.actions.compactMap { if case .play(let sound) = $0 { sound.parts } else { nil } }
        .first)
    #expect(!parts.contains(.recording("aa")))
    #expect(
      parts[1]
        == .speech(
          Sentence("Anna recorded a message for you. It is not kept any more.", language: "en")))
  }

  @Test("Whoever stands in the room has one played as often as they want, and nothing is noted")
  func wanted() {
    var house = Household()
    house.keepRecording("aa")
    for _ in 0..<2 { #expect(house.ask(.playRecording("aa")).refusal == nil) }
    #expect(house.played.map(\.parts) == [[.recording("aa")], [.recording("aa")]])
    #expect(Set(house.played.map(\.id)).count == 1 && house.events.isEmpty)
    #expect(house.ask(.playRecording("bb")).refusal?.code == .unknownTarget)
    let requests: [(NoteRequest, ResidentID?)] = [
      (.playRecording("aa"), "mary"), (.playRecording("bb"), nil),
      (.keepRecording(Household.recording("cc", resident: "ping")), "ping"),
    ]
    for (request, resident) in requests {
      #expect(house.engine.resident(concernedBy: .note(request)) == resident, "\(request)")
    }
  }

  @Test("Only the gateway itself notes that a recording is stored")
  func forged() {
    var house = Household()
    for channel in [Principal.Channel.local, .plugin] {
      let principal = Principal(channel: channel, name: "eve")
      let outcome = house.ask(.keepRecording(Household.recording("aa")), by: principal)
      #expect(outcome.refusal?.code == .forbidden)
    }
  }

  @Test("Erasing a resident takes their recordings, sent and unsent, and nobody else's")
  func erasing() {
    var house = Household()
    house.keepRecording("aa")
    house.keepRecording("bb")
    house.keepRecording("cc", resident: "ping")
    house.ask(recorded())
    house.erase("mary")
    #expect(house.removedRecordings.sorted() == ["aa", "bb"])
    #expect(house.recordings.keys.sorted() == ["cc"] && house.stopped.count == 1)
  }

  @Test("A command says what it carries, and reads it back; one of before says nothing of it")
  func command() throws {
    let request = Command.Request.note(recorded())
    #expect(try Command.Request(json: request.json) == request)
    let message = ChatMessage(
      id: "m1", resident: "mary", direction: .toResident, sender: "Anna", text: "",
      recording: ChatMessage.Attachment(id: "aa", seconds: 1), sentAt: .seconds(5))
    #expect(try ChatMessage(json: message.json) == message)
    #expect(message.words.description == "Recorded message, 1 second")
  }
}
