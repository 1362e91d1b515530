import Care
import Core
import Foundation
import JSON
import Moments
import Privacy
import TestSupport
import Testing
import Texts

@Suite struct CoreStepTests {
  /// An outing with faults and commands in between; answers every result in order.
  private func outing(seed: UInt64 = 1) -> CoreFixture {
    var fixture = CoreFixture(seed: seed)
    fixture.step(.started(version: "0"))
    fixture.perform(.putResident(CoreFixture.mary))
    fixture.perform(.putZone(CoreFixture.zone()))
    for second in 0..<400 {
      let meters = second < 60 ? 0 : Double(min(second - 60, 150)) * 1.5
      fixture.now = fixture.now.advanced(byMilliseconds: 1000)
      fixture.step(fixture.fix(metersNorth: meters))
      if second == 100 { fixture.perform(.locate(resident: "mary")) }
    }
    return fixture
  }

  @Test func leavingHomeIsNoticedAndExplained() throws {
    let fixture = outing()
    let left = try #require(fixture.results.flatMap(\.events).first { $0.type == .zoneLeft })
    #expect(left.lane == .alarm)
    #expect(left.resident == "mary")
    #expect(left.facts["explanation"]?.stringContent?.contains("Mary") == true)
  }

  @Test func theSameInputsGiveTheSameOutcomeBitForBit() {
    let first = outing()
    let second = outing()
    #expect(first.results == second.results)
    let ids = first.results.flatMap(\.events).map(\.id)
    #expect(Set(ids).count == ids.count)
    #expect(Set(outing(seed: 2).results.flatMap(\.events).map(\.id)).isDisjoint(with: ids))
  }

  @Test func aCoreMadeFromTheStateOfAnotherGoesOnInTheSameWay() {
    var original = outing()
    var successor = CoreFixture(stored: original.core.storedState, seed: 9, at: original.now)
    #expect(successor.core.storedState == original.core.storedState)
    original.step(.wake)
    successor.step(.wake)
    for meters in stride(from: 225.0, through: 0, by: -3) {
      let left = original.step(original.fix(metersNorth: meters), afterSeconds: 2)
      let right = successor.step(successor.fix(metersNorth: meters), afterSeconds: 2)
      #expect(left.events.map(\.type) == right.events.map(\.type))
    }
    #expect(original.results.flatMap(\.events).contains { $0.type == .zoneEntered })
  }

  @Test func aHeartbeatTellsWhenTheNextIsDue() {
    var fixture = CoreFixture()
    let started = fixture.step(.started(version: "0"))
    let beat = started.events.first { $0.type == .heartbeat }
    #expect(
      beat?.facts["expectedNext"]?.stringContent
        == fixture.now.utc.advanced(byMilliseconds: 300_000).iso8601)
    #expect(fixture.step(.wake, afterSeconds: 299).events.isEmpty)
    #expect(fixture.step(.wake, afterSeconds: 1).events.map(\.type) == [.heartbeat])
  }

  @Test("A part that was removed settles its fault, and the alarm that came of it")
  func removedPart() throws {
    var fixture = CoreFixture()
    fixture.step(.started(version: "0"))
    fixture.perform(.putResident(CoreFixture.mary))
    fixture.step(
      .observation(
        .health(
          HealthReport(
            component: "plugin/x", state: .failed, code: "ended",
            detail: Message(verbatim: "It ended.")))))
    fixture.step(.wake, afterSeconds: 20)
    #expect(!fixture.core.upkeep.faults.isEmpty && !fixture.core.alarms.summaries().isEmpty)
    let result = fixture.step(
      .observation(.health(HealthReport(component: "plugin/x", state: .unused, code: "removed"))))
    let cleared = try #require(result.events.first { $0.type == .faultCleared })
    #expect(
      cleared.facts["explanation"] == "plugin/x is not used any more. It was: It ended.")
    #expect(fixture.core.upkeep.faults.isEmpty && fixture.core.alarms.summaries().isEmpty)
  }

  @Test("A fault of a part that the next run does not know is over when nothing is heard of it")
  func partGoneAfterRestart() {
    var fixture = CoreFixture()
    fixture.step(.started(version: "0"))
    for part in ["plugin/x", "sound"] as [ComponentID] {
      fixture.step(
        .observation(
          .health(
            HealthReport(
              component: part, state: .failed, code: "ended",
              detail: Message(verbatim: "It ended.")))))
    }
    fixture.step(.wake, afterSeconds: 20)
    var next = CoreFixture(stored: fixture.core.storedState, seed: 2, at: fixture.now)
    next.step(.started(version: "0"))
    next.step(
      .observation(
        .health(
          HealthReport(
            component: "sound", state: .failed, code: "ended",
            detail: Message(verbatim: "It ended.")))))
    #expect(next.core.upkeep.faults.map(\.component) == ["plugin/x", "sound"])
    #expect(next.step(.wake, afterSeconds: 601).faults == [.faultCleared])
    #expect(next.core.upkeep.faults.map(\.component) == ["sound"])
  }

  @Test func aFaultMustLastBeforeItIsToldAndIsToldOnce() {
    var fixture = CoreFixture()
    fixture.step(.started(version: "0"))
    let failed = CoreInput.observation(
      .health(
        HealthReport(
          component: "gps/gps", state: .failed, code: "gpsd-gone",
          detail: Message(verbatim: "gpsd is gone."))))
    let working = CoreInput.observation(
      .health(HealthReport(component: "gps/gps", state: .working)))
    #expect(fixture.step(failed).events.isEmpty)
    #expect(fixture.step(working, afterSeconds: 5).events.isEmpty)
    #expect(fixture.step(failed, afterSeconds: 1).events.isEmpty)
    #expect(fixture.step(.wake, afterSeconds: 10).faults == [.faultRaised])
    #expect(fixture.step(failed, afterSeconds: 60).events.isEmpty)
    #expect(fixture.step(working, afterSeconds: 1).faults == [.faultCleared])
  }

  @Test func aFaultRaisedBeforeARestartIsClearedAfterIt() {
    var fixture = CoreFixture()
    fixture.step(
      .observation(
        .health(
          HealthReport(
            component: "store", state: .failed, code: "full", detail: Message(verbatim: "Full.")))))
    let raised = fixture.step(.wake, afterSeconds: 10)
    var stored = StoredState()
    for case .putEngineRow(let row) in raised.changes { stored.engineRows.append(row) }
    var restarted = CoreFixture(stored: stored)
    restarted.step(.started(version: "0"))
    let cleared = restarted.step(
      .observation(.health(HealthReport(component: "store", state: .working))))
    #expect(cleared.faults == [.faultCleared])
  }

  @Test func trustInTheClockIsAnEventThatMapsTicksToTime() {
    var fixture = CoreFixture(
      at: Moment(tick: .seconds(5), utc: Timestamp(milliseconds: 0), quality: .untrusted))
    #expect(!fixture.step(.started(version: "0")).events.contains { $0.type == .clockTrusted })
    fixture.now = Moment(
      tick: .seconds(60), utc: Timestamp(milliseconds: 1_795_000_000_000), quality: .satellite)
    let result = fixture.step(.observation(.clock(ClockReport(quality: .satellite))))
    let trusted = result.events.first { $0.type == .clockTrusted }
    #expect(trusted?.facts["tick"] == "60000000000")
    #expect(trusted?.facts["boot"] == "b")
  }

  @Test func aFixOfASourceThatMovesWithNobodyChangesNothing() {
    var fixture = CoreFixture()
    fixture.step(.started(version: "0"))
    #expect(fixture.step(fixture.fix(metersNorth: 0)) == StepResult())
  }

  @Test func recordedInputsReplayWithoutADifferenceAndATamperedOneIsFound() throws {
    let start = CoreFixture.start
    var core = GatewayCore(
      stored: StoredState(residents: [CoreFixture.mary], zones: [CoreFixture.zone()]),
      configuration: CoreConfiguration(gateway: "test"), seed: 5, boot: "b", at: start)
    let startState = RunReplay.startState(
      of: StoredState(residents: [CoreFixture.mary], zones: [CoreFixture.zone()]),
      configuration: core.configuration)
    var replay = try RunReplay(startState: startState, seed: 5, boot: "b", at: start)
    var tampered = replay
    var fixture = CoreFixture()
    var differences = 0
    for second in 1...500 {
      fixture.now = start.advanced(byMilliseconds: Int64(second) * 1000)
      let input = fixture.fix(metersNorth: Double(second % 200))
      let result = core.step(input, at: fixture.now)
      let digest = OutcomeDigest(
        events: result.events.map { $0.cloudEvent(gateway: "test", boot: "b") },
        changes: result.changes, actions: result.actions
      ).digest
      let body = input.json.serializedBytes
      #expect(
        try replay.feed(number: Int64(second), body: body, at: fixture.now, recordedDigest: digest)
          == nil)
      let other = second == 250 ? fixture.fix(metersNorth: 3).json.serializedBytes : body
      if try tampered.feed(
        number: Int64(second), body: other, at: fixture.now, recordedDigest: digest) != nil,
        second >= 250
      {
        differences += 1
      }
    }
    #expect(replay.inputs == 500)
    #expect(differences > 0)
  }

  @Test("Each type of event is declared once, with sentences, and each of its members once")
  func declaredEvents() throws {
    let types = GatewayCore.events.map(\.type)
    #expect(types.count > 90 && Set(types).count == types.count)
    for event in GatewayCore.events {
      let names = event.facts.map(\.name)
      #expect(Set(names).count == names.count, "\(event.type.rawValue): \(names)")
      #expect(!event.lanes.isEmpty && Set(event.lanes).count == event.lanes.count)
      for words in [event.words] + event.facts.map(\.words) {
        #expect(words.last == "." && !words.contains("|"), "\(event.type.rawValue): \(words)")
      }
    }
  }

  @Test("Every type of event that the gateway has a word for is declared")
  func everyWord() throws {
    let file = Checkout.root.appendingPathComponent("Sources/Care/Event.swift")
    let text = try String(contentsOf: file, encoding: .utf8)
    let words = text.matches(of: /: EventType = "([a-z.-]+)"/).map { String($0.1) }
    #expect(words.count > 70)
    #expect(Set(words).isSubset(of: Set(GatewayCore.events.map(\.type.rawValue))))
  }
}
