import Care
import Core
import Foundation
import JSON
import Moments
import Recurrence
import Testing
import Texts

@Suite("The routine in the core")
struct RoutineStepTests {
  /// It is 20:36:40 there at the start of the fixture.
  static let darwin: [UInt8] = {
    let url = URL(fileURLWithPath: "/usr/share/zoneinfo/Australia/Darwin")
    guard let data = try? Data(contentsOf: url) else { preconditionFailure("tzdata is needed") }
    return [UInt8](data)
  }()

  private func house(buttons: [ButtonBinding] = []) -> CoreFixture {
    var house = CoreFixture(
      configuration: CoreConfiguration(gateway: "test", buttons: buttons))
    house.step(.started(version: "0"))
    house.step(.timeZone(name: "Australia/Darwin", file: Self.darwin))
    // Without a receiver: one that reports nothing would be a fault of its own.
    house.perform(
      .putResident(Resident(id: "mary", name: "Mary", timeZone: "Australia/Darwin")))
    return house
  }

  /// An item that is due every hour at the full hour.
  private func hourly(_ id: RoutineItemID = "pill", isCritical: Bool = true) throws -> RoutineItem {
    RoutineItem(
      id: id, resident: "mary", kind: .medicine, title: "heart pill", isCritical: isCritical,
      schedule: .calendar(
        CalendarSchedule(
          start: CivilDateTime(year: 2026, month: 1, day: 1),
          rule: try RecurrenceRule(text: "FREQ=HOURLY"), timeZone: "Australia/Darwin")))
  }

  private func wake(_ house: inout CoreFixture, forSeconds seconds: Double) -> [Event] {
    let end = house.now.tick.advanced(byMilliseconds: Int64(seconds * 1000))
    var events: [Event] = []
    while let next = house.core.nextWake, next <= end {
      let wait = max(0, next.milliseconds(since: house.now.tick))
      events += house.step(.wake, afterSeconds: Double(wait) / 1000).events
    }
    let rest = end.milliseconds(since: house.now.tick)
    house.now = house.now.advanced(byMilliseconds: max(0, rest))
    return events
  }

  @Test("A critical medicine becomes an alarm through the alarm engine, and done ends it")
  func criticalMedicine() throws {
    var house = house()
    let reply = house.perform(.routine(.put(try hourly(), revision: nil))).reply
    guard case .done(let result) = reply else {
      Issue.record("refused: \(String(describing: reply))")
      return
    }
    #expect(result["revision"]?.integerContent == 1)
    var events = wake(&house, forSeconds: 3600)
    #expect(events.contains { $0.type == .reminderDue })
    let raised = try #require(events.first { $0.type == .alarmRaised })
    #expect(raised.facts["kind"]?.stringContent == "medicine", "\(raised.facts.serialized)")
    #expect(!house.core.alarms.summaries().isEmpty)
    events = house.perform(.routine(.answer("pill", slot: nil, .done))).events
    #expect(events.contains { $0.type == .medicineSettled })
    #expect(events.contains { $0.type == .alarmResolved })
    #expect(house.core.alarms.summaries().isEmpty)
  }

  @Test("A press answers the reminder that sounds, a double press declines it, a hold is an SOS")
  func buttons() throws {
    var house = house()
    house.perform(.routine(.put(try hourly(isCritical: false), revision: nil)))
    house.perform(.putSetting(resident: "mary", name: "reminderQuietHours", value: "none"))
    func press(_ gesture: ButtonGesture) -> StepResult {
      house.step(
        .observation(
          .button(ButtonReport(button: "wired", gesture: gesture, edge: house.now.tick))),
        afterSeconds: 1)
    }
    #expect(press(.press).actions.contains { Self.isClock($0) })
    _ = wake(&house, forSeconds: 4200)
    var result = press(.press)
    // Nothing has sounded for two minutes.
    #expect(result.actions.contains { Self.isClock($0) })
    while !result.events.contains(where: { $0.type == .reminderDue }) {
      let wait = max(0, try #require(house.core.nextWake).milliseconds(since: house.now.tick))
      result = house.step(.wake, afterSeconds: Double(wait) / 1000)
    }
    #expect(press(.double).events.map(\.type) == [.reminderNotNow])
    result = StepResult()
    while !result.events.contains(where: { $0.type == .reminderDue }) {
      let wait = max(0, try #require(house.core.nextWake).milliseconds(since: house.now.tick))
      result = house.step(.wake, afterSeconds: Double(wait) / 1000)
    }
    #expect(press(.press).events.map(\.type) == [.reminderDone])
    #expect(press(.press).actions.contains { Self.isClock($0) })
    #expect(press(.hold).events.contains { $0.type == .alarmRaised })
  }

  @Test("A fault of her receiver that may pass by itself does not take the double press away")
  func doublePressDuringFault() throws {
    var house = house()
    house.perform(
      .putResident(
        Resident(id: "mary", name: "Mary", timeZone: "Australia/Darwin", gpsSource: "gps")))
    house.perform(.putSetting(resident: "mary", name: "reminderQuietHours", value: "none"))
    house.perform(.putSetting(resident: "mary", name: "faultPatienceSeconds", value: 86_400))
    house.perform(.routine(.put(try hourly(isCritical: false), revision: nil)))
    var result = StepResult()
    while !result.events.contains(where: { $0.type == .reminderDue }) {
      let wait = max(0, try #require(house.core.nextWake).milliseconds(since: house.now.tick))
      result = house.step(.wake, afterSeconds: Double(wait) / 1000)
    }
    let waiting = house.core.alarms.summaries().filter {
      $0["resident"]?.stringContent == "mary" && $0["stage"]?.stringContent == "prealarm"
    }
    #expect(waiting.map { $0["kind"]?.stringContent } == ["fault"])
    let press = ButtonReport(button: "wired", gesture: .double, edge: house.now.tick)
    result = house.step(.observation(.button(press)), afterSeconds: 1)
    #expect(result.events.map(\.type) == [.reminderNotNow])
  }

  private static func isClock(_ action: Action) -> Bool {
    if case .play(let request) = action { request.id == "clock" } else { false }
  }

  @Test("Two changes at once: the second is refused, and an event holds both")
  func conflict() throws {
    var house = house()
    house.perform(.routine(.put(try hourly(), revision: nil)))
    house.perform(.routine(.put(try hourly(), revision: 1)))
    let result = house.perform(.routine(.put(try hourly(), revision: 1)))
    #expect(result.reply?.refusalCode == .conflict)
    #expect(result.events.map(\.type) == [.changeConflict])
  }

  @Test("A zone that is not on this machine is a fault until it is there again")
  func zoneFault() throws {
    var house = house()
    house.perform(.routine(.put(try hourly(), revision: nil)))
    // After an upgrade that lost the zone's file.
    var next = CoreFixture(stored: house.core.storedState, at: house.now)
    next.step(.started(version: "0"))
    let events = wake(&next, forSeconds: 30)
    let fault = try #require(events.first { $0.type == .faultRaised })
    #expect(fault.facts["component"]?.stringContent == "routine/zone")
    #expect(fault.facts["explanation"]?.stringContent?.contains("Australia/Darwin") == true)
    #expect(next.core.routine.summaries(of: "mary", at: next.now).count == 1)
    let result = next.step(.timeZone(name: "Australia/Darwin", file: Self.darwin))
    #expect(result.events.map(\.type).contains(.faultCleared))
  }

  @Test(
    "What the core holds of the routine makes the same core again, and an erased resident leaves nothing"
  )
  func stored() throws {
    var house = house()
    house.perform(.routine(.put(try hourly(), revision: nil)))
    _ = wake(&house, forSeconds: 5000)
    let state = house.core.storedState
    #expect(state.routineItems.count == 1 && !state.occurrences.isEmpty)
    let read = try StoredState(json: state.json)
    #expect(read.routineItems == state.routineItems && read.occurrences == state.occurrences)
    var next = CoreFixture(stored: state, configuration: house.core.configuration, at: house.now)
    next.step(.started(version: "0"))
    #expect(next.core.storedState.occurrences == state.occurrences)
    house.perform(.eraseResident("mary"))
    #expect(house.core.storedState.routineItems.isEmpty)
    #expect(!house.core.storedState.engineRows.contains { $0.subject == "mary" })
  }

  @Test("A reminder that nobody can hear is told as one that was not heard")
  func unheard() throws {
    var house = house()
    house.perform(.routine(.put(try hourly(isCritical: false), revision: nil)))
    house.perform(.putSetting(resident: "mary", name: "reminderQuietHours", value: "none"))
    func prompted() -> Event? {
      wake(&house, forSeconds: 3600).first { $0.type == .reminderPrompted }
    }
    #expect(prompted()?.facts["isSilent"] == false)
    house.step(
      .observation(
        .health(
          HealthReport(
            component: "sound", state: .failed, code: "no-card", detail: Message("No card.")))))
    let told = try #require(prompted())
    #expect(told.facts["isSilent"] == true)
    #expect(
      told.facts["explanation"]
        == "heart pill is due, but nothing can be heard in the room: remind Mary yourself.")
  }

  @Test("Settings of reminders are put, listed and refused like the others")
  func settings() {
    var house = house()
    house.perform(.putSetting(resident: "mary", name: "reminderAttempts", value: 2))
    #expect(house.core.settings.inForce(for: "mary")["reminderAttempts"]?.integerContent == 2)
    let refused = house.perform(
      .putSetting(resident: "mary", name: "reminderAttempts", value: 50))
    #expect(refused.reply?.refusalCode == .invalid)
  }
}
