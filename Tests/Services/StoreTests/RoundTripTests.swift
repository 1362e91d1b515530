import Care
import Foundation
import JSON
import Loop
import Ports
import TestSupport
import Testing
import Tracking

@testable import Store

@Suite struct RoundTripTests {
  let directory: TemporaryDirectory
  var options: SQLiteStore.Options { .test(directory.path(of: "store")) }

  init() throws { directory = try TemporaryDirectory() }

  @Test func committedEventsAreReadBackByteForByteInTheOrderSubmitted() async throws {
    let store = try SQLiteStore.open(options)
    let events = (1...300).map { Make.event($0, $0 % 7 == 0 ? .alarm : .record) }
    for event in events.dropLast() { store.submit(StepRecord(events: [event])) { _ in } }
    let outcome = await store.commit(StepRecord(events: events.suffix(1)))
    #expect(outcome == .committed(LaneHeads(alarm: 294, record: 300, trace: 0)))
    let alarms = try await store.rows(.alarm)
    let records = try await store.rows(.record)
    #expect(alarms.map(\.body) == events.filter { $0.lane == .alarm }.map(\.body))
    #expect(records.map(\.body) == events.filter { $0.lane == .record }.map(\.body))
    #expect((alarms + records).map(\.sequence).sorted() == Array(1...300))
    await store.close()
  }

  @Test func everythingThatARunStartsFromComesBackWithAnyText() async throws {
    let name = "王芳 “Zoë” O'Neill'); DROP TABLE journal;-- 🏠👵🏽\u{0301}\u{202E}"
    let resident = Resident(
      id: "mary", name: name, timeZone: "Asia/Shanghai", gpsSource: "gps")
    let bookmark = Bookmark(
      id: "b", resident: "mary", name: name, address: "\"\n\t\\", coordinate: Make.home)
    let row = EngineRow(
      engine: "tracking", subject: "mary", name: "fix", content: ["note": .string(name), "n": 1.5])
    let store = try SQLiteStore.open(options)
    let outcome = await store.commit(
      StepRecord(
        events: [Make.event(1, facts: ["name": .string(name)])],
        changes: [
          .putResident(resident), .putZone(Make.zone("home", name: name)), .putBookmark(bookmark),
          .putSetting(
            resident: "mary", name: "interval", value: [1, "x", nil as JSONValue? ?? .null]),
          .putEngineRow(row), .addLocationRecord(Make.location(1)),
          .addLocationSample(Make.location(2)),
        ]))
    #expect(outcome == .committed(LaneHeads(record: 1)))
    await store.close()
    let again = try SQLiteStore.open(options)
    #expect(again.loaded.residents == [resident])
    #expect(again.loaded.zones == [Make.zone("home", name: name)])
    #expect(again.loaded.bookmarks == [bookmark])
    #expect(again.loaded.settings.map(\.value) == [[1, "x", .null]])
    #expect(again.loaded.engineRows == [row])
    #expect(again.loaded.heads == LaneHeads(record: 1))
    let found = try await again.found("event-1")
    #expect(found?.body == Make.event(1, facts: ["name": .string(name)]).body)
    await again.close()
  }

  @Test("That leaving a zone is an alarm is kept beside the zone, and goes with it")
  func alarmOnLeaving() async throws {
    var centre = Make.zone("centre")
    centre.alarmsOnLeaving = true
    let home = Make.zone("home")
    func zones(after changes: [StateChange]) async throws -> [SafeZone] {
      let store = try SQLiteStore.open(options)
      _ = await store.commit(StepRecord(events: [], changes: changes))
      await store.close()
      let again = try SQLiteStore.open(options)
      #expect(again.loaded.engineRows.isEmpty)
      let zones = again.loaded.zones
      await again.close()
      return zones
    }
    #expect(try await zones(after: [.putZone(home), .putZone(centre)]) == [centre, home])
    #expect(try await zones(after: [.putZone(centre)]) == [centre, home])
    #expect(try await zones(after: [.removeZone("centre")]) == [home])
    let quiet = Make.zone("centre")
    #expect(try await zones(after: [.putZone(quiet)]) == [quiet, home])
    #expect(try await zones(after: [.putZone(centre), .putZone(quiet)]) == [quiet, home])
  }
}
