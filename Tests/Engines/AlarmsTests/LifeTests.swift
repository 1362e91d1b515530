import Care
import JSON
import Testing
import Texts

@testable import Alarms

@Suite struct LifeTests {
  @Test func anSOSIsLoudThenToldThenRepeatedThenEscalated() throws {
    var house = House()
    let alarm = try house.press()
    #expect(house.types == ["alarm.raised"])
    #expect(house.events.first?.draft.id?.rawValue == alarm.rawValue)
    #expect(house.sounds.first?.request.patterns == ["high", "sos"])
    #expect(house.sounds.first?.request.levelsDecibels == [-18, -12, -6, 0])
    house.wait(until: 9.9)
    #expect(house.messages.isEmpty)
    house.wait(until: 10)
    #expect(
      house.told == ["10 alarm anna/sms 1", "10 alarm anna/voice 1", "10 alarm anna/email 1"])
    #expect(house.sounds.last?.request.patterns.first == "high")
    for channel in ["sms", "voice", "email"] { house.report(alarm, "anna", channel, .sent) }
    house.wait(until: 69)
    #expect(house.told.count == 3)
    house.wait(until: 70)
    #expect(house.told.dropFirst(3).allSatisfy { $0.hasPrefix("70 alarm anna/") })
    #expect(house.told.dropFirst(3).allSatisfy { $0.hasSuffix(" 2") })
    house.wait(until: 189)
    #expect(house.all(.alarmEscalated).isEmpty)
    house.wait(until: 190)
    #expect(house.all(.alarmEscalated).map(\.second) == [190])
    #expect(house.told.contains("190 alarm bob/sms 1"))
    #expect(Set(house.messages.map(\.message.alarm)) == [alarm])
  }

  @Test func cancelInThePrealarmTellsNobody() throws {
    var house = House()
    try house.press()
    house.wait(until: 9)
    let reply = try house.ask(.cancel(resident: "mary", pin: nil, message: nil))
    #expect(reply["stage"] == "cancelled")
    #expect(house.sounds.last?.request.patterns == ["cancel"])
    house.wait(until: 4000)
    #expect(house.messages.isEmpty)
    #expect(house.types == ["alarm.raised", "alarm.cancelled"])
    #expect(house.lights == [.stored, .off])
  }

  @Test func aPressInThePrealarmNeitherCancelsNorSilencesNorRestartsIt() throws {
    var house = House()
    let first = try house.press()
    house.wait(until: 5)
    #expect(!house.engine.state.isSounding)
    #expect(try house.ask(.silence)["silenced"] == [])
    let again = try house.ask(.raise(resident: "mary", kind: .sos, trigger: .button, text: ""))
    #expect(again["alarm"]?.stringContent == first.rawValue)
    #expect(again["raises"] == 2)
    house.wait(until: 10)
    #expect(house.all(.alarmDispatched).map(\.second) == [10])
  }

  @Test func aSilentAlarmIsToldAtOnceAndNeverHeard() throws {
    var house = House(settings: ["isSilent": true])
    let alarm = try house.press()
    #expect(house.told.count == 3)
    #expect(house.engine.summaries().map { $0["isSilent"] } == [true])
    house.wait(until: 400)
    try house.ask(.acknowledge(alarm: nil, by: "anna"))
    try house.ask(.resolve(alarm: alarm.rawValue, by: "bob", reason: "found"))
    house.wait(until: 5000)
    #expect(house.sounds.isEmpty)
  }

  @Test func silencingAcknowledgesNothing() throws {
    var house = House()
    try house.press()
    house.wait(until: 20)
    #expect(house.engine.state.isSounding)
    try house.ask(.silence)
    #expect(!house.engine.state.isSounding)
    #expect(house.types.last == "alarm.silenced")
    let stops = house.actions.filter { entry in
      if case .stopSound = entry.action { return true }
      return false
    }
    #expect(stops.count == 1)
    house.wait(until: 200)
    #expect(house.all(.alarmEscalated).count == 1)
    #expect(house.all(.alarmAcknowledged).isEmpty)
  }

  @Test func whoTakesChargeStopsEscalationAndTheOthersAndTheResidentHearOfIt() throws {
    var house = House()
    let alarm = try house.press()
    house.wait(until: 195)
    let before = house.told.count
    try house.ask(.acknowledge(alarm: nil, by: nil), as: .sms("+4791234567"))
    #expect(house.sounds.last?.request.speech == "Mary Smith, Anna is coming.")
    #expect(house.all(.alarmAcknowledged).last?.draft.facts["by"] == "anna")
    #expect(house.told.dropFirst(before) == ["195 acknowledged bob/sms 1"])
    house.report(alarm, "bob", "sms", .sent, notice: .acknowledged)
    house.wait(until: 3000)
    #expect(house.told.count == before + 1)
    #expect(house.engine.state.hasOpenAlarm("mary"))
  }

  @Test func aPressAfterSomebodyTookChargeGoesOnTelling() throws {
    var house = House()
    try house.press()
    house.wait(until: 20)
    try house.ask(.acknowledge(alarm: nil, by: "anna"))
    let before = house.told.count
    house.wait(until: 500)
    #expect(house.told.count == before)
    let reply = try house.ask(.raise(resident: "mary", kind: .sos, trigger: .button, text: ""))
    #expect(reply["isNew"] == false)
    #expect(reply["stage"] == "dispatched")
    house.wait(until: 600)
    #expect(house.told.count > before)
    house.wait(until: 700)
    #expect(house.all(.alarmEscalated).count == 1)
  }

  @Test func theRealPINEndsAnSOSForAllWhoWereTold() throws {
    var house = House()
    let alarm = try house.press()
    house.wait(until: 15)
    let reply = try house.ask(
      .cancel(resident: "mary", pin: nil, message: "All good, I only slipped."), as: .local,
      .verdict(.correct))
    #expect(reply["stage"] == "resolved")
    let cancels = house.messages.map(\.message).filter { $0.notice == .cancelled }
    #expect(
      cancels.map { "\($0.guardian)/\($0.channel)" } == ["anna/sms", "anna/voice", "anna/email"])
    #expect(cancels.allSatisfy { $0.text.contains("All good, I only slipped.") })
    #expect(cancels.allSatisfy { !$0.asksForAcknowledgement && $0.alarm == alarm })
    house.wait(until: 15 + 3599)
    let tries = house.told.count
    house.wait(until: 30_000)
    #expect(house.told.count <= tries + 1)
  }

  @Test func duressLooksTheSameAndGoesOnSilently() throws {
    var real = House()
    var forced = House()
    for verdict in [PINVerdict.correct, .duress] {
      var house = House()
      try house.press()
      house.wait(until: 15)
      let reply = try house.ask(
        .cancel(resident: "mary", pin: nil, message: nil), as: .local, .verdict(verdict))
      #expect(reply["stage"] == "resolved")
      if verdict == .duress { forced = house } else { real = house }
    }
    #expect(real.sounds.map(\.request) == forced.sounds.map(\.request))
    #expect(real.lights == forced.lights)
    #expect(real.engine.summaries() == forced.engine.summaries())
    #expect(shown(real) == shown(forced))
    #expect(shown(forced).last?.hasPrefix("alarm.cancelled") == true)
    let quiet = forced.sounds.count
    forced.wait(until: 400)
    #expect(forced.sounds.count == quiet)
    #expect(
      forced.messages.map(\.message).contains { $0.notice == .duress && $0.guardian == "bob" })
    #expect(!forced.messages.map(\.message).contains { $0.notice == .cancelled })
    real.wait(until: 400)
    #expect(shown(real) == shown(forced))
    #expect(!forced.engine.state.hasOpenAlarm("mary"))
    try answersTheSame(&real, &forced)
    let alarm = try #require(forced.all(.alarmRaised).first?.draft.id).rawValue
    #expect(forced.engine.isConcealed(AlarmID(alarm)))
    let bob = Principal.sms("+447700900123")
    forced.offer([.sms], by: "sms-modem")
    try forced.ask(.acknowledge(alarm: nil, by: nil), as: bob)
    try forced.ask(.resolve(alarm: nil, by: nil, reason: "Police came"), as: bob)
    #expect(forced.messages.map(\.message).contains { $0.notice == .cancelled })
    #expect(shown(real) == shown(forced))
    #expect(!forced.engine.isConcealed(AlarmID(alarm)))
  }

  /// What everybody may see of the events, without the alarm's tag.
  private func shown(_ house: House) -> [String] {
    house.events.map(\.draft).filter { !$0.isForGuardians }.map { draft in
      let facts = (draft.facts.objectContent ?? []).filter { !["alarm", "tag"].contains($0.key) }
      return "\(draft.type.rawValue) \(JSONValue.object(facts).serialized)"
    }
  }

  /// Whoever stands at the gateway is refused alike.
  private func answersTheSame(_ real: inout House, _ forced: inout House) throws {
    let tags = try [real, forced].map {
      try #require($0.all(.alarmRaised).first?.draft.text("tag"))
    }
    let requests: [(String?) -> AlarmRequest] = [
      { _ in .cancel(resident: "mary", pin: nil, message: nil) },
      { .acknowledge(alarm: $0, by: "anna") },
      { .resolve(alarm: $0, by: "bob", reason: "It is over") },
      { _ in .photograph(resident: "mary") },
    ]
    for request in requests {
      for (isNamed, principal) in [
        (false, Principal.local), (true, .local),
        (true, Principal(channel: .plugin, name: "mqtt/anna")),
        (false, Principal(channel: .gateway, name: "button/b")),
      ] {
        let answers = [
          real.refusal(request(isNamed ? tags[0] : nil), as: principal, .verdict(.duress)),
          forced.refusal(request(isNamed ? tags[1] : nil), as: principal, .verdict(.duress)),
        ]
        let words = zip(answers, tags).map {
          $0?.message.description.replacing($1, with: "TAG") ?? "done"
        }
        #expect(words[0] == words[1] && words[0] != "done")
      }
    }
  }

  @Test("The resident's true PIN ends a forced alarm, and everybody who was told is told")
  func freeAgain() throws {
    var house = House()
    try house.press()
    house.wait(until: 15)
    let cancel = AlarmRequest.cancel(resident: "mary", pin: nil, message: nil)
    try house.ask(cancel, as: .local, .verdict(.duress))
    #expect(house.refusal(cancel, as: .local, .verdict(.duress))?.code == .conflict)
    #expect(house.refusal(cancel, as: .local, .verdict(.wrong))?.code == .conflict)
    try house.ask(cancel, as: .local, .verdict(.correct))
    #expect(house.messages.map(\.message).contains { $0.notice == .cancelled })
    #expect(house.refusal(cancel, as: .local, .verdict(.correct))?.code == .conflict)
  }

  @Test("What was concealed stays concealed when power fails")
  func concealedOverPowerCuts() throws {
    for verdict in [PINVerdict.correct, .duress] {
      var house = House()
      let alarm = try house.press()
      house.wait(until: 15)
      try house.ask(
        .cancel(resident: "mary", pin: nil, message: nil), as: .local, .verdict(verdict))
      house.cutPower()
      #expect(house.engine.isConcealed(alarm))
      let before = shown(house).count
      house.report(alarm, "anna", "sms", .delivered, notice: .alarm)
      house.report(
        alarm, "anna", "sms", .delivered, notice: verdict == .duress ? .duress : .cancelled)
      #expect(shown(house).count == before)
    }
  }

  @Test func duressInThePrealarmLooksLikeACancelAndTellsGuardiansAtOnce() throws {
    var houses: [House] = []
    for verdict in [PINVerdict.notSet, .duress] {
      var house = House()
      try house.press()
      house.wait(until: 5)
      let reply = try house.ask(
        .cancel(resident: "mary", pin: nil, message: nil), as: .local, .verdict(verdict))
      #expect(reply["stage"] == "cancelled")
      houses.append(house)
    }
    #expect(houses[0].sounds.map(\.request) == houses[1].sounds.map(\.request))
    #expect(houses[0].lights == houses[1].lights)
    #expect(shown(houses[0]) == shown(houses[1]))
    #expect(houses[0].messages.isEmpty)
    #expect(houses[1].told.count == 3)
    #expect(houses[1].messages.allSatisfy { $0.message.text.hasPrefix("SOS DURESS") })
    let next = try houses[1].press()
    #expect(houses[1].messages.allSatisfy { $0.message.alarm != next })
    #expect(houses[1].sounds.last?.request.patterns == ["high", "sos"])
  }

  @Test func theGatewayItselfEndsAnAlarmWithoutGuardians() throws {
    var house = House(guardians: [])
    try house.press()
    house.wait(until: 15)
    let gateway = Principal(channel: .gateway, name: "homeward")
    try house.ask(.resolve(alarm: nil, by: nil, reason: "Set-up is over"), as: gateway)
    #expect(house.types.last == "alarm.resolved")
  }

  @Test func aPressAfterTheSilenceIsLoudAgain() throws {
    var house = House()
    try house.press()
    house.wait(until: 300)
    try house.ask(.silence)
    try house.press()
    #expect(house.sounds.last?.request.patterns.first == "high")
    #expect(house.engine.state.isSounding)
  }

  @Test func theFifthWrongPINCountsAsDuressAndLooksLikeSuccess() throws {
    var house = House()
    try house.press()
    house.wait(until: 15)
    let cancel = AlarmRequest.cancel(resident: "mary", pin: nil, message: nil)
    for left in [4, 3, 2, 1] {
      let refusal = house.refusal(cancel, as: .local, .verdict(.wrong))
      #expect(refusal?.message.description.contains("\(left) t") == true)
      house.wait(until: house.second + 1)
      house.cutPower(seconds: 1)
    }
    let reply = try house.ask(cancel, as: .local, .verdict(.wrong))
    #expect(reply["stage"] == "resolved")
    #expect(house.types.last == "alarm.duress")
  }

  @Test func withoutAPINOnlyACaregiverEndsAnSOSThatWasDispatched() throws {
    var house = House()
    try house.press()
    house.wait(until: 15)
    let cancel = AlarmRequest.cancel(resident: "mary", pin: nil, message: nil)
    #expect(house.refusal(cancel)?.code == .forbidden)
    #expect(house.refusal(cancel, as: .sms("+4791234567"))?.code == .forbidden)
    try house.ask(cancel, as: .sms("+447700900123"))
    #expect(house.types.last == "alarm.resolved")
    var protego = House(settings: ["profile": "protego"])
    try protego.press()
    protego.wait(until: 15)
    #expect(protego.refusal(cancel, as: .sms("+447700900123"))?.code == .forbidden)
  }

  @Test("In the profile protego only the PIN ends an SOS, as soon as there is one")
  func protegoNeedsThePIN() throws {
    var house = House(settings: ["profile": "protego"])
    let resolve = AlarmRequest.resolve(alarm: nil, by: "bob", reason: "She is fine")
    let cancel = AlarmRequest.cancel(resident: "mary", pin: nil, message: nil)
    try house.press()
    house.wait(until: 15)
    try house.ask(resolve)
    try house.ask(.setPIN(resident: "mary", kind: .okay, pin: nil), as: .local, .hash("$y$1"))
    try house.press()
    house.wait(until: 30)
    for principal in [Principal.local, .sms("+447700900123")] {
      let refusal = house.refusal(resolve, as: principal)
      #expect(refusal?.code == .forbidden)
      #expect(refusal?.message.description.contains("homeward sos cancel --pin") == true)
    }
    house.notice(.zoneLeft, ["zone": "home", "zoneName": "Home"])
    let zone = try #require(house.all(.alarmRaised).last?.draft.text("tag"))
    try house.ask(.resolve(alarm: zone, by: "bob", reason: "Back"))
    try house.ask(cancel, as: .local, .verdict(.correct))
    #expect(house.engine.summaries().isEmpty)
  }

  @Test(
    "A cancel that comes late names the ways that are left, with their options",
    arguments: [
      ("dementia", false, ["--by NAME --reason TEXT"], ["--pin"]),
      ("dementia", true, ["--by NAME --reason TEXT", "--pin"], []),
      ("protego", true, ["--pin"], ["--by"]),
    ])
  func lateCancel(profile: String, hasPIN: Bool, named: [String], unnamed: [String]) throws {
    var house = House(settings: ["profile": .string(profile)])
    if hasPIN {
      try house.ask(.setPIN(resident: "mary", kind: .okay, pin: nil), as: .local, .hash("$y$1"))
    }
    try house.press()
    house.wait(until: 15)
    let refusal = house.refusal(.cancel(resident: "mary", pin: nil, message: nil))
    let words = refusal?.message.description ?? ""
    for word in named { #expect(words.contains(word)) }
    for word in unnamed { #expect(!words.contains(word)) }
  }

  @Test func onlyCaregiversResolveAndOnlyWithAReason() throws {
    var house = House()
    try house.press()
    house.wait(until: 15)
    let resolve = { (by: String?, reason: String) in
      AlarmRequest.resolve(alarm: nil, by: by, reason: reason)
    }
    #expect(house.refusal(resolve("anna", "over"))?.code == .forbidden)
    #expect(house.refusal(resolve("bob", " "))?.code == .invalid)
    #expect(house.refusal(resolve("bob", String(repeating: "x", count: 501)))?.code == .invalid)
    #expect(house.refusal(resolve(nil, "over"))?.code == .invalid)
    try house.ask(resolve("bob", "She is fine"))
    #expect(house.refusal(resolve("bob", "again"))?.code == .conflict)
    #expect(!house.engine.state.hasOpenAlarm("mary"))
  }

  @Test func aNewPressAfterTheEndIsANewAlarm() throws {
    var house = House()
    let first = try house.press()
    try house.ask(.cancel(resident: "mary", pin: nil, message: nil))
    let second = try house.press()
    #expect(first != second)
  }
}
