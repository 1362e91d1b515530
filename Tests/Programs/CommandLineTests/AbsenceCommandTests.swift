import Care
import CivilTime
import ControlSocket
import Door
import JSON
import Testing
import Texts

@Suite("Planned absences on the command line")
struct AbsenceCommandTests {
  private static let mary = Resident(id: "mary", name: "Mary", timeZone: "Europe/Oslo")

  private static func centre(id: AbsenceID = "day-centre") throws -> Absence {
    Absence(
      id: id, resident: "mary", name: "Day centre", days: .weekly([.monday, .friday]),
      from: try #require(TimeOfDay(text: "09:00")), until: try #require(TimeOfDay(text: "16:00")))
  }

  /// A gateway where it is a quarter past twelve in Oslo, on Monday, 23 November 2026.
  private func daemon(
    reply: JSONValue = ["isOn": true, "isClockTrusted": true], absences: [JSONValue] = []
  ) async throws -> FakeDaemon {
    let zone = SafeZone(
      id: "centre", resident: "mary", name: "Day centre",
      center: try #require(Coordinate(latitudeDegrees: 59, longitudeDegrees: 10)),
      radiusMeters: 40)
    return try await FakeDaemon { request in
      switch request.method {
      case .residentsList: .success([Self.mary.json])
      case .zonesList: .success([zone.json])
      case .absencesList: .success(.array(absences))
      case .status:
        .success(["clock": ["utc": "2026-11-23T11:15:42.000Z", "isTrusted": true]])
      case .command: .success(reply)
      default: .failure(ControlError(.unavailable, Message(verbatim: "no answer to this.")))
      }
    }
  }

  private func put(_ daemon: FakeDaemon) async throws -> Absence {
    let json = try #require(await daemon.commands.last)
    guard case .absence(.put(let absence)) = try Command.Request(json: json) else {
      throw ControlError(.failed, Message(verbatim: "no absence was put: \(json.serialized)"))
    }
    return absence
  }

  @Test(
    "What the options say becomes the absence, and is said in words",
    arguments: [
      (["--days", "mon,fri"], ["MO", "FR"], nil, "Monday, Friday, 09:00 to 16:00"),
      (["--daily"], ["MO", "TU", "WE", "TH", "FR", "SA", "SU"], nil, "every day, 09:00 to 16:00"),
      (["--on", "2026-12-24"], nil, "2026-12-24", "2026-12-24, 09:00 to 16:00"),
    ] as [([String], [String]?, String?, String)])
  func add(options: [String], days: [String]?, date: String?, words: String) async throws {
    let daemon = try await daemon()
    let outcome = try daemon.tool.run(
      ["absence", "add", "Day centre", "--from", "9:00", "--until", "16:00"] + options)
    #expect(outcome.code == 0, "\(outcome.errors)")
    let absence = try await put(daemon)
    #expect(absence.id == "day-centre" && absence.resident == "mary")
    #expect(absence.name == "Day centre" && absence.graceMinutes == 30 && absence.zone == nil)
    #expect(absence.days.weekdays?.map(\.iCalendarWord) == days)
    #expect(absence.json["on"]?.stringContent == date)
    #expect(
      outcome.output == """
        Mary is expected to be out: Day centre (day-centre), \(words).
        Outside of all safe zones 30 minutes after 16:00 is an alarm.
        It is on now.

        """)
    await daemon.stop()
  }

  @Test("Grace, zone and a second one of the name; what falls due meanwhile is named")
  func more() async throws {
    let daemon = try await daemon(
      reply: [
        "isOn": false, "isClockTrusted": true, "nextFrom": "2026-11-24T08:00:00.000Z",
        "routine": [
          ["title": "heart pill", "times": ["12:00", "14:00"]],
          ["title": "walk", "times": ["15:00"]],
        ],
      ], absences: [Self.centre().json])
    let outcome = try daemon.tool.run([
      "absence", "add", "Day centre", "--from", "09:00", "--until", "16:00", "--daily", "--grace",
      "5", "--zone", "day centre",
    ])
    #expect(outcome.code == 0, "\(outcome.errors)")
    let absence = try await put(daemon)
    #expect(absence.id == "day-centre-2" && absence.graceMinutes == 5 && absence.zone == "centre")
    #expect(outcome.output.contains("Next: 2026-11-24 09:00:00 CET\n"))
    #expect(
      outcome.output.contains(
        "Due meanwhile, and the reminder sounds at home: heart pill (12:00, 14:00); walk (15:00). "
          + "Somebody has to think of it.\n"))
    await daemon.stop()
  }

  @Test("The quick form is for now, by the gateway's clock")
  func until() async throws {
    let daemon = try await daemon()
    let outcome = try daemon.tool.run([
      "absence", "until", "16:00", "Day centre", "--resident", "mary",
    ])
    #expect(outcome.code == 0, "\(outcome.errors)")
    let absence = try await put(daemon)
    #expect(absence.from.text == "12:15" && absence.until.text == "16:00")
    #expect(absence.json["on"] == "2026-11-23")
    let late = try daemon.tool.run(["absence", "until", "12:15", "Day centre"])
    #expect(late.code == 2)
    #expect(late.errors.contains("12:15 is over already today; it is 12:15 where Mary lives."))
    await daemon.stop()
  }

  @Test("Without a trusted clock it says that nothing is hidden")
  func untrusted() async throws {
    let daemon = try await daemon(reply: ["isOn": false, "isClockTrusted": false])
    let outcome = try daemon.tool.run([
      "absence", "add", "x", "--from", "09:00", "--until", "16:00", "--daily",
    ])
    #expect(outcome.output.contains("clock is not set: until it is, this hides nothing"))
    await daemon.stop()
  }

  @Test(
    "Mistakes are named, and nothing is done",
    arguments: [
      (["add", "x", "--until", "16:00", "--daily"], "say from when until when"),
      (["add", "x", "--from", "25:00", "--until", "16:00", "--daily"], "\"25:00\" is no time"),
      (["add", "x", "--from", "09:00", "--until", "16:00"], "say on which days"),
      (
        ["add", "x", "--from", "09:00", "--until", "16:00", "--daily", "--on", "2026-12-24"],
        "--on and --daily do not go together"
      ),
      (
        ["add", "x", "--from", "09:00", "--until", "16:00", "--days", "mon,noday"],
        "\"noday\" is no day of the week"
      ),
      (
        ["add", "x", "--from", "09:00", "--until", "16:00", "--on", "2026-02-30"],
        "\"2026-02-30\" is no date"
      ),
      (
        ["add", "x", "--from", "09:00", "--until", "16:00", "--daily", "--grace", "300"],
        "from 0 to 240"
      ),
      (
        ["add", "x", "--from", "09:00", "--until", "16:00", "--daily", "--zone", "moon"],
        "there is no zone \"moon\""
      ),
      (["remove", "moon"], "there is no planned absence \"moon\""),
    ])
  func mistakes(words: [String], sentence: String) async throws {
    let daemon = try await daemon()
    let outcome = try daemon.tool.run(["absence"] + words)
    #expect(outcome.code == 2 || outcome.code == 4)
    #expect(outcome.errors.contains(sentence), "\(outcome.errors)")
    #expect(await daemon.commands.isEmpty)
    await daemon.stop()
  }

  @Test("The list, and removing by name, id or the beginning of it")
  func listAndRemove() async throws {
    let on = try Self.centre().json.setting("isOn", to: true)
      .setting("nextFrom", to: "2026-11-23T08:00:00.000Z")
    let next = try Self.centre(id: "visit").json.setting("isOn", to: false)
      .setting("nextFrom", to: "2026-11-27T08:00:00.000Z").setting("name", to: "Visit")
    let daemon = try await daemon(reply: ["removed": "visit"], absences: [on, next])
    let list = try daemon.tool.run(["absence", "list"]).output
    #expect(
      list.contains("Day centre") && list.contains("Monday, Friday, 09:00 to 16:00")
        && list.contains("on until 16:00") && list.contains("next 2026-11-27 09:00"), "\(list)")
    let json = try JSONValue(parsing: daemon.tool.run(["absence", "list", "--json"]).output)
    #expect(json == [on, next])
    for wanted in ["visit", "VISIT", "vis"] {
      let outcome = try daemon.tool.run(["absence", "remove", wanted])
      #expect(outcome.output == "Removed the planned absence Visit.\n", "\(outcome.errors)")
      #expect(
        await daemon.commands.last == ["action": "absence.remove", "target": "visit"])
    }
    await daemon.stop()
    let empty = try await self.daemon()
    #expect(try empty.tool.run(["absence", "list"]).output.hasPrefix("No absence is planned."))
    await empty.stop()
  }

  // MARK: Where somebody is

  private static let places:
    [(zones: [String], isOutside: Bool, isAway: Bool, now: String, text: String)] =
      [
        ([], true, true, "12:00", "outside, at Day centre until 16:00"),
        (["Day centre"], false, true, "12:00", "in Day centre until 16:00"),
        (["Sister"], false, true, "12:00", "in Sister, at Day centre until 16:00"),
        (["Home"], false, false, "08:05", "in Home, expected at Day centre until 16:00"),
        ([], true, true, "15:10", "outside, expected back from Day centre since 16:00"),
      ]

  @Test("Where somebody is, with where they are expected", arguments: places.indices)
  func whereabouts(_ index: Int) async throws {
    let place = Self.places[index]
    let tracking: JSONValue = [
      "isOn": true, "outside": .bool(place.isOutside),
      "zones": .array(place.zones.map { ["zoneName": .string($0), "presence": "inside"] }),
      "position": ["time": "2026-11-23T10:59:00.000Z"],
    ]
    let resident = Self.mary.json.setting("tracking", to: tracking).setting(
      "absence",
      to: [
        "name": "Day centre", "until": "2026-11-23T15:00:00.000Z", "untilLocal": "16:00",
        "isAway": .bool(place.isAway),
      ])
    let status: JSONValue = [
      "gateway": "hub", "uptimeSeconds": 1, "residents": [resident],
      "clock": [
        "utc": .string("2026-11-23T\(place.now):00.000Z"), "quality": "satellite",
        "isTrusted": true,
      ],
      "store": [:],
    ]
    let daemon = try await FakeDaemon { request in
      switch request.method {
      case .status: .success(status)
      case .residentsList: .success([Self.mary.json])
      default: .success([])
      }
    }
    let shown = try daemon.tool.run(["status"])
    #expect(shown.output.contains("  \(place.text)  "), "\(shown)")
    let today = try daemon.tool.run(["today"]).output
    #expect(today.contains("Where     \(place.text),") || today.contains(place.text), "\(today)")
    await daemon.stop()
  }
}
