import Care
import JSON
import Moments
import Testing
import Texts

@testable import Upkeep

/// What becomes of health reports over time.
@Suite("Faults over time")
struct FaultWatchTests {
  private var watch = FaultWatch(delaySeconds: 10, rows: [], language: .en, at: .seconds(0))

  private static func report(
    _ component: ComponentID, _ state: HealthState = .failed, _ code: String = "gone"
  ) -> HealthReport {
    HealthReport(
      component: component, state: state, code: code,
      detail: Message(verbatim: "The \(component) is \(code)."))
  }

  private static func row(_ report: HealthReport, engine: String = "core") -> EngineRow {
    EngineRow(
      engine: engine, subject: "gateway", name: "fault:\(report.component)", content: report.json)
  }

  @discardableResult
  private mutating func hear(_ report: HealthReport, at second: Int64) -> [EventDraft] {
    watch.handle(report, at: .seconds(second)).0
  }

  private mutating func raised(at second: Int64) -> [EventDraft] {
    watch.raiseDue(at: .seconds(second)).0
  }

  @Test("A fault counts from its first sign, and is told as it is when it is due")
  mutating func changingReason() {
    hear(Self.report("gps", .failed, "gone"), at: 0)
    hear(Self.report("gps", .degraded, "no-fix"), at: 6)
    #expect(watch.nextWake == .seconds(10))
    #expect(raised(at: 9).isEmpty)
    let events = raised(at: 10)
    #expect(events.map(\.facts["code"]) == ["no-fix"])
    #expect(events.first?.facts["state"] == "degraded" && events.first?.signal == nil)
    #expect(watch.nextWake == nil && raised(at: 100).isEmpty)
  }

  @Test("What is on its way up is not back yet")
  mutating func starting() {
    hear(Self.report("gps"), at: 0)
    hear(HealthReport(component: "gps", state: .starting), at: 5)
    #expect(raised(at: 10).map(\.type) == [.faultRaised])
    #expect(hear(HealthReport(component: "gps", state: .starting), at: 11).isEmpty)
    #expect(watch.faults.map(\.component) == ["gps"])
  }

  @Test("A fault that is known is told again for another reason, not for the same one")
  mutating func again() {
    hear(Self.report("gps"), at: 0)
    _ = raised(at: 10)
    hear(Self.report("gps"), at: 20)
    #expect(watch.nextWake == nil)
    hear(Self.report("gps", .failed, "no-fix"), at: 30)
    #expect(raised(at: 40).map(\.facts["code"]) == ["no-fix"])
    #expect(watch.faults.map(\.code) == ["no-fix"])
  }

  @Test("Another reason that came and went before it was due is not told")
  mutating func backToTheReasonBefore() {
    hear(Self.report("gps"), at: 0)
    _ = raised(at: 10)
    hear(Self.report("gps", .failed, "no-fix"), at: 20)
    hear(Self.report("gps"), at: 23)
    #expect(watch.nextWake == nil)
    #expect(raised(at: 60).isEmpty && watch.faults.map(\.code) == ["gone"])
  }

  @Test("A part that worked in part and fails for the same reason is told of, and alarms hear it")
  mutating func worse() {
    hear(Self.report("sms", .degraded, "no-network"), at: 0)
    #expect(raised(at: 10).map(\.signal) == [nil])
    hear(Self.report("sms", .failed, "no-network"), at: 20)
    let events = raised(at: 30)
    #expect(events.map(\.facts["state"]) == ["failed"])
    guard case .found(let finding)? = events.first?.signal else {
      Issue.record("alarms hear nothing of it")
      return
    }
    #expect(finding.cause == "part:sms")
    // That it works in part again is no news; that it works is.
    hear(Self.report("sms", .degraded, "no-network"), at: 40)
    #expect(raised(at: 60).isEmpty && watch.faults.map(\.state) == [.failed])
    #expect(
      hear(HealthReport(component: "sms", state: .working), at: 70).map(\.type) == [.faultCleared])
  }

  @Test(
    "What is over says whether the part works or is not used any more",
    arguments: [
      (.working, "works again", .works), (.unused, "not used any more", .unused),
    ] as [(HealthState, String, Signal.Settlement.Reason)])
  mutating func over(state: HealthState, words: String, reason: Signal.Settlement.Reason) {
    hear(Self.report("power/ups"), at: 0)
    _ = raised(at: 10)
    let (events, changes) = watch.handle(
      HealthReport(component: "power/ups", state: state), at: .seconds(20))
    #expect(changes == [Self.row(Self.report("power/ups")).removal])
    let text = events.first?.facts["explanation"]?.stringContent ?? ""
    #expect(text.contains(words) && text.contains("The power/ups is gone."))
    #expect(events.first?.facts["code"] == "gone")
    let over = Signal.Settlement(
      resident: nil, kind: .battery, causes: ["part:power/ups"], reason: reason)
    #expect(events.first?.signal == .settled(over))
    // Nothing is over twice.
    #expect(hear(HealthReport(component: "power/ups", state: state), at: 21).isEmpty)
  }

  @Test("Parts that fail together are told in the order of their names, each with its row")
  mutating func together() {
    for part in ["sound", "gps/b", "gps/a"] as [ComponentID] { hear(Self.report(part), at: 1) }
    let (events, changes) = watch.raiseDue(at: .seconds(11))
    let parts: [ComponentID] = ["gps/a", "gps/b", "sound"]
    #expect(events.map(\.facts["component"]) == ["gps/a", "gps/b", "sound"])
    #expect(changes == parts.map { .putEngineRow(Self.row(Self.report($0))) })
    #expect(watch.rows == parts.map { Self.row(Self.report($0)) })
  }

  @Test("Only of a disk is told in the lane of alarms, which needs no disk")
  mutating func lanes() {
    for part in ["store", "store/journal", "storeroom", "sound"] as [ComponentID] {
      hear(Self.report(part), at: 0)
    }
    #expect(raised(at: 10).map(\.lane) == [.record, .alarm, .alarm, .record])
    #expect(hear(HealthReport(component: "store", state: .working), at: 20).map(\.lane) == [.alarm])
  }

  @Test("After a restart a part that says nothing for ten minutes is gone, and only such a part")
  mutating func inherited() {
    let parts: [ComponentID] = ["back", "failing", "other", "silent", "starting"]
    watch = FaultWatch(
      delaySeconds: 10, rows: parts.map { Self.row(Self.report($0)) }, language: .en,
      at: .seconds(1000))
    #expect(watch.faults.map(\.component) == parts && watch.nextWake == .seconds(1600))
    #expect(
      hear(HealthReport(component: "back", state: .working), at: 1001).map(\.type)
        == [.faultCleared])
    #expect(hear(Self.report("failing"), at: 1002).isEmpty)
    hear(HealthReport(component: "starting", state: .starting), at: 1003)
    hear(Self.report("other", .failed, "worse"), at: 1004)
    #expect(raised(at: 1014).map(\.facts["code"]) == ["worse"])
    #expect(raised(at: 1599).isEmpty)
    let (events, changes) = watch.raiseDue(at: .seconds(1600))
    #expect(events.map(\.facts["component"]) == ["silent"])
    #expect(events.map(\.facts["state"]) == ["unused"])
    #expect(changes == [Self.row(Self.report("silent")).removal])
    #expect(watch.faults.map(\.component) == ["failing", "other", "starting"])
    #expect(watch.nextWake == nil && raised(at: 9999).isEmpty)
  }

  @Test("Rows of others and rows that cannot be read are no faults")
  mutating func rows() {
    let others = [
      Self.row(Self.report("a"), engine: "guards"),
      EngineRow(
        engine: "core", subject: "gateway", name: "boot", content: Self.report("b").json),
      EngineRow(engine: "core", subject: "gateway", name: "fault:c", content: ["component": "c"]),
    ]
    watch = FaultWatch(delaySeconds: 10, rows: others, language: .en, at: .seconds(0))
    #expect(watch.faults.isEmpty && watch.nextWake == nil)
  }

  @Test("What is certain is due at once, also where it was waited for before")
  mutating func certain() {
    hear(Self.report("guardians"), at: 0)
    _ = watch.handle(Self.report("guardians"), isCertain: true, at: .seconds(2))
    #expect(watch.nextWake == .seconds(2))
    #expect(raised(at: 2).map(\.signal) == [nil])
    #expect(watch.faults.map(\.component) == ["guardians"])
  }

  @Test("A fault that names people says so while it lasts, when it is over and after a restart")
  mutating func namesPeople() {
    var lost = Self.report("store", .failed, "rows-lost")
    lost.namesPeople = true
    hear(lost, at: 0)
    hear(Self.report("sound"), at: 0)
    #expect(raised(at: 10).map(\.facts["namesPeople"]) == [nil, true])
    watch = FaultWatch(delaySeconds: 10, rows: watch.rows, language: .en, at: .seconds(100))
    #expect(watch.faults.map(\.namesPeople) == [false, true])
    let over = hear(HealthReport(component: "store", state: .working), at: 110)
    #expect(over.map(\.facts["namesPeople"]) == [true])
  }

  @Test("An alarm about a fault, which every plugin sees, names nobody", arguments: [true, false])
  mutating func alarmsNameNobody(namesPeople: Bool) throws {
    var lost = HealthReport(
      component: "store", state: .failed, code: "rows-lost",
      detail: Message(verbatim: "Mary is lost."))
    lost.namesPeople = namesPeople
    hear(lost, at: 0)
    let event = try #require(raised(at: 10).first)
    #expect(event.facts["explanation"] == "Mary is lost.")
    guard case .found(let finding) = event.signal else {
      Issue.record("no alarm is raised")
      return
    }
    #expect(finding.explanation.contains("Mary") == !namesPeople && !finding.explanation.isEmpty)
    let over = try #require(hear(HealthReport(component: "store", state: .working), at: 20).first)
    #expect(over.signal != nil)
  }
}
