import Care
import JSON
import Moments
import Testing

@testable import Alarms

/// What is the engine's business, what outlives a refusal, and what others may see of it.
@Suite("One way in")
struct InputTests {
  private let cancel = AlarmRequest.cancel(resident: "mary", pin: nil, message: nil)

  private func asked(_ request: AlarmRequest, _ house: House, _ verdict: PINVerdict) -> Input {
    .asked(
      Command(
        id: "c", principal: .local, request: .alarm(request), pinProof: .verdict(verdict)),
      sent: house.now.tick)
  }

  private func refusal(_ input: Input, _ house: inout House) -> CommandReply.Refusal? {
    do {
      _ = try house.engine.handle(input, in: house.world)
      return nil
    } catch { return error }
  }

  // MARK: Nothing of its business

  @Test("What has nothing to do with alarms is not taken, and changes nothing")
  func foreign() throws {
    var house = House()
    try house.press()
    let before = (house.engine.rows, house.engine.nextWake)
    let fix = try #require(Coordinate(latitudeDegrees: 52, longitudeDegrees: 5))
    let foreign: [Input] = [
      .changed(.clock),
      .changed(.setting("mary", name: "glucoseUnit")),
      .observed(.clock(ClockReport(quality: .synchronised))),
      .observed(.health(HealthReport(component: "gps/gps", state: .failed))),
      .observed(.listening("hci0", isListening: true)),
      .signalled(.alarmBegan), .signalled(.calledForNobody("b")), .signalled(.planned("mary", [])),
      .signalled(.located(.init(coordinate: fix, accuracyMeters: nil), of: "nobody")),
      .asked(
        Command(id: "c", principal: .local, request: .locate(resident: "mary")),
        sent: house.now.tick),
    ]
    for input in foreign {
      let isTaken = house.handle(core: input)
      #expect(!isTaken, "\(input)")
    }
    #expect(house.engine.rows == before.0 && house.engine.nextWake == before.1)
  }

  // MARK: Wrong tries

  @Test("A refusal changes nothing; the wrong PIN counts when the engine is told of it, in a row")
  func wrongPIN() throws {
    var house = House()
    let alarm = try house.press()
    house.wait(until: 15)
    let rows = house.engine.rows
    let wrong = try #require(refusal(asked(cancel, house, .wrong), &house))
    #expect(wrong.code == .forbidden && wrong.events.isEmpty)
    #expect(wrong.signals == [.wrongTry(.pin(alarm))])
    #expect(house.engine.rows == rows)
    let before = house.events.count
    house.handle(core: .signalled(.wrongTry(.pin(alarm))))
    #expect(house.store["mary alarm:\(alarm)"]?.content["wrongPINs"] == 1)
    #expect(house.events.count == before)
    #expect(Set(house.storedRows) == Set(house.engine.rows))
  }

  @Test("The wrong PIN that is once too often counts although something else is refused")
  func wrongPINAndMore() throws {
    var house = House(settings: ["wrongPINLimit": 2])
    let alarm = try house.press()
    house.wait(until: 15)
    #expect(house.refusal(cancel, as: .local, .verdict(.wrong))?.code == .forbidden)
    let long = String(repeating: "x", count: 101)
    let request = AlarmRequest.cancel(resident: "mary", pin: nil, message: long)
    let refused = try #require(refusal(asked(request, house, .wrong), &house))
    #expect(refused.code == .invalid && refused.signals == [.wrongTry(.pin(alarm))])
  }

  @Test("A wrong code counts as well, and whom it is about is told")
  func wrongCode() throws {
    var house = House()
    try house.ask(
      .prepareEmergency(resident: "mary", profile: "NO", registered: nil, text: "Flat 3"))
    let rows = house.engine.rows
    let confirm = AlarmRequest.confirmEmergency(resident: "mary", code: "??????")
    let wrong = try #require(refusal(asked(confirm, house, .notSet), &house))
    #expect(wrong.code == .forbidden && wrong.signals == [.wrongTry(.code("mary"))])
    #expect(house.engine.rows == rows)
    house.handle(core: .signalled(.wrongTry(.code("mary"))))
    #expect(house.engine.rows != rows && Set(house.storedRows) == Set(house.engine.rows))
  }

  // MARK: What was seen

  @Test("What a plugin reports of a message is told, and then what follows; nobody else's word is")
  func reported() throws {
    var house = House()
    house.offer([.sms, .email], by: "carrier")
    let alarm = try house.press()
    house.wait(until: 12)
    let before = house.events.count
    house.report(alarm, "anna", "sms", .delivered, by: "liar")
    #expect(house.events.count == before)
    house.report(alarm, "anna", "sms", .delivered)
    let told = house.events.dropFirst(before).map(\.draft)
    #expect(told.map(\.type) == [.deliveryReported, .alarmDelivery])
    #expect(told.first?.text("explanation") == "The text message to Anna arrived.")
    #expect(told.first?.lane == .record && told.first?.resident == nil)
    #expect(told.allSatisfy { !$0.isForGuardians })
    try house.ask(cancel, as: .local, .verdict(.duress))
    house.wait(until: 13)
    house.report(alarm, "anna", "email", .sent, notice: .duress)
    #expect(house.all(.deliveryReported).last?.draft.isForGuardians == true)
  }

  // MARK: The house

  @Test("Who refuses to be located is not told of any more, and other answers are for others")
  func locationRefused() throws {
    var house = House()
    house.fix()
    house.refuse(.location)
    let answer = try #require(house.known.consents.last)
    var other = answer
    other.kind = .microphone
    let isOtherTaken = house.handle(core: .changed(.consent(other)))
    #expect(!isOtherTaken && house.store["mary position"] != nil)
    house.handle(core: .changed(.consent(answer)))
    #expect(house.store["mary position"] == nil)
    try house.press()
    #expect(house.all(.alarmRaised).last?.draft.facts["position"] == nil)
  }

  @Test("What was due before a setting changed happens as it was before the change")
  func changeAfterDue() throws {
    var house = House()
    try house.press()
    house.move(to: house.now.tick.advanced(byMilliseconds: 11_000))
    house.change("prealarmSeconds", to: 60)
    #expect(house.types.contains("alarm.dispatched"))
  }

  @Test("Whoever is erased leaves nothing, in one step, though the house knows them no more")
  func erased() throws {
    var house = House()
    house.offer([.sms], by: "carrier")
    try house.ask(.setPIN(resident: "mary", kind: .okay, pin: nil), as: .local, .hash("$y$1"))
    try house.press()
    house.known.removeGuardians { $0.resident == "mary" }
    house.known.residents = [:]
    house.known.settings = [:]
    house.handle(core: .changed(.erased("mary")))
    #expect(!house.storedRows.contains { $0.subject == "mary" })
    #expect(Set(house.storedRows) == Set(house.engine.rows))
    #expect(house.types == ["alarm.raised", "alarm.resolved"])
    #expect(house.events.last?.draft.resident == nil)
  }

  // MARK: What others see

  @Test("Others see who needs help: in the pre-alarm, once somebody was told, and nothing forced")
  func need() throws {
    var house = House()
    func need() -> World.Need {
      var world = house.world
      house.engine.show(.need, in: &world)
      return world.need
    }
    #expect(need() == World.Need())
    try house.press()
    #expect(need().prealarm == ["mary"] && need().open.isEmpty && !need().isSounding)
    house.wait(until: 12)
    #expect(need().open == ["mary"] && need().prealarm.isEmpty && need().isSounding)
    #expect(need().isNeeded(by: "mary") && !need().isSomebodys)
    try house.ask(cancel, as: .local, .verdict(.duress))
    #expect(need() == World.Need())
  }

  @Test("Others see which channels are offered, and the hashes of PINs")
  func reachability() throws {
    var house = House()
    func seen() -> World.Reachability {
      var world = house.world
      house.engine.show(.reachability, in: &world)
      return world.reachability
    }
    #expect(seen() == World.Reachability() && seen().isOffered(.sms))
    house.offer([.sms], by: "carrier")
    try house.ask(.setPIN(resident: "mary", kind: .duress, pin: nil), as: .local, .hash("$y$1"))
    #expect(seen().offered == [.sms] && seen().pins == ["mary": ["duress": "$y$1"]])
    #expect(!seen().isOffered(.email))
  }

  @Test("All that it holds is added to what is stored, behind what is there")
  func stored() throws {
    var house = House()
    try house.press()
    let other = EngineRow(engine: "core", subject: "gateway", name: "x", content: .null)
    var state = StoredState(engineRows: [other])
    house.engine.store(in: &state)
    #expect(state.engineRows == [other] + house.engine.rows && state.engineRows.count > 1)
    let again = AlarmEngine(stored: state, seed: 9, in: house.world)
    #expect(again.rows == house.engine.rows)
  }

  @Test("News that a guardian is told are remembered, so that what becomes of them is heard")
  func told() {
    var house = House()
    house.offer([.email], by: "carrier")
    let message = AlarmMessage(
      alarm: "news-1", tag: "", notice: .news, guardian: "anna", channel: .email,
      address: "anna@example.org", attempt: 1, text: "", spokenText: "", language: "en",
      asksForAcknowledgement: false)
    house.report("news-1", "anna", "email", .sent, notice: .news)
    #expect(house.all(.deliveryReported).isEmpty)
    house.handle(core: .signalled(.told(message)))
    house.report("news-1", "anna", "email", .sent, notice: .news)
    #expect(house.all(.deliveryReported).count == 1)
  }
}
