import Care
import Core
import Foundation
import JSON
import Moments
import Testing

@Suite("Alarms in one step with everything else")
struct AlarmStepTests {
  private static let anna = Guardian(
    id: "anna", resident: "mary", name: "Anna", phone: "+47 912 34 567", email: "a@example.org",
    isCaregiver: true)

  /// A resident at home with one guardian who is a caregiver.
  private func house(seed: UInt64 = 1) -> CoreFixture {
    var house = CoreFixture(seed: seed)
    house.step(.started(version: "0"))
    house.perform(.putResident(CoreFixture.mary))
    house.perform(.putZone(CoreFixture.zone()))
    house.perform(.putGuardian(Self.anna))
    return house
  }

  private func press(
    _ gesture: ButtonGesture, _ house: inout CoreFixture, after seconds: Double = 0
  )
    -> StepResult
  {
    house.step(
      .observation(
        .button(ButtonReport(button: "hall", gesture: gesture, edge: house.now.tick))),
      afterSeconds: seconds)
  }

  private func types(_ result: StepResult) -> [String] { result.events.map(\.type.rawValue) }

  private func messages(_ results: [StepResult]) -> [AlarmMessage] {
    results.flatMap(\.actions).compactMap {
      if case .notify(let message) = $0 { message } else { nil }
    }
  }

  private func sounds(_ result: StepResult) -> [SoundRequest] {
    result.actions.compactMap { if case .play(let request) = $0 { request } else { nil } }
  }

  /// Wakes the core whenever it asks to, until so many seconds have passed.
  @discardableResult
  private func pass(_ seconds: Int64, _ house: inout CoreFixture) -> [StepResult] {
    var results: [StepResult] = []
    let end = house.now.tick.advanced(byMilliseconds: seconds * 1000)
    while let next = house.core.nextWake, next <= end {
      let wait = max(1, next.milliseconds(since: house.now.tick))
      results.append(house.step(.wake, afterSeconds: Double(wait) / 1000))
    }
    house.now = house.now.advanced(byMilliseconds: end.milliseconds(since: house.now.tick))
    return results
  }

  // MARK: Guardians

  @Test("A guardian's number is kept as E.164, and one of no country needs the resident's")
  func numbers() {
    var house = house()
    #expect(house.core.household.guardians(of: "mary").map(\.phone) == ["+4791234567"])
    var bert = Guardian(id: "bert", resident: "mary", name: "Bert", phone: "912 34 568")
    #expect(house.perform(.putGuardian(bert)).reply?.refusalCode == .invalid)
    house.perform(.putSetting(resident: "mary", name: "country", value: "NO"))
    #expect(house.perform(.putGuardian(bert)).reply?.refusalCode == nil)
    #expect(house.core.household.guardians(of: "mary").last?.phone == "+4791234568")
    bert.id = "bert-2"
    #expect(house.perform(.putGuardian(bert)).reply?.refusalCode == .conflict)
  }

  @Test(
    "Whom nobody could reach is no guardian",
    arguments: [
      Guardian(id: "x", resident: "mary", name: "X"),
      Guardian(id: "x", resident: "mary", name: "X", phone: "112"),
      Guardian(id: "x", resident: "mary", name: "X", phone: "+47 12"),
      Guardian(id: "x", resident: "mary", name: "X", phone: "call me"),
      Guardian(id: "x", resident: "mary", name: "X", email: "nobody"),
      Guardian(id: "x", resident: "mary", name: "X", email: "a@b.org\r\nBcc: all@b.org"),
      Guardian(id: "x", resident: "mary", name: "X", email: "anna@.org"),
      Guardian(id: "x", resident: "mary", name: "X", email: "anna..lee@example.org"),
      Guardian(id: "x", resident: "mary", name: "X", push: ""),
      Guardian(id: "x", resident: "mary", name: " ", phone: "+4791234569"),
      Guardian(id: "X!", resident: "mary", name: "X", phone: "+4791234569"),
      Guardian(id: "x", resident: "mary", name: "X", phone: "+4791234569", tier: 4),
      Guardian(id: "x", resident: "mary", name: "X", phone: "+4791234569", language: "fr"),
      Guardian(
        id: "x", resident: "mary", name: "X", phone: "+4791234569", withoutChannels: [.sms, .voice]),
    ])
  func unreachable(guardian: Guardian) {
    var house = house()
    #expect(house.perform(.putGuardian(guardian)).reply?.refusalCode == .invalid)
    #expect(house.core.household.guardians(of: nil).count == 1)
  }

  @Test("A resident has at most five guardians")
  func atMostFive() {
    var house = house()
    for number in 1...5 {
      let guardian = Guardian(
        id: GuardianID("g\(number)"), resident: "mary", name: "G", email: "g\(number)@example.org")
      let refusal = house.perform(.putGuardian(guardian)).reply?.refusalCode
      #expect(refusal == (number == 5 ? .conflict : nil))
    }
  }

  @Test("A resident who is erased leaves no guardian and no open alarm")
  func erased() {
    var house = house()
    _ = press(.hold, &house)
    house.perform(.eraseResident("mary"))
    #expect(
      house.core.household.guardians(of: nil).isEmpty && house.core.alarms.summaries().isEmpty)
    let told = messages(pass(3600, &house))
    #expect(told.allSatisfy { $0.notice == .news }, "that somebody is guarded no more")
  }

  // MARK: The button

  @Test("A hold is an SOS: loud at once, told after the pre-alarm, under one id")
  func hold() throws {
    var house = house()
    let raised = press(.hold, &house)
    let event = try #require(raised.events.first { $0.type == .alarmRaised })
    #expect(event.facts["kind"] == "sos" && event.facts["trigger"] == "button")
    #expect(sounds(raised).map(\.priority) == [.emergency])
    #expect(messages([raised]).isEmpty)
    let later = pass(10, &house)
    let told = messages(later)
    #expect(Set(told.map(\.channel)) == [.sms, .voice, .email])
    #expect(told.allSatisfy { $0.alarm.rawValue == event.id.rawValue && $0.address != "" })
    #expect(later.flatMap(\.events).contains { $0.type == .alarmDispatched })
  }

  @Test("A double press in the pre-alarm cancels; nothing leaves the house")
  func cancelInPrealarm() {
    var house = house()
    _ = press(.hold, &house)
    #expect(types(press(.double, &house, after: 4)).contains("alarm.cancelled"))
    #expect(messages(pass(3600, &house)).allSatisfy { $0.text.hasPrefix("FAULT") })
  }

  @Test("A second hold in the pre-alarm does not cancel")
  func holdAgain() {
    var house = house()
    _ = press(.hold, &house)
    _ = press(.hold, &house, after: 4)
    #expect(!messages(pass(20, &house)).isEmpty)
  }

  @Test("A press silences a dispatched alarm, acknowledges nothing, and the telling goes on")
  func pressSilences() {
    var house = house()
    _ = press(.hold, &house)
    pass(12, &house)
    let pressed = press(.press, &house)
    #expect(types(pressed).contains("alarm.silenced"))
    #expect(!types(pressed).contains("alarm.acknowledged"))
    #expect(house.core.alarms.summaries().first?["stage"] == "dispatched")
    #expect(!messages(pass(70, &house)).isEmpty)
  }

  @Test("A caregiver's button takes charge where it is bound to")
  func caregiversButton() {
    var configuration = CoreConfiguration(gateway: "test")
    configuration.buttons = [ButtonBinding(button: "hall", caregiver: "anna", double: .acknowledge)]
    let from = house()
    var house = CoreFixture(
      stored: from.core.storedState, configuration: configuration, at: from.now)
    _ = press(.hold, &house)
    pass(12, &house)
    let doubled = press(.double, &house)
    #expect(
      doubled.events.first { $0.type == .alarmAcknowledged }?.facts["by"] == "anna")
  }

  @Test("A press with nothing to silence says the time in the resident's zone")
  func timeOfDay() {
    var house = house()
    let request = sounds(press(.press, &house)).first
    #expect(request?.parts.last == .clock(timeZone: "Australia/Darwin", language: "en"))
  }

  @Test("A button of a gateway without residents does nothing, whatever the hand does but hold it")
  func nobodyThere() {
    var house = CoreFixture()
    let others = ButtonGesture.allCases.filter { ![.stuck, .loose, .hold].contains($0) }
    for gesture in others {
      let events = press(gesture, &house, after: 1).events.filter { $0.type != .heartbeat }
      #expect(events.isEmpty, "\(gesture): \(events)")
    }
  }

  // MARK: Fake calls

  @Test("A double press makes a call come in, a press answers, and a hold wins over it")
  func fakeCall() {
    var house = house()
    let rung = press(.double, &house)
    #expect(sounds(rung).map(\.priority) == [.call])
    let answered = press(.press, &house, after: 3)
    #expect(types(answered).contains("fake-call.changed"))
    let held = press(.hold, &house, after: 3)
    #expect(types(held).contains("alarm.raised") && types(held).contains("fake-call.changed"))
    #expect(held.actions.contains { if case .stopSound = $0 { true } else { false } })
    #expect(press(.double, &house, after: 60).events.allSatisfy { $0.type != .fakeCallChanged })
    let refused = house.perform(.room(.startFakeCall(resident: "mary", afterSeconds: 0)))
    #expect(refused.reply?.refusalCode == .conflict)
  }

  @Test(
    "A fault of the receiver that may pass by itself is no pre-alarm: the double press makes a call come in"
  )
  func fakeCallDuringFault() {
    var house = house()
    pass(200, &house)
    let waiting = house.core.alarms.summaries().filter { $0["stage"]?.stringContent == "prealarm" }
    #expect(waiting.contains { $0["kind"] == "fault" && $0["resident"] == "mary" })
    #expect(sounds(press(.double, &house)).map(\.priority) == [.call])
  }

  @Test("A call that rings for a resident who is erased falls silent, and nothing is told of it")
  func fakeCallOfAnErasedResident() {
    var house = house()
    #expect(sounds(press(.double, &house)).count == 1)
    let erased = house.perform(.eraseResident("mary"))
    #expect(erased.actions.contains { if case .stopSound = $0 { true } else { false } })
    #expect(!types(erased).contains("fake-call.changed"))
  }

  // MARK: Other engines

  @Test("Leaving a safe zone raises an alarm of its own kind, and coming back ends it")
  func zone() {
    var house = house()
    for _ in 0..<3 { house.step(house.fix(metersNorth: 5), afterSeconds: 10) }
    var left: [StepResult] = []
    for _ in 0..<3 { left.append(house.step(house.fix(metersNorth: 300), afterSeconds: 10)) }
    let raised = left.flatMap(\.events).filter { $0.type == .alarmRaised }
    #expect(raised.map { $0.facts["kind"] } == ["zone"])
    var back: [StepResult] = []
    for _ in 0..<4 { back.append(house.step(house.fix(metersNorth: 5), afterSeconds: 10)) }
    #expect(back.flatMap(\.events).contains { $0.type == .alarmResolved })
  }

  @Test("An SOS and a zone alarm live side by side")
  func sideBySide() {
    var house = house()
    for _ in 0..<3 { house.step(house.fix(metersNorth: 5), afterSeconds: 10) }
    _ = press(.hold, &house)
    for _ in 0..<3 { house.step(house.fix(metersNorth: 300), afterSeconds: 10) }
    #expect(Set(house.core.alarms.summaries().map { $0["kind"] }) == ["sos", "zone"])
    #expect(!house.core.alarms.summaries().isEmpty)
  }

  // MARK: Settings, replay, restarts

  @Test("Settings of alarms stand beside those of tracking and are checked")
  func settings() {
    var house = house()
    let changed = house.perform(
      .putSetting(resident: "mary", name: "prealarmSeconds", value: 3))
    #expect(changed.reply?.refusalCode == nil)
    #expect(house.core.settings.inForce(for: "mary")["prealarmSeconds"] == 3)
    for value: JSONValue in [-1, "soon", true] {
      let refused = house.perform(
        .putSetting(resident: "mary", name: "prealarmSeconds", value: value))
      #expect(refused.reply?.refusalCode == .invalid)
    }
    _ = press(.hold, &house)
    #expect(!messages(pass(3, &house)).isEmpty)
  }

  @Test("A zone's file gives quiet hours and messages local time, and replays")
  func localTime() throws {
    let file = [UInt8](
      try Data(contentsOf: URL(fileURLWithPath: "/usr/share/zoneinfo/Australia/Darwin")))
    var house = house()
    house.step(.timeZone(name: "Australia/Darwin", file: file))
    let input = CoreInput.timeZone(name: "Australia/Darwin", file: file)
    #expect(try CoreInput(json: input.json) == input)
    let configuration = house.core.configuration
    #expect(try CoreConfiguration(json: configuration.json) == configuration)
    _ = press(.hold, &house)
    let text = try #require(messages(pass(10, &house)).first { $0.channel == .sms }?.text)
    let local = house.now.utc.advanced(byMilliseconds: 34_200_000)
    let hour = CivilDateTime(utc: local).hour
    #expect(text.contains(hour < 10 ? " 0\(hour):" : " \(hour):"), "\(text)")
    house.step(.timeZone(name: "Nowhere/Land", file: [1, 2, 3]))
  }

  @Test("A core made from another's state goes on with the alarm: same id, everybody told")
  func restart() throws {
    var house = house()
    let id = try #require(press(.hold, &house).events.first { $0.type == .alarmRaised }?.id)
    pass(4, &house)
    var next = CoreFixture(stored: house.core.storedState, seed: 9, at: house.now)
    next.step(.started(version: "0"), afterSeconds: 1)
    let told = messages(pass(30, &next))
    #expect(!told.isEmpty && told.allSatisfy { $0.alarm.rawValue == id.rawValue })
  }

  @Test("The same inputs give the same outcomes, alarms, ids and tags included")
  func deterministic() {
    func story() -> [UInt8] {
      var house = house(seed: 7)
      _ = press(.hold, &house)
      pass(60, &house)
      house.perform(.alarm(.acknowledge(alarm: nil, by: "anna")))
      pass(60, &house)
      let events = house.results.flatMap(\.events).map {
        $0.cloudEvent(gateway: "g", boot: "b").body
      }
      let actions = house.results.flatMap(\.actions).map(\.json.serializedBytes)
      return (events + actions).flatMap { $0 }
    }
    #expect(story() == story())
  }

  @Test("Wrong PINs are counted over refusals and restarts, and the last one looks like success")
  func wrongPINs() throws {
    var house = house()
    house.perform(.putSetting(resident: "mary", name: "profile", value: "protego"))
    func cancel(_ verdict: PINVerdict, _ house: inout CoreFixture) -> StepResult {
      let number = house.results.count
      return house.step(
        .command(
          Command(
            id: CommandID("pin-\(number)"), principal: Principal(channel: .local, name: "x"),
            request: .alarm(.cancel(resident: "mary", pin: nil, message: nil)),
            pinProof: .verdict(verdict))))
    }
    let pin = Command(
      id: "set", principal: Principal(channel: .local, name: "x"),
      request: .alarm(.setPIN(resident: "mary", kind: .okay, pin: nil)), pinProof: .hash("$y$x"))
    house.step(.command(pin))
    #expect(house.core.alarms.pinHash(.okay, of: "mary") == "$y$x")
    _ = press(.hold, &house)
    pass(12, &house)
    for _ in 1...3 { #expect(cancel(.wrong, &house).reply?.refusalCode == .forbidden) }
    var next = CoreFixture(stored: house.core.storedState, seed: 5, at: house.now)
    #expect(cancel(.wrong, &next).reply?.refusalCode == .forbidden)
    let last = cancel(.wrong, &next)
    #expect(last.reply?.refusalCode == nil && types(last).contains("alarm.duress"))
    #expect(next.core.alarms.summaries().isEmpty)
    let shown = last.events.filter { !$0.isForGuardians }.map(\.type)
    #expect(shown == [.alarmCancelled])
    let forced = try #require(last.events.first { $0.type == .alarmDuress })
    let encoded = forced.cloudEvent(gateway: "g", boot: "b")
    #expect(encoded.isForGuardians)
    #expect(String(decoding: encoded.body, as: UTF8.self).contains(#","audience":"guardians","#))
    let alarm = try #require(forced.facts["alarm"]?.stringContent)
    let told = next.step(
      .observation(
        .delivery(
          DeliveryReport(
            plugin: "p", event: EventID(alarm), recipient: "anna", channel: "sms",
            outcome: .delivered, detail: "", notice: .duress))))
    #expect(told.events.first { $0.type == .deliveryReported }?.isForGuardians == true)
  }

  @Test("What a plugin hands in has no place for a verdict about a PIN")
  func noForgedVerdict() throws {
    let request = try Command.Request(
      json: [
        "action": "sos.cancel", "target": "mary", "pinVerdict": "correct", "verdict": "correct",
      ])
    var house = house()
    _ = press(.hold, &house)
    pass(12, &house)
    #expect(house.perform(request).reply?.refusalCode != nil)
    #expect(house.core.alarms.summaries().first?["stage"] == "dispatched")
  }
}
