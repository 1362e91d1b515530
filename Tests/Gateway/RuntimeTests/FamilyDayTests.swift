import Care
import CivilTime
import JSON
import Loop
import LoopTestSupport
import Moments
import Ports
import Recurrence
import Store
import Testing
import WalkSimulator

/// A day of two residents, told by the runtime and the store as they ship, in a moment.
@Suite("A family's day", .inVirtualTime, .timeLimit(.minutes(5))) @LoopActor
struct FamilyDayTests {
  private let home: Coordinate
  private let house: FamilyHouse

  init() throws {
    home = try #require(Outing.nowhere)
    house = try FamilyHouse(at: "2026-11-23T06:30:00.000Z")
  }

  /// Mary, who walks, and John, with three zones and four guardians.
  private func moveIn() async throws {
    try await house.ask(
      .putResident(Resident(id: "mary", name: "Mary", timeZone: "Etc/UTC", gpsSource: "gps")))
    try await house.ask(.putResident(Resident(id: "john", name: "John", timeZone: "Etc/UTC")))
    // Without a receiver nobody knows where she is, which is another story.
    try await house.ask(.putSetting(resident: "mary", name: "positionAlarm", value: false))
    let sister = home.moved(meters: 3000, bearingDegrees: 200)
    for zone in [
      SafeZone(
        id: "home", resident: "mary", name: "Home", center: home, radiusMeters: 25, isHome: true),
      SafeZone(
        id: "sister", resident: "mary", name: "Her sister", center: sister, radiusMeters: 25),
      SafeZone(
        id: "john-home", resident: "john", name: "Home", center: home, radiusMeters: 25,
        isHome: true),
    ] {
      try await house.ask(.putZone(zone))
    }
    for guardian in [
      Guardian(
        id: "anna", resident: "mary", name: "Anna", phone: "+4791234567", push: "anna",
        withoutChannels: [.voice]),
      Guardian(
        id: "bob", resident: "mary", name: "Bob", phone: "+4791234568", withoutChannels: [.voice],
        tier: 2, isCaregiver: true),
      Guardian(id: "carl", resident: "john", name: "Carl", email: "carl@example.org"),
      Guardian(
        id: "dora", resident: "john", name: "Dora", phone: "+4791234569",
        withoutChannels: [.voice], tier: 2, isCaregiver: true),
    ] {
      try await house.ask(.putGuardian(guardian))
    }
  }

  private func daily(_ time: String) throws -> Schedule {
    .calendar(
      CalendarSchedule(
        start: try CivilDateTime(localText: "2026-01-01T00:00"),
        rule: try RecurrenceRule(text: "FREQ=DAILY"),
        times: [try #require(TimeOfDay(text: time))], timeZone: "Etc/UTC"))
  }

  private func putPills() async throws {
    for (id, time) in [("morning", "08:00"), ("evening", "20:00")] {
      let item = RoutineItem(
        id: RoutineItemID(id), resident: "mary", kind: .medicine, title: "the \(id) tablet",
        schedule: try daily(time))
      try await house.ask(.routine(.put(item, revision: nil)))
    }
  }

  /// The milliseconds from a moment to each telling.
  private func offsets(
    _ tellings: [FamilyPlugins.Telling], since time: String
  ) throws -> [Int64] {
    let start = try Timestamp(iso8601: time)
    return tellings.map { $0.time.milliseconds(since: start) }
  }

  @Test("A dose taken early, a walk that is noticed, and a night alarm without the internet")
  func day() async throws {
    try await moveIn()
    try await putPills()
    try await doseBeforeItsTime()
    try await walkInTheMorning()
    try await house.wait(until: "2026-11-23T20:00:01.000Z")
    #expect(
      house.times(of: .reminderDue) == ["2026-11-23T20:00:00.000Z"], "the morning's was taken")
    try await nightAlarm()
    await house.stop()
    try await whatIsKept()
  }

  private func doseBeforeItsTime() async throws {
    try await house.wait(until: "2026-11-23T07:10:00.000Z")
    let answer = try await house.ask(.routine(.answer("morning", slot: nil, .done)))
    #expect(answer["isEarly"] == true)
    #expect(house.times(of: .reminderDone) == ["2026-11-23T07:10:00.000Z"])
  }

  /// 400 m at a cyclist's pace, four minutes and more at its end, and back.
  private func walkInTheMorning() async throws {
    try await house.wait(until: "2026-11-23T10:00:00.000Z")
    let plan = Outing.Plan(
      secondsAtHome: 60, pathMeters: 400, speedMetersPerSecond: 6, secondsAway: 260)
    let outing = Outing(seed: 3, home: home, plan: plan)
    await house.walk(outing, seconds: outing.secondsUntilReturn + 180, receiver: "gps")
    let raised = try #require(
      house.happenings.first { $0.type == .alarmRaised && $0.data["kind"] == "zone" })
    let alarm = AlarmID(raised.id.rawValue)
    // She leaves at a minute past ten, and is out of sight of her home a minute later.
    let left = raised.time.milliseconds(since: try Timestamp(iso8601: "2026-11-23T10:01:00.000Z"))
    #expect((10_000...120_000).contains(left), "\(left)")
    let anna = try offsets(house.tellings(to: "anna", of: alarm), since: raised.time.iso8601)
    #expect(anna.prefix(2) == [0, 0], "by text message and by push, at once")
    let bob = try offsets(house.tellings(to: "bob", of: alarm), since: raised.time.iso8601)
    #expect(bob.first == 180_000, "as nobody took charge in three minutes")
    // Again a minute after it was sent, which takes two seconds.
    #expect(zip(bob, bob.dropFirst()).allSatisfy { $1 - $0 == 62_000 })
    let over = try Timestamp(
      iso8601: try #require(house.times(of: .alarmResolved, about: alarm).first))
    for guardian in ["anna", "bob"] as [GuardianID] {
      let end = house.tellings(to: guardian, of: alarm, .cancelled)
      #expect(end.first?.time == over, "\(guardian) is told that she is back")
      #expect(house.tellings(to: guardian, of: alarm).allSatisfy { $0.time <= over })
    }
  }

  private func nightAlarm() async throws {
    try await house.wait(until: "2026-11-24T02:50:00.000Z")
    house.plugins.isOnline = false
    try await house.wait(until: "2026-11-24T03:00:00.000Z")
    let reply = try await house.ask(
      .alarm(.raise(resident: "john", kind: .sos, trigger: .commandLine, text: "")))
    let alarm = AlarmID(try #require(reply["alarm"]?.stringContent))
    try await house.wait(until: "2026-11-24T03:04:00.000Z")
    try await house.ask(.alarm(.acknowledge(alarm: alarm.rawValue, by: "dora")))
    try await house.wait(until: "2026-11-24T03:20:00.000Z")
    try await house.ask(
      .alarm(.resolve(alarm: alarm.rawValue, by: "dora", reason: "He is well.")))
    try await house.wait(until: "2026-11-24T04:00:00.000Z")
    let start = "2026-11-24T03:00:00.000Z"
    // Ten seconds in which he could have cancelled, then again and again, less often each time.
    let carl = house.tellings(to: "carl", of: alarm)
    #expect(
      try offsets(carl, since: start)
        == [10_000, 13_000, 18_000, 25_000, 40_000, 70_000, 130_000, 190_000])
    #expect(carl.allSatisfy { !$0.isTaken && $0.message.channel == .email })
    let dora = house.tellings(to: "dora", of: alarm)
    #expect(try offsets(dora, since: start) == [190_000], "after three minutes, and only once")
    #expect(dora.allSatisfy { $0.isTaken && $0.message.channel == .sms })
    let strangers = house.plugins.tellings.filter {
      $0.message.alarm == alarm && ["anna", "bob"].contains($0.message.guardian)
    }
    #expect(strangers.isEmpty)
    #expect(house.times(of: .alarmEscalated, about: alarm) == ["2026-11-24T03:03:10.000Z"])
    #expect(house.times(of: .alarmAcknowledged, about: alarm) == ["2026-11-24T03:04:00.000Z"])
    #expect(house.times(of: .alarmResolved, about: alarm) == ["2026-11-24T03:20:00.000Z"])
  }

  /// Another store finds people, zones and every event in their order.
  private func whatIsKept() async throws {
    let store = try SQLiteStore.open(FamilyHouse.options(house.directory))
    #expect(store.loaded.residents.map(\.id).sorted() == ["john", "mary"])
    #expect(store.loaded.zones.count == 3 && store.loaded.guardians.count == 4)
    let rows = await withLoopContinuation { continuation in
      store.read(lane: .alarm, after: 0, limit: 10_000, maximumBytes: .max) {
        continuation.resume(returning: $0)
      }
    }
    #expect(try rows.get().map(\.id) == house.happenings.filter { $0.lane == .alarm }.map(\.id))
    await withLoopContinuation { continuation in store.close { continuation.resume() } }
  }
}
