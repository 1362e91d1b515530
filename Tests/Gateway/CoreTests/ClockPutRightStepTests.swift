import Care
import Core
import JSON
import Moments
import Recurrence
import Testing

/// The whole core, rebuilt from what is stored, after a trusted clock that was four years ahead.
@Suite struct ClockPutRightStepTests {
  private static let ahead: Int64 = 4 * 365 * 86_400_000

  private func wake(_ house: inout CoreFixture, forMinutes minutes: Int64) -> [Event] {
    let end = house.now.tick.advanced(byMilliseconds: minutes * 60_000)
    var events: [Event] = []
    while let next = house.core.nextWake, next <= end {
      let wait = max(0, next.milliseconds(since: house.now.tick))
      events += house.step(.wake, afterSeconds: Double(wait) / 1000).events
    }
    house.now = house.now.advanced(byMilliseconds: max(0, end.milliseconds(since: house.now.tick)))
    return events
  }

  private func setClock(by milliseconds: Int64, _ house: inout CoreFixture) {
    house.now.utc = house.now.utc.advanced(byMilliseconds: milliseconds)
    house.step(
      .observation(
        .clock(ClockReport(quality: .synchronised, stepMilliseconds: milliseconds))))
  }

  /// The gateway starts again from what is stored, by the right clock.
  private func restart(_ house: inout CoreFixture, isNewBoot: Bool) {
    house.now.utc = house.now.utc.advanced(byMilliseconds: -Self.ahead)
    if isNewBoot { house.now.tick = .seconds(30) }
    house.core = GatewayCore(
      stored: house.core.storedState, configuration: house.core.configuration, seed: 5,
      boot: isNewBoot ? "c" : "b", at: house.now)
    house.step(.started(version: "0"))
    house.step(.timeZone(name: "Australia/Darwin", file: RoutineStepTests.darwin))
  }

  @Test(
    "What is due, what was asked for and who is told go on within their own times",
    arguments: [false, true])
  func everything(isNewBoot: Bool) throws {
    var house = CoreFixture()
    house.step(.started(version: "0"))
    house.step(.timeZone(name: "Australia/Darwin", file: RoutineStepTests.darwin))
    house.perform(
      .putResident(Resident(id: "mary", name: "Mary", timeZone: "Australia/Darwin")))
    house.perform(
      .putGuardian(
        Guardian(id: "anna", resident: "mary", name: "Anna", phone: "+4791234567")))
    house.perform(
      .routine(
        .put(
          RoutineItem(
            id: "drink", resident: "mary", kind: .routine, title: "Drink",
            schedule: .elapsed(
              ElapsedSchedule(
                everyMinutes: 60, first: CivilDateTime(year: 2026, month: 1, day: 1),
                timeZone: "Australia/Darwin"))), revision: nil)))
    setClock(by: Self.ahead, &house)
    _ = wake(&house, forMinutes: 5)
    house.perform(.routine(.answer("drink", slot: nil, .done)))
    let kiosk = Principal(channel: .plugin, name: "mqtt/kiosk")
    let help = Command.Request.alarm(
      .raise(resident: "mary", kind: .sos, trigger: .backend, text: ""))
    house.perform(help, id: "R", by: kiosk, expiresIn: 60)
    _ = wake(&house, forMinutes: 2)
    restart(&house, isNewBoot: isNewBoot)
    let replayed = house.perform(help, id: "R", by: kiosk, expiresIn: 60)
    #expect(!replayed.events.contains { $0.type == .alarmRaised || $0.type == .alarmRepeated })
    let told = house.results.flatMap(\.actions).count
    let events = wake(&house, forMinutes: 62)
    #expect(events.contains { $0.type == .reminderDue && $0.facts["item"] == "drink" })
    // Nobody took charge: the telling goes on.
    let since = house.results.flatMap(\.actions).dropFirst(told)
    #expect(
      since.contains {
        if case .notify(let message) = $0 { message.notice == .alarm } else { false }
      })
    let taken = house.perform(
      .alarm(.acknowledge(alarm: nil, by: nil)), by: Self.anna, freshFor: 30)
    #expect(taken.events.contains { $0.type == .alarmAcknowledged })
  }

  private static let anna = Principal(channel: .plugin, name: "mqtt/anna")
}
