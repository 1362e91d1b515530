import Care
import JSON
import Moments
import Notebook
import TestSupport
import Testing

/// What the notebook takes of what happens in the house, and what it leaves to others.
@Suite("A notebook among others")
struct HouseTests {
  /// A message that Mary has begun to hear.
  private static func asking() throws -> Household {
    var house = Household()
    house.ask(Household.send())
    try house.report(.started)
    return house
  }

  // MARK: Presses

  private static func need(_ change: (inout World.Need) -> Void) -> World.Need {
    var need = World.Need()
    change(&need)
    return need
  }

  @Test("While an alarm sounds or somebody is about to call for help a press is for that")
  func pressForAlarm() throws {
    for need in [
      Self.need { $0.isSounding = true }, Self.need { $0.isSomebodys = true },
      Self.need { $0.prealarm = ["mary", "ping"] },
    ] {
      var house = try Self.asking()
      house.need = need
      #expect(house.press() == false)
      #expect(house.messages["m1"]?.readAt == nil)
      house.need = World.Need()
      #expect(house.press() == true)
      #expect(house.messages["m1"]?.readAt == house.now.utc)
    }
  }

  @Test("A pre-alarm of somebody else leaves the press to the message, as an open alarm does")
  func pressBesideAlarm() throws {
    for resident in ["mary", nil] as [ResidentID?] {
      var house = try Self.asking()
      house.need.prealarm = ["ping"]
      house.need.open = ["mary"]
      #expect(house.press(of: resident) == true)
      #expect(house.messages["m1"]?.readBy == "button/wired")
    }
  }

  @Test("While a call rings or is answered a press is for the call")
  func pressForCall() throws {
    var house = try Self.asking()
    house.isCallOn = true
    #expect(house.press() == false)
    #expect(house.messages["m1"]?.readAt == nil)
  }

  @Test(
    "Only a yes is a receipt",
    arguments: [.state, .help, .no, .command(.assist), .command(.acknowledge)] as [Press.Meaning])
  func otherPresses(_ meaning: Press.Meaning) throws {
    var house = try Self.asking()
    #expect(house.press(meaning) == false)
    #expect(house.messages["m1"]?.readAt == nil)
  }

  @Test("To take a press it sees who needs help and whether a call is on, and for nothing else")
  func sees() {
    let engine = Household().engine
    let report = ButtonReport(button: "wired", gesture: .press, edge: .seconds(1))
    var seen: [Press.Meaning: World.Views] = [:]
    for press in Press.meanings(of: report, in: Household().world.house) {
      seen[press.meaning] = engine.sees(for: .pressed(press))
    }
    #expect(seen == [.yes: [.need, .call], .command(.assist): []])
    #expect(engine.sees(for: .time).isEmpty)
  }

  // MARK: What people ask

  @Test("Nobody's notes, messages and pictures are refused, and ids that are none")
  func refused() {
    var house = Household()
    let pictureOfNobody = NoteRequest.keepPicture(Household.picture("aa", resident: "nobody"))
    for (request, code) in [
      (NoteRequest.put(Household.note(resident: "nobody"), revision: nil), .unknownTarget),
      (.put(Household.note("No Id"), revision: nil), .invalid),
      (Household.send(to: "nobody"), .unknownTarget), (Household.send("No Id"), .invalid),
      (pictureOfNobody, .unknownTarget),
    ] as [(NoteRequest, CommandReply.Refusal.Code)] {
      let asked = house.ask(request, by: Household.gateway)
      #expect(asked.refusal?.code == code && asked.events.isEmpty, "\(request)")
    }
    #expect(house.notes.isEmpty && house.messages.isEmpty && house.pictures.isEmpty)
  }

  @Test("It knows whom a request concerns, and nobody of what is not there or not its own")
  func concerned() {
    var house = Household()
    house.ask(.put(Household.note("n1", resident: "ping"), revision: nil))
    house.ask(Household.send("m1"))
    let requests: [(Command.Request, ResidentID?)] = [
      (.note(.put(Household.note(), revision: nil)), "mary"), (.note(Household.send()), "mary"),
      (.note(.keepPicture(Household.picture("aa", resident: "ping"))), "ping"),
      (.note(.remove("n1", revision: nil)), "ping"), (.note(.remove("n2", revision: nil)), nil),
      (.note(.read("m1")), "mary"), (.note(.read("m2")), nil), (.eraseResident("mary"), nil),
    ]
    for (request, resident) in requests {
      #expect(house.engine.resident(concernedBy: request) == resident, "\(request)")
    }
  }

  // MARK: What is known of the house

  @Test("A press after a resident was erased is for nothing that they were told")
  func erasedWhileAsking() throws {
    var house = try Self.asking()
    try house.report(.finished)
    #expect(house.engine.isAsking(at: house.now))
    house.erase("mary")
    #expect(!house.engine.isAsking(at: house.now) && house.press() == false)
    #expect(house.engine.nextWake == nil && house.stopped.isEmpty)
  }

  @Test("What is left of an erased resident's messages is not cleared away a second time")
  func erasedStale() throws {
    let row = EngineRow(
      engine: "notebook", subject: "mary", name: "message:gone", content: .object([]))
    let world = Household().world
    var engine = NotebookEngine(stored: StoredState(engineRows: [row]), seed: 0, in: world)
    #expect(engine.rows == [row])
    _ = try engine.handle(.changed(.erased("mary")), in: world)
    #expect(engine.rows.isEmpty && engine.nextWake == nil)
  }

  @Test(
    "What moves the end of quiet hours is looked at at once",
    arguments: [
      .changed(.resident("mary")), .changed(.timeZone("Etc/UTC")),
      .changed(.setting("mary", name: "quietHours")),
      .observed(.clock(ClockReport(quality: .synchronised))),
    ] as [Input])
  func looksAgain(_ input: Input) {
    var house = Household()
    house.quiet = .minutes(500)
    house.ask(Household.send())
    house.quiet = .over
    #expect(house.offer(input) == true)
    #expect(house.played.count == 1)
  }

  @Test(
    "What is none of its business changes nothing",
    arguments: [
      .started(version: "1"), .changed(.guardians), .changed(.clock),
      .changed(.setting("mary", name: "fixCount")),
      .observed(.listening("hall", isListening: true)),
      .asked(
        Command(
          id: "c", principal: Household.anna,
          request: .putSetting(
            resident: "mary", name: "quietHours", value: "none")), sent: .seconds(1)),
      .signalled(.alarmBegan), .settled(after: .wake),
    ] as [Input])
  func notItsBusiness(_ input: Input) {
    var house = Household()
    house.quiet = .minutes(500)
    house.ask(Household.send())
    let due = house.engine.nextWake
    house.quiet = .over
    #expect(house.offer(input) == false)
    #expect(house.played.isEmpty && house.engine.nextWake == due)
  }
}
