import Care
import JSON
import Moments
import TestSupport
import Testing

@testable import Alarms

/// A long story, and the power that fails after every single input of it.
@Suite struct RestartTests {
  /// One input of the story at its second.
  enum Input {
    case input(AlarmInput)
    case request(AlarmRequest, Principal, Command.PINProof?)
    case wait
  }

  private static func draft(_ type: EventType, _ facts: JSONValue) -> Input {
    .input(Signal(type, facts).map { .signalled($0) } ?? .time)
  }

  private static let fix: JSONValue = [
    "latitude": 52.09012, "longitude": 5.1213, "accuracyMeters": 8.0,
  ]

  private static func cancel(_ verdict: PINVerdict) -> Input {
    .request(.cancel(resident: "mary", pin: nil, message: nil), .local, .verdict(verdict))
  }

  static let story: [(Double, Input)] = [
    (0, draft(.fixAccepted, fix)),
    (1, .request(.setPIN(resident: "mary", kind: .okay, pin: nil), .local, .hash("$y$abc"))),
    (2, draft(.zoneLeft, ["zone": "home", "zoneName": "Home"])),
    (3, .request(.raise(resident: "mary", kind: .sos, trigger: .button, text: ""), .local, nil)),
    (6, .request(.silence, .local, nil)),
    (8, .input(.photo(PhotoReport(alarm: "none", path: "/p.jpg")))),
    (20, .wait), (21, cancel(.wrong)), (22, .request(.silence, .local, nil)),
    (60, draft(.fixAccepted, fix)), (100, .wait), (150, cancel(.wrong)), (210, .wait),
    (
      220,
      .request(
        .prepareEmergency(
          resident: "mary", profile: "GB", registered: "2026-01-01", text: "Flat 3"),
        .local, nil)
    ),
    (300, .wait), (310, cancel(.duress)),
    (320, draft(.zoneEntered, ["zone": "home", "zoneName": "Home"])),
    (400, .wait), (700, .wait),
    (
      900,
      .request(.resolve(alarm: nil, by: nil, reason: "Safe"), .sms("+447700900123"), nil)
    ), (910, .wait),
    (
      1000,
      draft(.faultRaised, ["component": "sound", "state": "failed", "explanation": "No card."])
    ),
    (1100, .request(.test(resident: "mary"), .local, nil)), (5000, .wait), (90_000, .wait),
  ]

  private func tell(_ house: inout House, _ second: Double, _ input: Input) {
    house.wait(until: second)
    switch input {
    case .input(let input): house.handle(input)
    case .request(let request, let principal, let proof):
      _ = house.refusal(request, as: principal, proof)
      house.wait(until: second)
    case .wait: break
    }
  }

  /// What can be seen outside, with names in the place of identifiers that chance has chosen.
  private func seen(_ house: House) -> [String] {
    let events = house.events.map {
      "\($0.second) \($0.draft.type.rawValue) \($0.draft.facts.serialized)"
    }
    let actions = house.actions.map { "\($0.second) \($0.action.json.serialized)" }
    var names: [(String, String)] = []
    for event in house.events where event.draft.type == .alarmRaised {
      for key in ["alarm", "tag"] {
        names.append((event.draft.text(key), "<\(key)\(names.count)>"))
      }
    }
    return (events + actions).map { line in
      names.reduce(line) { text, name in
        text.split(separator: name.0, omittingEmptySubsequences: false).joined(separator: name.1)
      }
    }
  }

  private func steady() -> House {
    var house = House()
    for (second, input) in Self.story { tell(&house, second, input) }
    return house
  }

  /// Tells the story once, and from each input on once more, with a house to which something was done there; as a rule from
  /// every fourth input, beginning with `first`.
  private func afterEachInput(
    from first: Int, _ deed: (Int, inout House) -> Void, end: (Int, House) -> Void
  ) {
    var untouched = House()
    for (cut, (second, input)) in Self.story.enumerated() {
      tell(&untouched, second, input)
      guard TestSize.isWhole || cut % 4 == first else { continue }
      var house = untouched
      deed(cut, &house)
      for (second, input) in Self.story[(cut + 1)...] { tell(&house, second, input) }
      end(cut, house)
    }
  }

  @Test func theStoryHasEverythingInIt() {
    let types = Set(steady().events.map(\.draft.type))
    for type: EventType in [
      .alarmRaised, .alarmDispatched, .alarmDelivery, .alarmEscalated, .alarmSilenced, .alarmDuress,
      .alarmLocation, .alarmResolved,
    ] { #expect(types.contains(type), "\(type.rawValue)") }
  }

  @Test func anEngineFromTheRowsGoesOnIdenticallyAfterEveryInput() {
    let expected = seen(steady())
    afterEachInput(from: 0) { cut, house in
      let wake = house.engine.nextWake
      house.restart(rows: house.engine.rows)
      #expect(house.engine.nextWake == wake, "after \(cut)")
    } end: { cut, house in
      let found = seen(house)
      let difference = zip(expected, found).first { $0 != $1 }
      #expect(found == expected, "after \(cut): \(difference.map { "\($0)" } ?? "length")")
    }
  }

  @Test func whatIsOnDiskIsTheWholeStateButTheNewestPosition() {
    var house = House()
    for (index, (second, input)) in Self.story.enumerated() {
      tell(&house, second, input)
      let disk = house.storedRows.filter { $0.name != "position" }
      let memory = house.engine.rows.filter { $0.name != "position" }
      #expect(Set(disk) == Set(memory), "after \(index)")
      #expect(disk.count == memory.count)
    }
  }

  @Test("Where somebody is who is well is written at once, and then once a minute")
  func aQuietPositionIsWrittenOnceAMinute() {
    var house = House()
    var written: [Double] = []
    var last: JSONValue?
    for second in stride(from: 0.0, through: 125, by: 5) {
      house.wait(until: second)
      house.fix(52.09 + second / 100_000)
      let row = house.storedRows.first { $0.name == "position" }?.content
      if row != last { written.append(second) }
      last = row
    }
    #expect(written == [0, 60, 120])
    #expect(house.engine.rows.first { $0.name == "position" }?.content != last)
  }

  @Test func aPowerCutAfterAnyInputLosesNothingAndTellsNobodyUnderAnotherName() throws {
    let expected = steady()
    func outcome(_ house: House) -> [String] {
      Set(
        house.messages.map {
          "\($0.message.notice) \($0.message.guardian) \($0.message.channel.rawValue)"
        }
      ).sorted()
    }
    afterEachInput(from: 2) { _, house in
      house.cutPower(seconds: 1)
    } end: { cut, house in
      let types = house.types.filter { $0 != "alarm.delivery" }
      #expect(types == expected.types.filter { $0 != "alarm.delivery" }, "after \(cut)")
      #expect(outcome(house) == outcome(expected), "after \(cut)")
      #expect(Set(house.messages.map(\.message.alarm)).count == 4, "after \(cut)")
      var attempts: [String: Int64] = [:]
      for (_, message) in house.messages {
        let key = "\(message.alarm) \(message.notice) \(message.guardian) \(message.channel)"
        let last = attempts[key] ?? 0
        #expect((last...last + 1).contains(message.attempt), "\(key) after \(cut)")
        attempts[key] = message.attempt
      }
    }
  }

  @Test func thePrealarmIsFinishedAfterADarkTimeAndSoundsUntilThen() throws {
    var house = House()
    try house.press()
    house.wait(until: 5)
    house.cutPower(seconds: 2)
    #expect(house.sounds.last?.request.patterns == ["high", "sos"])
    #expect(house.messages.isEmpty)
    house.wait(until: 10)
    #expect(house.messages.count == 3)
    var late = House()
    try late.press()
    late.wait(until: 5)
    late.cutPower(seconds: 600)
    #expect(late.messages.count == 3)
    #expect(late.sounds.last?.request.patterns.first == "high")
  }

  @Test func withoutAClockThePrealarmCountsAnewAndStillEndsInADispatch() throws {
    var house = House()
    try house.press()
    house.wait(until: 5)
    house.cutPower(seconds: 600, quality: .untrusted)
    #expect(house.messages.isEmpty)
    house.wait(until: 604)
    house.wait(until: 616)
    #expect(house.messages.count == 3)
    #expect(house.messages.allSatisfy { !$0.message.text.contains(":0") })
  }

  @Test func whatWasUnderWayIsHandedOverAgainUnderTheSameNumber() throws {
    var house = House()
    let alarm = try house.press()
    house.wait(until: 12)
    house.report(alarm, "anna", "sms", .sent)
    let before = house.told.count
    house.cutPower(seconds: 3)
    let again = house.messages.dropFirst(before).map(\.message)
    #expect(again.map(\.channel) == [.voice, .email])
    #expect(again.allSatisfy { $0.attempt == 1 && $0.alarm == alarm })
  }

  @Test func rowsThatCannotBeReadAreSaidAndTheRestGoesOn() throws {
    var house = House()
    let alarm = try house.press()
    house.wait(until: 12)
    let key = try #require(house.store.keys.first { $0.contains("message:") })
    house.store[key]?.content = ["notice": "alarm", "guardian": 3]
    house.store["mary odd"] = EngineRow(
      engine: "alarms", subject: "mary", name: "odd", content: .null)
    house.cutPower()
    #expect(house.types.contains("fault.raised"))
    #expect(house.engine.state.hasOpenAlarm("mary"))
    #expect(house.store["mary odd"] == nil)
    house.wait(until: house.second + 200)
    #expect(Set(house.messages.map(\.message.alarm)) == [alarm])
  }
}

extension EventDraft {
  func text(_ name: String) -> String { facts[name]?.stringContent ?? "" }
}
