import Care
import ControlSocket
import Door
import Foundation
import JSON
import Moments
import Recurrence
import TestSupport
import Testing

/// The routine through the real daemon, its socket and its database.
@Suite(.serialized) struct RoutineEndToEndTests {
  /// The local time in Oslo so many minutes from now, without seconds.
  private static func local(minutes: Double) throws -> CivilDateTime {
    let formatter = DateFormatter()
    formatter.locale = Locale(identifier: "en_US_POSIX")
    formatter.timeZone = TimeZone(identifier: "Europe/Oslo")
    formatter.dateFormat = "yyyy-MM-dd'T'HH:mm"
    let text = formatter.string(from: Date(timeIntervalSinceNow: minutes * 60))
    return try CivilDateTime(localText: text)
  }

  private static func clock(minutes: Double) throws -> String {
    String(try local(minutes: minutes).localText.dropFirst(11).prefix(5))
  }

  private static func item(
    _ id: RoutineItemID, _ kind: RoutineItem.Kind, minutes: Double
  ) throws -> RoutineItem {
    RoutineItem(
      id: id, resident: "mary", kind: kind, title: id.rawValue,
      schedule: .calendar(
        CalendarSchedule(
          start: try local(minutes: minutes), rule: .every(.daily), timeZone: "Europe/Oslo")))
  }

  private static func due(_ house: TalkingGateway, _ id: String) throws -> Occurrence? {
    try house.call(.occurrencesQuery, ["resident": "mary", "limit": 100]).arrayContent?
      .map { try Occurrence(json: $0) }.first { $0.item.rawValue == id }
  }

  private static func summary(_ house: TalkingGateway, _ id: String) throws -> JSONValue? {
    try house.call(.routineList, ["resident": "mary"]).arrayContent?
      .first { $0["id"]?.stringContent == id }
  }

  @Test("Medicine in quiet hours is asked at its time, also after a power cut; the rest waits")
  func quietHours() throws {
    let house = try TalkingGateway()
    let hours = try "\(Self.clock(minutes: -180))-\(Self.clock(minutes: 180))"
    try house.perform(
      .putSetting(resident: "mary", name: "reminderQuietHours", value: .string(hours)))
    let reply = try house.perform(
      .routine(.put(Self.item("pill", .medicine, minutes: 1), revision: nil)))
    #expect(reply["inQuietHours"] == "ask" && reply["nextInQuietHours"]?["own"] != nil)
    let moved = try house.perform(
      .routine(.put(Self.item("plants", .routine, minutes: 1), revision: nil)))
    #expect(moved["inQuietHours"] == "nearest")
    house.gateway.kill()
    try house.start()
    let isAsked = Eventually.holds(withinSeconds: 100) {
      (try? Self.due(house, "pill"))??.prompts == 1
    }
    #expect(isAsked, "\(house.gateway.log)")
    #expect(try Self.due(house, "plants") == nil)
    #expect(try Self.summary(house, "plants")?["nextInsteadOf"] != nil)
  }

  @Test("A dose taken early counts for the coming time, once, and can be taken back until then")
  func early() throws {
    let house = try TalkingGateway()
    var item = try Self.item("pill", .medicine, minutes: 90)
    item.stock = Stock(units: 20, unitsPerDose: UnitCount(hundredths: 150))
    try house.perform(.routine(.put(item, revision: nil)))
    let done = Command.Request.routine(.answer("pill", slot: nil, .done))
    let reply = try house.perform(done)
    #expect(reply["isEarly"] == true && reply["state"] == "done")
    #expect(try Self.summary(house, "pill")?["stock"]?["units"] == 18.5)
    #expect(throws: ControlError.self) { try house.perform(done) }
    house.gateway.kill()
    try house.start()
    #expect(throws: ControlError.self) { try house.perform(done) }
    #expect(try Self.summary(house, "pill")?["state"] == "done")
    try house.perform(.routine(.answer("pill", slot: nil, .undo)))
    #expect(try Self.summary(house, "pill")?["state"] == "waiting")
    #expect(try Self.summary(house, "pill")?["stock"]?["units"] == 20)
    try house.perform(.routine(.answer("pill", slot: nil, .skip(reason: "doctor"))))
    #expect(try Self.due(house, "pill")?.state == .skipped)
  }

  @Test("The same event from two calendars is there once, and is free again when the first is gone")
  func twoCalendars() throws {
    let house = try TalkingGateway()
    func items(_ source: String) throws -> [RoutineItem] {
      try ["u1", "u2"].map { name in
        var item = try Self.item(RoutineItemID("\(source)-\(name)"), .appointment, minutes: 300)
        item.source = source
        item.event = name
        return item
      }
    }
    func replace(_ source: String, _ items: [RoutineItem]) throws -> JSONValue {
      try house.perform(.routine(.replace(resident: "mary", source: source, items: items)))
    }
    _ = try replace("family", items("family"))
    let again = try replace("plugin", items("plugin"))
    #expect(again["items"] == 0 && again["alreadyThere"]?.arrayContent?.count == 2)
    #expect(again["alreadyThere"]?.arrayContent?.first?["source"] == "family")
    #expect(try house.call(.routineList, ["resident": "mary"]).arrayContent?.count == 2)
    _ = try replace("family", [])
    #expect(try replace("plugin", items("plugin"))["items"] == 2)
  }
}
