import Care
import JSON
import Moments
import Notebook
import TestSupport
import Testing
import Texts

@Suite("Notes and their pictures")
struct NoteTests {
  @Test("A note is stored with its revision, and told with its content")
  func added() throws {
    var house = Household()
    let outcome = house.ask(.put(Household.note(tags: ["a", "a", "b"]), revision: nil))
    #expect(outcome.reply == ["id": "n1", "revision": 1])
    let note = try #require(house.notes["n1"])
    #expect(note.revision == 1 && note.changedAt == house.now.utc && note.tags == ["a", "b"])
    #expect(house.types == ["record.changed"])
    let facts = try #require(house.events.first?.facts)
    #expect(facts["action"] == "note.put" && facts["target"] == "n1")
    #expect(facts["content"] == note.json && facts["previous"] == nil)
    #expect(facts["by"] == "local:anna")
  }

  @Test("Text of any script comes back as it went in")
  func anyScript() {
    let text = "王芳 שלום مرحبا\u{202E} 🏠👵🏽 e\u{301} é '; DROP TABLE note;--\n\t\\\u{1B}[0m"
    var house = Household()
    house.ask(.put(Household.note(title: "题 🍵", text: text, tags: ["甜"]), revision: nil))
    #expect(Array(house.notes["n1"]?.text.utf8 ?? "".utf8) == Array(text.utf8))
    #expect(house.notes["n1"]?.title == "题 🍵" && house.notes["n1"]?.tags == ["甜"])
  }

  @Test("Without a revision the last writer wins, and the event holds what was there")
  func lastWriterWins() {
    var house = Household()
    house.ask(.put(Household.note(text: "one"), revision: nil))
    let first = house.notes["n1"]
    house.now = house.now.advanced(byMilliseconds: 5000)
    house.ask(.put(Household.note(text: "two", author: "Bert"), revision: nil))
    #expect(house.notes["n1"]?.text == "two" && house.notes["n1"]?.revision == 2)
    #expect(house.events.last?.facts["previous"] == first?.json)
  }

  @Test(
    "Whoever changes what somebody else changed meanwhile is refused, and both versions are told")
  func conflict() throws {
    var house = Household()
    house.ask(.put(Household.note(text: "one"), revision: nil))
    house.ask(.put(Household.note(text: "two", author: "Bert"), revision: 1))
    let outcome = house.ask(.put(Household.note(text: "mine"), revision: 1))
    let refusal = try #require(outcome.refusal)
    #expect(refusal.code == .conflict)
    #expect(refusal.message.description.contains("Bert changed the note n1 meanwhile at"))
    #expect(refusal.message.description.contains("(revision 2, you saw 1)"))
    #expect(house.notes["n1"]?.text == "two")
    let event = try #require(house.events.last)
    #expect(event.type == .changeConflict && event.resident == "mary")
    #expect(event.facts["stored"] == house.notes["n1"]?.json)
    #expect(event.facts["refused"]?["text"] == "mine")
    #expect(event.facts["by"] == "local:anna")
  }

  @Test(
    "A revision that is not the one that is there is refused",
    arguments: [(nil, true), (1, false), (2, true), (3, false), (0, false), (-1, false)]
      as [(Int64?, Bool)])
  func revisions(_ seen: Int64?, _ fits: Bool) {
    for isRemoval in [false, true] {
      var house = Household()
      house.ask(.put(Household.note(text: "one"), revision: nil))
      house.ask(.put(Household.note(text: "two"), revision: 1))
      let request: NoteRequest =
        isRemoval ? .remove("n1", revision: seen) : .put(Household.note(), revision: seen)
      #expect((house.ask(request).refusal == nil) == fits)
      #expect(house.types.contains("change.conflict") == !fits)
    }
  }

  @Test("Somebody who changes what was removed meanwhile is told, and loses nothing")
  func removedMeanwhile() throws {
    var house = Household()
    house.ask(.put(Household.note(text: "one"), revision: nil))
    house.ask(.remove("n1", revision: 1))
    #expect(house.notes.isEmpty)
    let refusal = try #require(house.ask(.put(Household.note(), revision: 1)).refusal)
    #expect(refusal.code == .conflict && refusal.message.description.contains("removed meanwhile"))
    #expect(house.events.last?.facts["refused"]?["text"] == "Tea")
    #expect(house.ask(.put(Household.note(), revision: 0)).refusal == nil)
  }

  @Test("A change that changes nothing is no change")
  func nothingNew() {
    var house = Household()
    house.ask(.put(Household.note(), revision: nil))
    let outcome = house.ask(.put(Household.note(), revision: 1))
    #expect(outcome.events.isEmpty && outcome.changes.isEmpty)
    #expect(outcome.reply == ["id": "n1", "revision": 1])
  }

  @Test("A removed note is told with its content")
  func removed() {
    var house = Household()
    house.ask(.put(Household.note(text: "old"), revision: nil))
    house.ask(.remove("n1", revision: nil))
    #expect(house.events.last?.facts["previous"]?["text"] == "old")
    #expect(house.ask(.remove("n1", revision: nil)).refusal?.code == .unknownTarget)
  }

  /// A note that is refused, with a word of the reason.
  struct Refused: Sendable, CustomTestStringConvertible {
    var note: Note
    var reason: String
    var testDescription: String { reason }

    init(_ reason: String, _ change: (inout Note) -> Void) {
      note = Household.note()
      change(&note)
      self.reason = reason
    }
  }

  @Test(
    "What does not fit is refused with what would",
    arguments: [
      Refused("title has 0 through 200") { $0.title = String(repeating: "题", count: 201) },
      Refused("10000 characters; this one has 10001") {
        $0.text = String(repeating: "x", count: 10_001)
      },
      Refused("NUL") { $0.text = "a\0b" }, Refused("NUL") { $0.title = "a\0b" },
      Refused("one line") { $0.title = "a\nb" }, Refused("one line") { $0.author = "a\u{1B}b" },
      Refused("at most 20 tags") { $0.tags = (1...21).map { "\($0)" } },
      Refused("tag has 1 through 50") { $0.tags = [""] },
      Refused("tag has 1 through 50") { $0.tags = [String(repeating: "x", count: 51)] },
      Refused("one line") { $0.tags = ["a\tb"] },
      Refused("at most 10 pictures") { $0.pictures = (1...11).map { PictureID("\($0)") } },
      Refused("no picture") { $0.pictures = ["aa"] },
      Refused("nothing in this note") { $0.text = " \n\u{3000}" },
    ])
  func refused(_ refused: Refused) throws {
    var house = Household()
    let refusal = try #require(house.ask(.put(refused.note, revision: nil)).refusal)
    #expect(refusal.message.description.contains(refused.reason), "\(refusal.message)")
    #expect(house.notes.isEmpty && house.events.isEmpty)
  }

  @Test("The largest note is taken")
  func largest() {
    var house = Household()
    let pictures = (0..<10).map { PictureID("p\($0)") }
    for picture in pictures { house.keep(picture) }
    let note = Household.note(
      title: String(repeating: "题", count: 200), text: String(repeating: "🏠", count: 10_000),
      tags: (1...20).map { "\($0)" + String(repeating: "x", count: 48) }, pictures: pictures)
    #expect(house.ask(.put(note, revision: nil)).refusal == nil)
    #expect(house.notes["n1"]?.pictures.count == 10)
  }

  // MARK: Pictures

  @Test("A picture goes an hour after the last note that refers to it")
  func lastReference() {
    var house = Household(losesPower: true)
    house.keep("aa")
    house.keep("bb")
    house.ask(.put(Household.note("n1", pictures: ["aa", "bb"]), revision: nil))
    house.ask(.put(Household.note("n2", pictures: ["aa"]), revision: nil))
    house.ask(.put(Household.note("n1", pictures: []), revision: nil))
    house.wait(3_599)
    #expect(house.removedPictures.isEmpty)
    house.wait(1)
    #expect(house.removedPictures == ["bb"])
    house.ask(.remove("n2", revision: nil))
    house.wait(3_600)
    #expect(house.removedPictures == ["bb", "aa"] && house.pictures.isEmpty)
  }

  @Test("Whoever takes a removal back finds the pictures there")
  func takenBack() {
    var house = Household()
    house.keep("aa")
    house.ask(.put(Household.note(pictures: ["aa"]), revision: nil))
    house.ask(.remove("n1", revision: nil))
    house.wait(3_000)
    #expect(house.ask(.put(Household.note(pictures: ["aa"]), revision: 0)).refusal == nil)
    house.wait(7_200)
    #expect(house.removedPictures.isEmpty && house.engine.nextWake == nil)
  }

  @Test("A picture stays as long as an item of the routine shows it", arguments: [false, true])
  func shownWithItem(_ losesPower: Bool) {
    var house = Household(losesPower: losesPower)
    house.keep("aa")
    house.keep("bb")
    house.picture("pill", as: "aa", of: "mary")
    house.picture("walk", as: "aa", of: "ping")
    house.wait(7_200)
    #expect(house.removedPictures == ["bb"])
    house.picture("pill", as: nil, of: "mary")
    house.wait(7_200)
    #expect(house.removedPictures == ["bb"])
    house.picture("walk", as: nil, of: "ping")
    house.wait(3_600)
    #expect(house.removedPictures == ["bb", "aa"] && house.pictures.isEmpty)
  }

  @Test("Erasing a resident leaves the picture that somebody else's item shows, as theirs")
  func erasedBesideItem() {
    var house = Household()
    for picture in ["aa", "bb"] as [PictureID] { house.keep(picture) }
    house.picture("pill", as: "aa", of: "mary")
    house.picture("walk", as: "bb", of: "ping")
    house.picture("tea", as: "bb", of: "mary")
    house.erase("mary")
    #expect(house.pictures == ["bb": Household.picture("bb", resident: "ping")])
    #expect(house.removedPictures == ["aa"] && house.engine.nextWake == nil)
  }

  @Test("A note that keeps its picture keeps the file")
  func keptPicture() {
    var house = Household()
    house.keep("aa")
    house.ask(.put(Household.note(text: "one", pictures: ["aa"]), revision: nil))
    house.ask(.put(Household.note(text: "two", pictures: ["aa"]), revision: nil))
    #expect(house.removedPictures.isEmpty && house.pictures.count == 1)
  }

  @Test("A picture waits an hour for a note, and a second time it is brought starts the hour anew")
  func unreferenced() {
    var house = Household()
    house.keep("aa")
    house.wait(3000)
    house.keep("aa")
    house.wait(3000)
    #expect(house.pictures.count == 1)
    house.wait(700)
    #expect(house.removedPictures == ["aa"])
    #expect(house.engine.nextWake == nil)
  }

  @Test("Only the gateway itself notes that a picture is stored")
  func forgedPicture() {
    var house = Household()
    for channel in [Principal.Channel.local, .plugin] {
      let principal = Principal(channel: channel, name: "eve")
      let outcome = house.ask(.keepPicture(Household.picture("aa")), by: principal)
      #expect(outcome.refusal?.code == .forbidden)
    }
  }

  @Test("Erasing a resident takes their notes and pictures, and leaves those that others need")
  func erasing() {
    var house = Household()
    for picture in ["aa", "bb", "cc"] as [PictureID] { house.keep(picture) }
    house.ask(.put(Household.note("n1", pictures: ["aa", "bb"]), revision: nil))
    house.ask(.put(Household.note("n2", pictures: ["bb"], resident: "ping"), revision: nil))
    house.ask(Household.send())
    house.erase("mary")
    #expect(house.notes.keys.sorted() == ["n2"])
    #expect(house.pictures == ["bb": Household.picture("bb", resident: "ping")])
    #expect(house.removedPictures.sorted() == ["aa", "cc"])
    #expect(house.stopped.count == 1 && house.engine.unreadMessages.isEmpty)
    #expect(house.engine.nextWake == nil)
  }
}
