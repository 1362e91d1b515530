import Care
import Core
import Foundation
import JSON
import Moments
import Notebook
import Recurrence
import Testing

@Suite("Notes and messages through the core")
struct NoteStepTests {
  private static func resident(_ zone: String = "Australia/Darwin") -> Resident {
    Resident(id: "mary", name: "Mary", timeZone: zone)
  }

  private static func note(text: String) -> Note {
    Note(
      id: "n1", resident: "mary", kind: .memo, text: text, time: CoreFixture.start.utc,
      author: "Anna", changedAt: CoreFixture.start.utc)
  }

  private static let message = NoteRequest.send(
    id: "m1", resident: "mary", .toResident, sender: "Anna", text: "I come at six.")

  private static func house(_ quietHours: String = "none") -> CoreFixture {
    var fixture = CoreFixture(
      configuration: CoreConfiguration(
        gateway: "test",
        buttons: [ButtonBinding(button: "wired", press: .assist)]))
    fixture.perform(.putResident(resident()))
    fixture.perform(
      .putSetting(resident: "mary", name: "quietHours", value: .string(quietHours)))
    return fixture
  }

  private static func played(_ results: [StepResult]) -> [SoundRequest] {
    results.flatMap(\.actions).compactMap {
      if case .play(let request) = $0 { request } else { nil }
    }
  }

  @Test("A refused change of a note leaves nothing behind but the news of the conflict")
  func conflict() throws {
    var fixture = Self.house()
    fixture.perform(.note(.put(Self.note(text: "one"), revision: nil)))
    let before = fixture.core.storedState
    let result = fixture.perform(.note(.put(Self.note(text: "two"), revision: 7)))
    #expect(result.reply?.refusalCode == .conflict)
    #expect(result.events.map(\.type) == [.changeConflict])
    #expect(result.changes.allSatisfy { $0.row(Note.self, in: .note) == nil })
    #expect(fixture.core.storedState.notes == before.notes)
  }

  @Test(
    "The picture of an item is kept while the item shows it, also by a gateway that starts anew")
  func pictureOfAnItem() throws {
    var fixture = Self.house()
    func pill(_ picture: PictureID?) -> Command.Request {
      .routine(
        .put(
          RoutineItem(
            id: "pill", resident: "mary", title: "Pill", schedule: .never, picture: picture),
          revision: nil))
    }
    #expect(fixture.perform(pill("aa")).reply?.refusalCode == .unknownTarget)
    let picture = Picture(
      id: "aa", resident: "mary", mediaType: "image/jpeg", bytes: 1, width: 1, height: 1)
    fixture.perform(
      .note(.keepPicture(picture)), by: Principal(channel: .gateway, name: "picture/local:anna"))
    #expect(fixture.perform(pill("aa")).reply?.refusalCode == nil)
    var again = CoreFixture(stored: fixture.core.storedState, at: fixture.now)
    again.step(.wake, afterSeconds: 7_200)
    #expect(again.core.notebook.picture("aa") == picture)
    #expect(again.core.routine.summaries(of: "mary", at: again.now).first?["picture"] == "aa")
    again.perform(.routine(.remove("pill", revision: nil)), id: "removal")
    #expect(again.core.notebook.picture("aa") == picture)
    let result = again.step(.wake, afterSeconds: 3_600)
    #expect(result.changes.compactMap(\.removedPicture) == ["aa"])
    #expect(again.core.notebook.picture("aa") == nil)
  }

  @Test("A conflict is told once, also when its command is repeated")
  func repeatedConflict() {
    var fixture = Self.house()
    fixture.perform(.note(.put(Self.note(text: "one"), revision: nil)))
    let stale = Command.Request.note(.put(Self.note(text: "two"), revision: 7))
    let first = fixture.perform(stale, id: "stale")
    let again = fixture.perform(stale, id: "stale")
    #expect(first.events.map(\.type) == [.changeConflict] && again.events.isEmpty)
    #expect(first.reply?.refusalCode == .conflict && again.reply == first.reply)
  }

  @Test("A note for nobody, and one with an id that is none, are refused")
  func unknownResident() {
    var fixture = Self.house()
    var note = Self.note(text: "one")
    note.resident = "nobody"
    let nobody = fixture.perform(.note(.put(note, revision: nil))).reply
    #expect(nobody?.refusalCode == .unknownTarget)
    note = Self.note(text: "one")
    note.id = "No Id"
    #expect(fixture.perform(.note(.put(note, revision: nil))).reply?.refusalCode == .invalid)
    let message = NoteRequest.send(
      id: "m1", resident: "nobody", .toResident, sender: "Anna", text: "x")
    #expect(fixture.perform(.note(message)).reply?.refusalCode == .unknownTarget)
  }

  @Test("A press answers the message that sounds, and says the time when none does")
  func press() throws {
    var fixture = Self.house()
    fixture.perform(.note(Self.message))
    let sound = try #require(Self.played(fixture.results).last)
    fixture.step(.observation(.sound(SoundReport(sound: sound.id, outcome: .started))))
    let press = CoreInput.observation(
      .button(ButtonReport(button: "wired", gesture: .press, edge: .seconds(1))))
    let answered = fixture.step(press, afterSeconds: 5)
    #expect(answered.events.map(\.type) == [.messageRead])
    #expect(answered.actions.contains(.stopSound(sound.id)))
    let clock = fixture.step(press, afterSeconds: 5)
    #expect(Self.played([clock]).map(\.id) == ["clock"])
  }

  @Test("A hold is an SOS while a message sounds, and a press then is for the alarm")
  func holdIsSOS() throws {
    var fixture = Self.house()
    fixture.perform(.note(Self.message))
    let sound = try #require(Self.played(fixture.results).last)
    fixture.step(.observation(.sound(SoundReport(sound: sound.id, outcome: .started))))
    let hold = fixture.step(
      .observation(.button(ButtonReport(button: "wired", gesture: .hold, edge: .seconds(1)))),
      afterSeconds: 1)
    #expect(hold.events.contains { $0.type == .alarmRaised })
    fixture.step(
      .observation(.button(ButtonReport(button: "wired", gesture: .press, edge: .seconds(1)))),
      afterSeconds: 1)
    #expect(fixture.core.notebook.unreadMessages(of: "mary").map(\.id) == ["m1"])
  }

  @Test("A resident's quiet hours hold a message back until they are over")
  func quietHours() throws {
    // 2026-11-18T11:06:40Z is 20:36 in Darwin, half an hour before nine.
    var fixture = Self.house("20:00-21:00")
    let file = try Data(contentsOf: URL(fileURLWithPath: "/usr/share/zoneinfo/Australia/Darwin"))
    fixture.step(.timeZone(name: "Australia/Darwin", file: Array(file)))
    let sent = fixture.perform(.note(Self.message))
    #expect(Self.played([sent]).isEmpty)
    guard case .done(let reply) = sent.reply else {
      Issue.record("refused: \(String(describing: sent.reply))")
      return
    }
    #expect(reply["waitsUntil"]?.stringContent == "2026-11-18T11:30:00.000Z")
    var waited: Int64 = 0
    while waited < 3600, Self.played(fixture.results).isEmpty {
      fixture.step(.wake, afterSeconds: 60)
      waited += 60
    }
    #expect(Self.played(fixture.results).count == 1)
    let local = (fixture.now.utc.milliseconds / 60_000 + 570) % 1440
    #expect((21 * 60...21 * 60 + 1).contains(local), "it is \(local / 60):\(local % 60)")
  }

  @Test("Erasing a resident removes their pictures and ends the message that sounds")
  func erasing() throws {
    var fixture = Self.house()
    let picture = Picture(
      id: "aa", resident: "mary", mediaType: "image/png", bytes: 1, width: 1, height: 1)
    fixture.perform(
      .note(.keepPicture(picture)), by: Principal(channel: .gateway, name: "picture"))
    var note = Self.note(text: "x")
    note.pictures = ["aa"]
    fixture.perform(.note(.put(note, revision: nil)))
    fixture.perform(.note(Self.message))
    let result = fixture.perform(.eraseResident("mary"))
    #expect(result.changes.contains(.removePicture("aa")))
    #expect(result.actions.contains { if case .stopSound = $0 { true } else { false } })
    let state = fixture.core.storedState
    #expect(state.notes.isEmpty && state.messages.isEmpty && state.pictures.isEmpty)
  }

  @Test("A core made from what is stored goes on with the same notes, messages and rows")
  func storedState() throws {
    var fixture = Self.house()
    fixture.perform(.note(.put(Self.note(text: "one"), revision: nil)))
    fixture.perform(.note(Self.message))
    let sound = try #require(Self.played(fixture.results).last)
    fixture.step(.observation(.sound(SoundReport(sound: sound.id, outcome: .started))))
    let state = try StoredState(json: fixture.core.storedState.json)
    let again = CoreFixture(stored: state, at: fixture.now)
    #expect(again.core.storedState.json == fixture.core.storedState.json)
    #expect(state.messages.first?.spokenAt == fixture.now.utc)
  }

  @Test("What is removed or read is recorded as the resident's, so that erasing them finds it")
  func concerned() {
    let fixture = Self.house()
    let principal = Principal(channel: .local, name: "anna")
    let removal = Command(
      id: "c", principal: principal, request: .note(.remove("n1", revision: nil)),
      stored: .note(Self.note(text: "private")))
    #expect(fixture.core.resident(concernedBy: .command(removal)) == "mary")
    let message = ChatMessage(
      id: "m1", resident: "mary", direction: .toCaregivers, sender: "Mary", text: "private",
      sentAt: CoreFixture.start.utc)
    let reading = Command(
      id: "c", principal: principal, request: .note(.read("m1")), stored: .message(message))
    #expect(fixture.core.resident(concernedBy: .command(reading)) == "mary")
  }

  @Test("Requests about notes come back from JSON as they went in")
  func roundTrip() throws {
    let requests: [NoteRequest] = [
      .put(Self.note(text: "萍"), revision: 3), .put(Self.note(text: "x"), revision: nil),
      .remove("n1", revision: 2), Self.message, .read("m1"),
      .keepPicture(
        Picture(
          id: "aa", resident: "mary", mediaType: "image/png", bytes: 1, width: 1, height: 1)),
    ]
    for request in requests {
      let command = Command(
        id: "c", principal: Principal(channel: .plugin, name: "mqtt/anna"),
        expiresAt: CoreFixture.start.utc, request: .note(request),
        stored: .note(Self.note(text: "before")))
      #expect(try Command(json: command.json) == command)
    }
  }
}
