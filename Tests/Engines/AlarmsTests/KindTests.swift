import Care
import JSON
import Moments
import Testing
import Texts

@testable import Alarms

/// Alarms that engines find, tests, and the emergency services.
@Suite struct KindTests {
  /// Noon of a day, so that nothing is quiet.
  static let noon = Moment(
    tick: .seconds(1000), utc: .seconds(1_800_014_400), quality: .synchronised)

  @Test func leavingAZoneIsToldWithoutPrealarmAndComingBackEndsIt() throws {
    var house = House(at: Self.noon)
    house.notice(.zoneLeft, ["zone": "home", "zoneName": "Home", "explanation": "Mary left."])
    #expect(house.types == ["alarm.raised", "alarm.dispatched"])
    #expect(house.messages.count == 3)
    #expect(house.messages.first?.message.text.contains("left Home.") == true)
    #expect(house.sounds.isEmpty)
    house.notice(.zoneEntered, ["zone": "home", "zoneName": "Home"])
    #expect(house.types.last == "alarm.resolved")
    #expect(house.events.last?.draft.explanation == "Is back in Home.")
    #expect(house.messages.filter { $0.message.notice == .cancelled }.count == 3)
  }

  @Test func aPositionUnknownIsAnAlarmOnlyWhenItIsOne() {
    var house = House(at: Self.noon)
    house.notice(.positionUnknown, ["severity": "notice"])
    #expect(house.types.isEmpty)
    house.notice(.positionUnknown, ["severity": "alarm"])
    #expect(house.types == ["alarm.raised", "alarm.dispatched"])
    house.notice(.positionRegained, [:])
    #expect(house.types.last == "alarm.resolved")
  }

  @Test func typesOfLaterEnginesWorkWhenTheyCome() {
    for (type, kind) in [
      ("glucose.low", "glucose"), ("glucose.very-low", "glucose"), ("glucose.high", "glucose"),
      ("medicine.missed", "medicine"),
    ] {
      var house = House(at: Self.noon)
      house.notice(EventType(rawValue: type), ["severity": "notice"])
      #expect(house.types.isEmpty)
      house.notice(EventType(rawValue: type), ["severity": "alarm", "label": "4.0"])
      #expect(house.events.first?.draft.text("kind") == kind)
      #expect(!house.messages.isEmpty)
      #expect(!house.sounds.isEmpty)
      #expect(house.messages.contains { $0.message.channel == .voice } == (kind == "glucose"))
    }
  }

  @Test(
    "A battery of the gateway that runs down is an alarm of its own kind, over when it is charged")
  func battery() {
    var house = House(at: Self.noon)
    let low: JSONValue = [
      "component": "power/BAT0", "code": "battery-low", "state": "failed",
      "explanation": "The battery BAT0 of the gateway is down to 20 %.",
    ]
    house.notice(.faultRaised, low, of: nil)
    #expect(house.events.first?.draft.text("kind") == "battery")
    #expect(!house.messages.isEmpty)
    house.notice(.faultCleared, ["component": "power/BAT0", "state": "working"], of: nil)
    #expect(house.types.last == "alarm.resolved" && house.engine.summaries().isEmpty)
  }

  @Test func aGlucoseAlarmIsOverWhenALaterReadingIsWithinTheRange() throws {
    var house = House(at: Self.noon)
    house.notice(.glucoseLow, ["severity": "alarm", "label": "62 mg/dL"])
    house.notice(.glucoseVeryLow, ["severity": "alarm", "label": "48 mg/dL"])
    #expect(house.types.last == "alarm.repeated")
    house.notice(.glucoseRecorded, [:])
    #expect(!house.types.contains("alarm.resolved"))
    house.notice(.glucoseSettled, [:])
    #expect(house.types.last == "alarm.resolved" && house.engine.summaries().isEmpty)
    house.notice(.glucoseSettled, [:])
    #expect(house.types.filter { $0 == "alarm.resolved" }.count == 1)
    // An alarm that a person raised is theirs to end.
    try house.ask(.raise(resident: "mary", kind: .glucose, trigger: .backend, text: "Dizzy."))
    house.notice(.glucoseSettled, [:])
    #expect(house.engine.summaries().count == 1)
  }

  @Test func aMissedMedicineIsOverWhenEachOneIsTakenCareOf() {
    var house = House(at: Self.noon)
    let heart: JSONValue = ["severity": "alarm", "item": "heart", "label": "heart pill"]
    let sugar: JSONValue = ["severity": "alarm", "item": "sugar", "label": "insulin"]
    house.notice(.medicineMissed, heart)
    #expect(house.events.first?.draft.text("kind") == "medicine")
    #expect(house.messages.allSatisfy { $0.message.text.contains("did not answer: heart pill.") })
    house.notice(.medicineMissed, sugar)
    #expect(house.types.last == "alarm.repeated")
    house.notice(.medicineSettled, ["item": "other"])
    house.notice(.medicineSettled, ["item": "heart"])
    #expect(!house.types.contains("alarm.resolved"))
    house.notice(.medicineSettled, ["item": "sugar"])
    #expect(house.types.last == "alarm.resolved")
  }

  @Test func aFaultIsSpokenByDayOnlyAndToldOnce() {
    let fault: JSONValue = ["component": "sound", "state": "failed", "explanation": "No card."]
    var day = House(at: Self.noon)
    day.notice(.faultRaised, ["component": "gps/gps", "state": "degraded"], of: nil)
    #expect(day.types.isEmpty)
    day.notice(.faultRaised, fault, of: nil)
    #expect(day.sounds.count == 1)
    #expect(day.messages.map(\.message.channel) == [.sms, .email])
    #expect(
      day.messages.first?.message.text.contains("12:00: sound does not work. Reply 1") == true)
    let alarm = day.messages.first?.message.alarm ?? ""
    for channel in ["sms", "email"] { day.report(alarm, "anna", channel, .sent) }
    day.wait(until: 6000)
    #expect(day.messages.count == 2)
    day.notice(.faultCleared, ["component": "sound"], of: nil)
    #expect(day.types.last == "alarm.resolved")

    var night = House(at: Self.noon.advanced(byMilliseconds: 10 * 3_600_000))
    night.notice(.faultRaised, fault, of: nil)
    #expect(night.sounds.isEmpty && night.messages.isEmpty)
    night.wait(until: 11 * 3600 - 60)
    #expect(night.sounds.isEmpty && night.messages.isEmpty)
    night.wait(until: 11 * 3600)
    #expect(night.sounds.filter { $0.request.id.rawValue.hasPrefix("alarm-") }.count == 1)
    #expect(night.messages.filter { $0.message.notice == .alarm }.count == 2)

    var clockless = House(at: Moment(tick: .seconds(5), utc: .seconds(0), quality: .untrusted))
    clockless.notice(.faultRaised, fault, of: nil)
    #expect(clockless.sounds.count == 1)
  }

  @Test func aFaultThatMendsItselfInTimeIsToldToNobody() {
    let fault: JSONValue = [
      "component": "gps/gps", "code": "gone", "state": "failed", "explanation": "It is gone.",
    ]
    var house = House(settings: ["faultPatienceSeconds": 600], at: Self.noon)
    house.notice(.faultRaised, fault, of: nil)
    #expect(house.engine.summaries().first?["stage"] == "prealarm")
    let calls = Self.noon.utc.advanced(byMilliseconds: 600_000).iso8601
    #expect(house.engine.summaries().first?["callsAt"]?.stringContent == calls)
    house.wait(until: 590)
    #expect(house.messages.isEmpty && house.sounds.isEmpty && house.lights.isEmpty)
    house.notice(.faultCleared, fault, of: nil)
    house.wait(until: 3600)
    #expect(house.messages.isEmpty && house.sounds.isEmpty && house.engine.summaries().isEmpty)

    house.notice(.faultRaised, fault, of: nil)
    house.cutPower()
    house.wait(until: 3600 + 590)
    #expect(house.messages.isEmpty)
    house.wait(until: 3600 + 700)
    #expect(!house.messages.isEmpty && house.sounds.count == 1)
  }

  @Test func oneKindNeverHidesAnother() throws {
    var house = House(at: Self.noon)
    let sos = try house.press()
    house.notice("glucose.very-low", ["severity": "alarm", "label": "2.9"])
    house.notice(.zoneLeft, ["zone": "home", "zoneName": "Home"])
    #expect(house.engine.summaries().first?["kind"] == "sos")
    #expect(house.engine.summaries().count == 3)
    #expect(Set(house.sounds.map(\.request.id)).count == 2)
    try house.ask(.cancel(resident: "mary", pin: nil, message: nil))
    #expect(house.engine.summaries().count == 2)
    #expect(!house.messages.contains { $0.message.alarm == sos })
  }

  @Test func aKindThatIsOffIsNotRaised() {
    var house = House(settings: ["zoneAlarm": false], at: Self.noon)
    house.notice(.zoneLeft, ["zone": "home", "zoneName": "Home"])
    #expect(house.types.isEmpty)
    let raise = AlarmRequest.raise(resident: "mary", kind: .zone, trigger: .backend, text: "")
    #expect(house.refusal(raise)?.message.description.contains("zoneAlarm") == true)
  }

  @Test func aStuckButtonIsAFaultUntilItComesLoose() {
    var house = House(at: Self.noon)
    house.handle(.button(ButtonReport(button: "b", gesture: .stuck, edge: house.now.tick), "mary"))
    #expect(house.events.first?.draft.explanation.contains("stuck") == true)
    house.handle(.button(ButtonReport(button: "b", gesture: .loose, edge: house.now.tick), "mary"))
    #expect(house.types.last == "alarm.resolved")
  }

  @Test func theMonthlyTestComesByDayAndLooksLikeNothingElse() {
    var house = House(at: Self.noon)
    house.handle(.started)
    house.wait(until: 29 * 86_400)
    #expect(house.messages.isEmpty)
    house.wait(until: 31 * 86_400)
    #expect(house.messages.allSatisfy { $0.message.notice == .test })
    #expect(house.messages.first?.message.asksForAcknowledgement == false)
    let hour = Self.noon.utc.advanced(
      byMilliseconds: Int64((house.messages.first?.second ?? 0) * 1000))
    #expect(CivilDateTime(utc: hour).hour == 10)
    let selfTests = house.sounds.filter { $0.request.patterns == ["self-test"] }
    #expect(selfTests.count == 4)
    #expect(house.all(.alarmTested).count == 4)
    #expect(!house.types.contains("alarm.escalated"))
    #expect(house.engine.summaries().isEmpty)
    var off = House(settings: ["monthlyTest": false, "selfTest": false], at: Self.noon)
    off.handle(.started)
    off.wait(until: 40 * 86_400)
    #expect(off.messages.isEmpty && off.sounds.isEmpty)
  }

  // MARK: Emergency services

  private func prepared(_ profile: String, registered: String? = nil) throws -> (House, String) {
    var house = House(at: Self.noon)
    house.fix()
    let reply = try house.ask(
      .prepareEmergency(
        resident: "mary", profile: profile, registered: registered,
        text: "Mary Smith, 81, dementia, Flat 3, 5 Mill Lane."))
    return (house, reply["code"]?.stringContent ?? "")
  }

  private func contacts(_ house: House) -> [EmergencyContact] {
    house.actions.compactMap {
      if case .contactEmergency(let contact) = $0.action { contact } else { nil }
    }
  }

  @Test func theEmergencyServicesAreContactedOnlyAfterTwoStepsAndWithAGuardian() throws {
    var (house, code) = try prepared("GB", registered: "2026-01-02")
    let contact = AlarmRequest.contactEmergency(resident: "mary", mode: .text)
    #expect(house.refusal(contact)?.code == .forbidden)
    #expect(code.count == 6)
    #expect(
      house.refusal(.confirmEmergency(resident: "mary", code: "AAAAAA"))?.message.description
        .contains("4 ")
        == true)
    house.cutPower(seconds: 60)
    try house.ask(.confirmEmergency(resident: "mary", code: code.lowercased()))
    house.handle(
      .ways(
        WaysReport(
          offers: [WaysReport.Offer(channel: .sms, plugin: "p", isRunning: true)],
          emergency: WaysReport.Service(plugin: "p", isRunning: true))))
    try house.ask(contact)
    let sent = try #require(contacts(house).first)
    #expect(sent.number == "999" && sent.mode == .text)
    #expect(sent.text.contains("lt=+52.09012 lg=+5.12130 rd=8 top=2027"))
    #expect(sent.text.contains("Flat 3"))
    #expect(house.messages.first?.message.text.contains("999 was contacted") == true)
    #expect(house.refusal(contact)?.code == .notNow)
    func report(by plugin: String, _ outcome: DeliveryReport.Outcome) {
      house.handle(
        .delivery(
          DeliveryReport(
            plugin: plugin, event: EventID(sent.id), recipient: "emergency", channel: "sms",
            outcome: outcome, detail: "No signal.")))
    }
    // Only the plugin that reaches the emergency services may say that it did, or did not.
    report(by: "liar", .delivered)
    report(by: "p", .failed)
    #expect(house.all(.emergencyContacted).map { $0.draft.text("outcome") } == ["asked", "failed"])
    try house.ask(.contactEmergency(resident: "mary", mode: .call))
    #expect(contacts(house).last?.text.contains("latitude 52.09012, longitude 5.12130") == true)
    try house.ask(.disableEmergency(resident: "mary"))
    #expect(house.refusal(contact)?.code == .forbidden)
  }

  @Test(
    "Who refused calls has nobody called by voice; texts and the alarm itself go out all the same")
  func refusedCalls() throws {
    var (house, code) = try prepared("GB", registered: "2026-01-02")
    try house.ask(.confirmEmergency(resident: "mary", code: code))
    house.refuse(.calls)
    let refusal = house.refusal(.contactEmergency(resident: "mary", mode: .call))
    #expect(refusal?.code == .forbidden)
    let words = refusal?.message.description ?? ""
    #expect(words.hasPrefix("If it is urgent, call 999 yourself"), "\(words)")
    #expect(words.contains("homeward consent grant calls"), "\(words)")
    #expect(contacts(house).isEmpty)
    try house.ask(.contactEmergency(resident: "mary", mode: .text))
    #expect(contacts(house).map(\.mode) == [.text])
    #expect(house.messages.contains { $0.message.channel == .voice })
    let again = try house.ask(
      .prepareEmergency(resident: "mary", profile: "GB", registered: "2026-01-02", text: "x"))
    #expect(again["meaning"]?.stringContent?.contains("never call") == true)
    let calling = AlarmRequest.prepareEmergency(
      resident: "mary", profile: "NO", registered: nil, text: "x")
    #expect(house.refusal(calling)?.code == .forbidden)
  }

  @Test func aCodeIsValidForTenMinutesAndFiveTries() throws {
    var (late, code) = try prepared("GB")
    late.wait(until: 600)
    #expect(late.refusal(.confirmEmergency(resident: "mary", code: code))?.code == .expired)
    var (guessed, real) = try prepared("GB")
    for _ in 0..<5 {
      _ = guessed.refusal(.confirmEmergency(resident: "mary", code: "??????"))
      guessed.wait(until: guessed.second + 1)
    }
    #expect(guessed.refusal(.confirmEmergency(resident: "mary", code: real)) != nil)
  }

  @Test func textsGoOnlyWhereTheCountryTakesThem() throws {
    for (profile, registered, isText) in [
      ("GB", nil, false), ("GB", "2026-01-02", true), ("IE", nil, true), ("NO", nil, false),
    ] as [(String, String?, Bool)] {
      var (house, code) = try prepared(profile, registered: registered)
      try house.ask(.confirmEmergency(resident: "mary", code: code))
      let refusal = house.refusal(.contactEmergency(resident: "mary", mode: .text))
      #expect((refusal == nil) == isText, "\(profile)")
    }
    var house = House(at: Self.noon)
    for (profile, registered, text) in [
      ("XX", nil, "x"), ("GB", "2026-13-01", "x"), ("GB", "soon", "x"), ("GB", "2999-01-01", "x"),
      ("GB", nil, ""), ("GB", nil, String(repeating: "x", count: 161)),
    ] as [(String, String?, String)] {
      let request = AlarmRequest.prepareEmergency(
        resident: "mary", profile: profile, registered: registered, text: text)
      #expect(house.refusal(request)?.code == .invalid)
    }
    var alone = House(guardians: [])
    let request = AlarmRequest.prepareEmergency(
      resident: "mary", profile: "GB", registered: nil, text: "x")
    #expect(alone.refusal(request)?.code == .conflict)
  }

  @Test("A text to the emergency services outside of an SOS begins a silent one; a call a loud one")
  func textIsSilent() throws {
    for (mode, isHeard) in [(EmergencyContact.Mode.text, false), (.call, true)] {
      var (house, code) = try prepared("IE")
      try house.ask(.confirmEmergency(resident: "mary", code: code))
      try house.ask(.contactEmergency(resident: "mary", mode: mode))
      #expect(contacts(house).count == 1)
      #expect(house.messages.contains { $0.message.notice == .alarm })
      house.wait(until: 600)
      #expect(house.sounds.isEmpty != isHeard)
      #expect(house.all(.alarmRaised).first?.draft.text("sound") == (isHeard ? "high" : "none"))
      try house.ask(.resolve(alarm: nil, by: "bob", reason: "They came"))
      #expect(house.sounds.isEmpty != isHeard)
    }
  }

  @Test("A part that is removed is at fault no more, and the end says that it is not used")
  func removedPart() {
    var house = House(at: Self.noon)
    house.notice(
      .faultRaised, ["component": "plugin/x", "state": "failed", "explanation": "It ended."],
      of: nil)
    #expect(house.all(.alarmRaised).first?.draft.text("sound") == "none")
    house.notice(.faultCleared, ["component": "plugin/x", "state": "unused"], of: nil)
    #expect(house.events.last?.draft.explanation == "plugin/x is not used any more.")
  }

  @Test func aTestNeverReachesTheEmergencyServices() throws {
    var (house, code) = try prepared("IE")
    try house.ask(.confirmEmergency(resident: "mary", code: code))
    try house.ask(.test(resident: "mary"))
    #expect(house.refusal(.contactEmergency(resident: "mary", mode: .call))?.code == .conflict)
    #expect(contacts(house).isEmpty)
    try house.press()
    try house.ask(.contactEmergency(resident: "mary", mode: .call))
    #expect(contacts(house).count == 1)
    #expect(house.messages.contains { $0.message.notice == .alarm })
  }
}
