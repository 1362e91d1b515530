import Care
import JSON
import Testing
import Texts

@testable import Alarms

/// Alarms about safe zones: being outside of all of them, and leaving one that nobody may leave.
@Suite struct ZoneAlarmTests {
  private func zone(
    _ name: String, isOutside: Bool? = nil, presence: String? = nil, isWatched: Bool = false
  ) -> JSONValue {
    .object([
      "zone": .string(name.lowercased()), "zoneName": .string(name),
      "isOutside": isOutside.map { .bool($0) }, "presence": presence.map { .string($0) },
      "alarmOnLeaving": isWatched ? true : nil, "explanation": .string("Mary left \(name)."),
    ])
  }

  private func house() -> House { House(at: KindTests.noon) }

  /// Zone events one after the other, and what they do to alarms.
  private static let story: [(type: EventType, zone: String, isOutside: Bool, alarms: [String])] = [
    // From home to the sister and back.
    (.zoneLeft, "Home", true, ["alarm.raised", "alarm.dispatched"]),
    (.zoneEntered, "Sister", false, ["alarm.resolved"]),
    (.zoneLeft, "Sister", true, ["alarm.raised", "alarm.dispatched"]),
    (.zoneEntered, "Home", false, ["alarm.resolved"]),
    // The village lies around the home.
    (.zoneLeft, "Home", false, []),
    (.zoneLeft, "Village", true, ["alarm.raised", "alarm.dispatched"]),
    (.zoneEntered, "Village", false, ["alarm.resolved"]),
    (.zoneEntered, "Home", false, []),
    // Both at once.
    (.zoneLeft, "Home", true, ["alarm.raised", "alarm.dispatched"]),
    (.zoneLeft, "Village", true, []),
    (.zoneUncertain, "Village", true, []),
    (.zoneEntered, "Village", false, ["alarm.resolved"]),
  ]

  @Test("The alarm is about being outside of all safe zones, and being in any of them ends it")
  func everyZone() {
    var house = house()
    for (place, step) in Self.story.enumerated() {
      let before = house.types.count
      house.notice(step.type, zone(step.zone, isOutside: step.isOutside))
      #expect(Array(house.types.dropFirst(before)) == step.alarms, "step \(place)")
    }
    let closings = house.all(.alarmResolved).map(\.draft.explanation)
    #expect(
      closings == ["Is in Sister.", "Is in Home.", "Is back in Village.", "Is in Village."])
  }

  @Test("The story is the same when power fails after each step")
  func everyZoneWithPowerCuts() {
    var house = house()
    for (place, step) in Self.story.enumerated() {
      let before = house.types.count
      house.notice(step.type, zone(step.zone, isOutside: step.isOutside))
      #expect(Array(house.types.dropFirst(before)) == step.alarms, "step \(place)")
      house.cutPower()
    }
  }

  @Test("A zone drawn around somebody who is outside ends the alarm; certainty outside does not")
  func certain() {
    var house = house()
    house.notice(.zoneLeft, zone("Home", isOutside: true))
    house.notice(.zoneCertain, zone("Shop", isOutside: true, presence: "outside"))
    #expect(house.types.last == "alarm.dispatched")
    house.notice(.zoneCertain, zone("Sister", isOutside: false, presence: "inside"))
    #expect(house.types.last == "alarm.resolved")
  }

  @Test("Leaving a watched zone is an alarm inside another one, until that zone is entered again")
  func watched() {
    var house = house()
    house.notice(.zoneLeft, zone("Centre", isOutside: false, isWatched: true))
    #expect(house.types == ["alarm.raised", "alarm.dispatched"])
    house.notice(.zoneEntered, zone("Home", isOutside: false))
    #expect(house.types.last == "alarm.dispatched")
    house.notice(.zoneEntered, zone("Centre", isOutside: false))
    #expect(house.types.last == "alarm.resolved")
  }

  @Test("Outside of all and out of a watched zone: one alarm with two causes")
  func watchedAndOutside() {
    var house = house()
    house.notice(.zoneLeft, zone("Centre", isOutside: true, isWatched: true))
    #expect(house.types == ["alarm.raised", "alarm.dispatched"])
    house.notice(.zoneEntered, zone("Home", isOutside: false))
    #expect(house.engine.summaries().count == 1)
    house.notice(
      .zoneChanged,
      [
        "zone": "centre", "zoneName": "Centre", "change": "removed",
        "alarmOnLeaving": false, "zonesLeft": 1, "isOutside": false,
      ])
    #expect(house.types.last == "alarm.resolved")
    #expect(house.events.last?.draft.explanation == "The zone Centre was removed.")
  }

  @Test("A zone that is watched no more, and the last zone removed, end what they began and say so")
  func changes() {
    var house = house()
    house.notice(.zoneLeft, zone("Centre", isOutside: false, isWatched: true))
    house.notice(
      .zoneChanged,
      [
        "zone": "centre", "zoneName": "Centre", "change": "no-alarm-on-leaving",
        "alarmOnLeaving": false, "zonesLeft": 2, "isOutside": false,
      ])
    #expect(house.events.last?.draft.explanation == "Leaving Centre is no alarm any more.")
    house.notice(.zoneLeft, zone("Home", isOutside: true))
    house.notice(
      .zoneChanged,
      [
        "zone": "shop", "zoneName": "Shop", "change": "removed",
        "alarmOnLeaving": false, "zonesLeft": 1, "isOutside": true,
      ])
    #expect(house.types.last == "alarm.dispatched")
    house.notice(
      .zoneChanged,
      [
        "zone": "home", "zoneName": "Home", "change": "removed",
        "alarmOnLeaving": false, "zonesLeft": 0, "isOutside": false,
      ])
    #expect(house.types.last == "alarm.resolved")
    #expect(
      house.events.last?.draft.explanation
        == "The last safe zone was removed: there is none to be outside of.")
  }

  @Test("A record of the resident in a zone ends an alarm that an interrupted run left open")
  func record() {
    var house = house()
    house.notice(.zoneLeft, zone("Home", isOutside: true))
    house.notice(.locationRecorded, ["zones": [], "isOutside": true])
    #expect(house.types.last == "alarm.dispatched")
    house.notice(.locationRecorded, ["zones": ["Sister"], "isOutside": false])
    #expect(house.types.last == "alarm.resolved")
  }

  @Test("An alarm that an earlier version raised for one zone ends in any")
  func earlierVersion() throws {
    var house = house()
    house.notice(.zoneLeft, zone("Home", isOutside: true))
    let rows = house.storedRows.map { row in
      row.content["causes"] == nil
        ? row
        : EngineRow(
          engine: row.engine, subject: row.subject, name: row.name,
          content: row.content.setting("causes", to: ["zone:home", "zone:village"]))
    }
    #expect(rows.contains { $0.content["causes"] == ["zone:home", "zone:village"] })
    house.restart(rows: rows)
    house.notice(.zoneEntered, zone("Sister", isOutside: false))
    #expect(house.types.last == "alarm.resolved")
  }

  @Test("One resident's zones end nothing of another's")
  func twoResidents() {
    let bill = Resident(id: "bill", name: "Bill", timeZone: "Etc/UTC", gpsSource: "gps2")
    var house = House(residents: [House.mary, bill], at: KindTests.noon)
    house.notice(.zoneLeft, zone("Home", isOutside: true))
    house.notice(.zoneEntered, zone("Home", isOutside: false), of: "bill")
    #expect(house.engine.summaries().map { $0["resident"] } == ["mary"])
  }

  // MARK: Planned absences

  private func absence(_ reason: String? = nil, isAsked: Bool = false) -> JSONValue {
    .object([
      "absence": "day-centre", "absenceName": "Day centre", "untilLocal": "16:00",
      "isOutside": true, "isAsked": isAsked ? true : nil, "reason": reason.map { .string($0) },
      "explanation": "Mary was expected back from Day centre at 16:00.",
    ])
  }

  @Test("Who is expected to be out is no alarm, but a watched zone is one all the same")
  func expected() {
    var house = house()
    house.notice(.zoneLeft, zone("Home", isOutside: true).setting("isExpected", to: true))
    #expect(house.types.isEmpty)
    house.notice(
      .zoneLeft, zone("Centre", isOutside: true, isWatched: true).setting("isExpected", to: true))
    #expect(house.types == ["alarm.raised", "alarm.dispatched"])
    house.notice(.zoneEntered, zone("Centre", isOutside: false))
    #expect(house.types.last == "alarm.resolved")
  }

  @Test("Who was expected back is an alarm that says so, once, until they are in any zone")
  func overdue() {
    var house = house()
    house.notice(.absenceEnded, absence("overdue"))
    #expect(house.types == ["alarm.raised", "alarm.dispatched"])
    #expect(
      house.events.first?.draft.facts["text"] == "Mary was expected back from Day centre at 16:00.")
    house.notice(.absenceEnded, absence("overdue"))
    house.notice(.zoneLeft, zone("Village", isOutside: true))
    #expect(house.types.count == 2)
    house.cutPower()
    house.notice(.zoneEntered, zone("Home", isOutside: false))
    #expect(house.types.last == "alarm.resolved")
  }

  @Test("An open alarm ends when somebody says now that it is expected, and not by a plan")
  func plannedMeanwhile() {
    var house = house()
    house.notice(.zoneLeft, zone("Home", isOutside: true))
    house.notice(.absenceBegan, absence())
    #expect(house.types.last == "alarm.dispatched")
    house.notice(.absenceEnded, absence("removed"))
    #expect(house.types.count == 2, "it is an alarm already")
    house.notice(.absenceBegan, absence(isAsked: true))
    #expect(house.types.last == "alarm.resolved")
    #expect(
      house.events.last?.draft.explanation == "Is expected to be out: Day centre, until 16:00.")
  }

  @Test("Guardians are told in their own words what was expected")
  func words() {
    for (language, what) in [
      (Language.en, "ZONE Mary was expected back: 16:00 Day centre."),
      (.zh, "16:00 Day centre"),
    ] {
      var facts = MessageFacts(
        language: language, notice: .alarm, kind: .zone, tag: "A7K2", name: "Mary",
        plainName: "mary")
      facts.label = "16:00 Day centre"
      facts.isOverdue = true
      #expect(MessageText.text(facts).contains(what))
      #expect(Sentences.spoken(facts).contains("16:00 Day centre"))
    }
  }
}
