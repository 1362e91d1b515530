import Care
import CivilTime
import JSON
import Moments
import Testing
import Texts

/// What engines tell each other, and what follows.
@Suite("Signals and outcomes") struct SignalTests {
  // MARK: Faults

  @Test(
    "A part that fails is found, one that works or is not used is settled, and others wait",
    arguments: [
      (.failed, "gps/car", .fault, nil), (.failed, "power/tracker", .battery, nil),
      (.working, "gps/car", .fault, .works), (.working, "power/tracker", .battery, .works),
      (.unused, "powerful", .fault, .unused),
    ] as [(HealthState, ComponentID, AlarmKind, Signal.Settlement.Reason?)])
  func faults(
    state: HealthState, part: ComponentID, kind: AlarmKind, reason: Signal.Settlement.Reason?
  ) {
    let cause = "part:\(part)"
    let expected = reason.map {
      Signal.settled(
        Signal.Settlement(resident: "mary", kind: kind, causes: [cause], reason: $0))
    }
    let found = Signal.found(
      Signal.Finding(
        resident: "mary", kind: kind, cause: cause, label: part.rawValue, explanation: "No fix."))
    #expect(Signal.fault(part, state, of: "mary", "No fix.") == expected ?? found)
  }

  @Test("A part that half works or is on its way is nothing that somebody must be told")
  func halfFaults() {
    for state: HealthState in [.degraded, .starting] {
      #expect(Signal.fault("gps/car", state, of: nil, "") == nil)
    }
  }

  // MARK: Zones

  @Test("Only a home is left and come back to as one")
  func homes() throws {
    for isHome in [true, false] {
      let zone = ZoneNews.Zone(
        SafeZone(
          id: "home", resident: "mary", name: "Home", center: try RequestSamples.place(),
          radiusMeters: 25, isHome: isHome))
      let left = ZoneNews(.left(zone, isExpected: true), isOutside: true)
      let entered = ZoneNews(.entered(zone), isOutside: false)
      let certain = ZoneNews(.certain(zone, isInside: true), isOutside: false)
      #expect(left.leftHome == (isHome ? zone : nil) && left.enteredHome == nil)
      #expect(entered.enteredHome == (isHome ? zone : nil) && entered.leftHome == nil)
      #expect(certain.leftHome == nil && certain.enteredHome == nil)
      #expect(left.mayMove && entered.mayMove && certain.mayMove)
    }
    #expect(!ZoneNews(.recorded(inside: ["Home"]), isOutside: false).mayMove)
  }

  @Test("A home that was moved has a name of its own for each place")
  func pastHomes() throws {
    let place = try RequestSamples.place()
    func home(_ zone: ZoneID, _ generation: Int64) -> PastHome {
      PastHome(zone: zone, generation: generation, center: place, reachMeters: 150)
    }
    #expect(home("home", 0).key == "home" && home("home", 2).key == "home#2")
    let past = [home("home", 0), home("home", 4), home("club", 9)]
    #expect(PastHome.nextGeneration(of: "home", after: past) == 5)
    #expect(PastHome.nextGeneration(of: "club", after: past) == 10)
    #expect(PastHome.nextGeneration(of: "new", after: past) == 0)
  }

  // MARK: Kinds of input

  private static func inputs() throws -> [Input] {
    let report = ButtonReport(button: "wired", gesture: .press, edge: .seconds(1))
    let press = Press(
      report: report, binding: ButtonBinding(button: "wired"), resident: nil, owner: nil,
      meaning: .yes)
    let command = Command(
      id: "c", principal: Principal(channel: .local, name: "anna"), request: .alarm(.silence))
    let moment = Moment(tick: .seconds(1), utc: .seconds(1), quality: .satellite)
    let sighting = try #require(
      TagSighting(tag: "keys", hearer: "phone", strengthDBm: -60, moment: moment))
    let value = FeatureValue(json: ["a": 1])
    let zone = ZoneNews(.recorded(inside: []), isOutside: false)
    let location = Signal.Location(coordinate: try RequestSamples.place(), accuracyMeters: nil)
    return [
      .started(version: "1"), .time, .rules(of: "UTC", .utc), .changed(.clock),
      .asked(command, sent: .seconds(1)), .pressed(press), .arranged, .settled(after: .wake),
      .observed(.fix(FixReport(source: "gps", mode: .none))),
      .observed(.heading(HeadingReport(receiver: "gps", degrees: 1))),
      .observed(.health(HealthReport(component: "gps/gps", state: .working))),
      .observed(.clock(ClockReport(quality: .satellite))),
      .observed(
        .delivery(
          DeliveryReport(plugin: "a", event: "e", recipient: "b", channel: "c", outcome: .sent))),
      .observed(.button(report)), .observed(.photo(PhotoReport(alarm: "a", path: nil))),
      .observed(.sound(SoundReport(sound: "s", outcome: .started))),
      .observed(.sighting(sighting)), .observed(.listening("phone", isListening: true)),
      .observed(.meter(value)), .observed(.map(value)),
      .observed(.ways(WaysReport(offers: []))), .signalled(.located(location, of: "mary")),
      .signalled(.zone(zone, of: "mary")), .signalled(.alarmBegan),
    ]
  }

  @Test("Each kind of input is one of its own, and an engine that hears all hears it")
  func kinds() throws {
    let kinds = try Self.inputs().map(\.kind)
    #expect(Set(kinds).count == kinds.count)
    for kind in kinds {
      #expect(kind.rawValue.nonzeroBitCount == 1 && InputKinds.all.contains(kind))
    }
    #expect(Input.signalled(.heartbeat).kind == .signals)
    #expect(Input.signalled(.clockSet).kind == .signals)
  }

  @Test("Each observation comes back from its JSON, and one of no kind is refused")
  func observations() throws {
    for case .observed(let observation) in try Self.inputs() {
      let json = try JSONValue(parsing: observation.json.serialized)
      #expect(try Observation(json: json) == observation, "\(json.serialized)")
      #expect(throws: (any Error).self) { try Observation(json: json.setting("kind", to: "smell")) }
      #expect(throws: (any Error).self) { try Observation(json: json.setting("kind", to: .null)) }
    }
    let misfits: [JSONValue] = [
      ["kind": "clock"], ["kind": "clock", "quality": "good"], ["kind": "sound", "sound": "s"],
      ["kind": "sound", "sound": "s", "outcome": "loud"], ["kind": "listening", "hearer": "a"],
      ["kind": "clock", "quality": "satellite", "stepMilliseconds": 0.5], "fix",
    ]
    for json in misfits { #expect(throws: (any Error).self) { try Observation(json: json) } }
  }

  // MARK: Outcomes

  @Test("What follows from two things follows in their order, and the first answer counts")
  func followed() {
    func outcome(_ name: String, reply: JSONValue = .object([]), seed: UInt64? = nil) -> Outcome {
      var outcome = Outcome()
      outcome.events = [
        EventDraft(type: EventType(rawValue: name), lane: .record, resident: nil, facts: [:])
      ]
      outcome.changes = [.removeZone(ZoneID(name))]
      outcome.actions = [.stopSound(SoundID(name))]
      outcome.signals = [.calledForNobody(SourceID(name))]
      outcome.changed = [.timeZone(name)]
      outcome.reply = reply
      outcome.identifiers = seed.map { IdentifierGenerator(seed: $0) }
      return outcome
    }
    let both = outcome("a", seed: 1).followed(by: outcome("b", reply: ["id": "b"], seed: 2))
    #expect(both.events.map(\.type.rawValue) == ["a", "b"])
    #expect(both.changes == [.removeZone("a"), .removeZone("b")])
    #expect(both.actions == [.stopSound("a"), .stopSound("b")])
    #expect(both.signals == [.calledForNobody("a"), .calledForNobody("b")])
    #expect(both.changed == [.timeZone("a"), .timeZone("b")])
    #expect(both.reply == ["id": "b"] && both.identifiers == IdentifierGenerator(seed: 2))
    let first = outcome("a", reply: ["id": "a"], seed: 1).followed(
      by: outcome("b", reply: ["id": "b"]))
    #expect(first.reply == ["id": "a"] && first.identifiers == IdentifierGenerator(seed: 1))
  }

  @Test("Each action is told apart by what it is and for whom")
  func actions() throws {
    let place = try RequestSamples.place()
    let actions: [(Action, String)] = [
      (
        .sampleBurst(source: "gps", until: Tick(nanoseconds: 7)),
        #"{"action":"sample-burst","source":"gps","until":7}"#
      ),
      (.stopSound("s"), #"{"action":"stop-sound","sound":"s"}"#),
      (
        .photograph(alarm: "a", resident: "mary"),
        #"{"action":"photograph","alarm":"a","resident":"mary"}"#
      ),
      (.light(.delivered), #"{"action":"light","signal":"delivered"}"#),
      (
        .contactEmergency(
          EmergencyContact(id: "e", resident: "mary", mode: .text, number: "112", text: "t")),
        #"{"id":"e","resident":"mary","mode":"text","number":"112","text":"t","#
          + #""action":"contact-emergency"}"#
      ),
      (
        .askMap(MapQuery(id: "q", resident: "mary", .address(place))),
        #"{"query":"q","resident":"mary","at":{"latitude":-24.5,"longitude":133.25},"#
          + #""action":"ask-map"}"#
      ),
      (
        .play(
          SoundRequest(
            id: "s", priority: .call,
            parts: [
              .pattern("sos"), .speech(Sentence("hi", language: "en")),
              .clock(timeZone: "UTC", language: "zh"), .file("/a.wav"), .recording("rr"),
              .pause(milliseconds: 5),
            ], repetitions: nil, levelsDecibels: [-6, 0])),
        #"{"id":"s","priority":"call","parts":[{"pattern":"sos"},"#
          + #"{"speech":"hi","language":"en"},{"clock":"UTC","language":"zh"},"#
          + #"{"file":"/a.wav"},{"recording":"rr"},{"pause":5}],"pauseMilliseconds":0,"#
          + #""levels":[-6.0,0.0],"levelStepSeconds":10,"action":"play"}"#
      ),
    ]
    for (action, json) in actions { #expect(action.json.serialized == json) }
  }

  @Test("An alarm sounds before a call, a call before a reminder, a reminder before a chime")
  func sounds() {
    #expect(
      [SoundPriority.call, .chime, .emergency, .reminder].sorted()
        == [.chime, .reminder, .call, .emergency])
    #expect(SoundReport.Outcome.allCases.filter(\.isEnd) == [.finished, .stopped, .failed])
    #expect([AlarmPriority.high, .medium, .low].map(\.rank) == [0, 1, 2])
    #expect(AlarmKind.allCases.filter { !$0.isAboutAPerson } == [.fault, .battery, .test])
  }
}
