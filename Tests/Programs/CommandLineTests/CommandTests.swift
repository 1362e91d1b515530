import Care
import ControlSocket
import Door
import Foundation
import JSON
import Loop
import Testing
import Texts

private let mary = Resident(
  id: "mary", name: "Mary O'Neil", timeZone: "Europe/Oslo", gpsSource: "gps")
private let wang = Resident(id: "kq7x2m", name: "王奶奶 \"🏠\"", timeZone: "Asia/Shanghai")

/// Three settings as a gateway describes them: one changed, one not, one that is no number.
private let described: [JSONValue] = [
  Setting(
    name: "exitFixCount", group: .tracking, range: .whole(2...5),
    words: Message(verbatim: "How many.")
  ).json(in: .en).setting("value", to: 3).setting("default", to: 2),
  Setting(
    name: "unknownAlarmSeconds", group: .tracking, range: .whole(60...86_400), unit: .seconds,
    words: Message(verbatim: "How long.")
  ).json(in: .en).setting("value", to: 1800).setting("default", to: 1800),
  Setting(
    name: "glucoseLow", group: .glucose, range: .text(Message(verbatim: "a level with its unit")),
    words: Message(verbatim: "Below it is low.")
  ).json(in: .en).setting("value", to: "70 mg/dL").setting("default", to: "70 mg/dL"),
]

@Suite struct CommandTests {
  private func daemon(
    residents: [Resident] = [mary], zones: [SafeZone] = [], refusal: CommandReply.Refusal? = nil
  ) async throws -> FakeDaemon {
    try await FakeDaemon { request in
      switch request.method {
      case .residentsList: .success(.array(residents.map(\.json)))
      case .zonesList: .success(.array(zones.map(\.json)))
      case .bookmarksList: .success([])
      case .settingsDescribe: .success(.array(described))
      case .command: refusal.map { .failure(ControlError($0)) } ?? .success(["id": "x"])
      default: .failure(ControlError(.unavailable, Message(verbatim: "the store does not answer.")))
      }
    }
  }

  @Test func tablesAreAlignedForWideCharacters() async throws {
    let daemon = try await daemon(residents: [mary, wang])
    let outcome = try daemon.tool.run(["residents"])
    #expect(
      outcome.output == """
        ID      NAME         TIME ZONE      GPS  TRACKING
        mary    Mary O'Neil  Europe/Oslo    gps  -
        kq7x2m  王奶奶 "🏠"  Asia/Shanghai  -    -

        """)
    await daemon.stop()
  }

  @Test(
    "A zone is meant by its id, its name in any case, or the beginning of its id",
    arguments: ["day-centre", "Day centre", "DAY CENTRE", "day-c"])
  func zoneByName(name: String) async throws {
    let zones = try ["Day centre", "Park"].map {
      SafeZone(
        id: ZoneID($0 == "Park" ? "park" : "day-centre"), resident: "mary", name: $0,
        center: try place(1, 2), radiusMeters: 30)
    }
    let daemon = try await daemon(zones: zones)
    #expect(try daemon.tool.run(["zones", "remove", name]).code == 0)
    let request = try Command.Request(json: try #require(await daemon.commands.first))
    #expect(request == .removeZone("day-centre"))
    let unknown = try daemon.tool.run(["zones", "remove", "garden"])
    #expect(unknown.code == 4 && unknown.errors.contains("there is no zone \"garden\""))
    await daemon.stop()
  }

  @Test func aZoneIsAddedForTheOnlyResidentWithAnIdFromItsName() async throws {
    let old = SafeZone(
      id: "day-centre", resident: "mary", name: "Day centre", center: try place(1, 2),
      radiusMeters: 30)
    let daemon = try await daemon(zones: [old])
    let outcome = try daemon.tool.run([
      "zones", "add", "--name", "Day Centre!", "--at=-33.8568, 151.2153", "--radius", "80.5",
      "--home",
    ])
    #expect(outcome.code == 0, "\(outcome.errors)")
    #expect(outcome.output == "Added the zone Day Centre! of Mary O'Neil as day-centre-2.\n")
    let request = try Command.Request(json: try #require(await daemon.commands.first))
    #expect(
      request
        == .putZone(
          SafeZone(
            id: "day-centre-2", resident: "mary", name: "Day Centre!",
            center: try place(-33.8568, 151.2153),
            radiusMeters: 80.5, isHome: true)))
    await daemon.stop()
  }

  @Test("Whoever's locale counts in feet reads feet")
  func feet() async throws {
    let zone = SafeZone(
      id: "day-centre", resident: "mary", name: "Day centre", center: try place(1, 2),
      radiusMeters: 30)
    let daemon = try await daemon(zones: [zone])
    var tool = daemon.tool
    for (locale, radius) in [("en_US.UTF-8", "98 ft"), ("en_GB.UTF-8", "30 m"), ("C", "30 m")] {
      tool.environment["LC_ALL"] = locale
      let told = try tool.run(["zones"]).output
      #expect(told.contains(" \(radius) "), "\(told)")
    }
    await daemon.stop()
  }

  @Test(
    "A radius is told in metres or feet; what is neither is refused",
    arguments: [
      ("80", 80.0), ("80m", 80), ("80 m", 80), ("82ft", 24.9936), ("82 FT", 24.9936), ("ft", nil),
      ("80 yd", nil), ("1e400m", nil),
    ])
  func lengths(text: String, meters: Double?) async throws {
    let daemon = try await daemon()
    let outcome = try daemon.tool.run([
      "zones", "add", "--name", "Club", "--at", "1,2", "--radius", text,
    ])
    #expect(outcome.code == (meters == nil ? 2 : 0), "\(outcome.errors)")
    let zone = await daemon.commands.first?["zone"]
    #expect(zone?["radiusMeters"]?.doubleContent == meters)
    if meters == nil { #expect(outcome.errors.contains("25, 25m or 82ft")) }
    await daemon.stop()
  }

  @Test(
    "Whether leaving a zone is an alarm can be said when it is added and when it is changed",
    arguments: [
      (
        ["zones", "add", "--name", "Club", "--at", "1,2", "--radius", "80", "--leaving", "alarm"],
        true
      ),
      (["zones", "add", "--name", "Club", "--at", "1,2", "--radius", "80"], false),
      (["zones", "change", "day-centre", "--leaving", "quiet"], false),
      (["zones", "change", "day-centre", "--radius", "40"], true),
    ])
  func leaving(words: [String], isAlarm: Bool) async throws {
    let old = SafeZone(
      id: "day-centre", resident: "mary", name: "Day centre", center: try place(1, 2),
      radiusMeters: 30, alarmsOnLeaving: true)
    let daemon = try await daemon(zones: [old])
    let outcome = try daemon.tool.run(words)
    #expect(outcome.code == 0, "\(outcome.errors)")
    let request = try Command.Request(json: try #require(await daemon.commands.first))
    guard case .putZone(let zone) = request else {
      Issue.record("no zone was put")
      return
    }
    #expect(zone.alarmsOnLeaving == isAlarm)
    #expect(try daemon.tool.run(["zones"]).output.contains("alarm on leaving"))
    await daemon.stop()
  }

  @Test func aChineseNameGetsAShortRandomId() async throws {
    let daemon = try await daemon(residents: [wang])
    let outcome = try daemon.tool.run([
      "bookmarks", "add", "--name", "老王的家", "--at", "39.9,116.4", "--json",
    ])
    #expect(outcome.code == 0)
    let bookmark = try #require(await daemon.commands.first?["bookmark"])
    let id = bookmark["id"]?.stringContent ?? ""
    #expect(id.count == 6 && id.utf8.allSatisfy { $0 < 0x80 })
    #expect(bookmark["name"] == "老王的家")
    await daemon.stop()
  }

  @Test func aRefusalOfTheDaemonIsShownWithCodeFour() async throws {
    let refusal = CommandReply.Refusal(
      .invalid, Message(verbatim: "A radius is over 0 m and up to 100,000 m, not 0 m."))
    let daemon = try await daemon(refusal: refusal)
    let outcome = try daemon.tool.run([
      "zones", "add", "--name", "Home", "--at", "1,2", "--radius", "0",
    ])
    #expect(outcome.code == 4)
    #expect(outcome.output == "")
    #expect(outcome.errors == "homeward: A radius is over 0 m and up to 100,000 m, not 0 m.\n")
    await daemon.stop()
  }

  @Test func aFailureOfTheDaemonHasCodeOne() async throws {
    let daemon = try await daemon()
    let outcome = try daemon.tool.run(["status"])
    #expect(outcome.code == 1)
    #expect(outcome.errors == "homeward: the store does not answer.\n")
    await daemon.stop()
  }

  @Test func whomIsAskedWhereThereAreSeveral() async throws {
    let daemon = try await daemon(residents: [mary, wang])
    let unclear = try daemon.tool.run(["tracking", "on"])
    #expect(unclear.code == 2)
    #expect(unclear.errors.contains("say whom: --resident mary | kq7x2m"))
    let unknown = try daemon.tool.run(["tracking", "on", "--resident", "tom"])
    #expect(unknown.code == 4)
    #expect(unknown.errors.contains("There are: mary (Mary O'Neil), kq7x2m"))
    let named = try daemon.tool.run(["tracking", "off", "--resident", "mary o'neil"])
    #expect(named.output == "Tracking of Mary O'Neil is off.\n")
    #expect(await daemon.commands == [["action": "tracking.set", "target": "mary", "isOn": false]])
    await daemon.stop()
  }

  @Test func commandsCarryTheUserAndANewIdEachTime() async throws {
    let daemon = try await daemon()
    for _ in 0..<2 { #expect(try daemon.tool.run(["locate"]).code == 0) }
    let requests = await daemon.requests.filter { $0.method == .command }
    let ids = requests.compactMap { $0.params["command"]?["id"]?.stringContent }
    #expect(Set(ids).count == 2)
    #expect(requests.allSatisfy { $0.principal.channel == .local && !$0.principal.name.isEmpty })
    await daemon.stop()
  }

  @Test("Settings of every engine are listed, and only those that differ are marked")
  func settings() async throws {
    let daemon = try await daemon()
    #expect(
      try daemon.tool.run(["settings"]).output == """
        Tracking:
        SETTING              VALUE      DEFAULT  WHAT IT DOES
        exitFixCount         3       *  2        How many.
        unknownAlarmSeconds  1800 s     1800 s   How long.

        Glucose:
        SETTING     VALUE       DEFAULT   WHAT IT DOES
        glucoseLow  70 mg/dL    70 mg/dL  Below it is low.

        """)
    let changed = try daemon.tool.run(["settings", "--changed", "--json"]).output
    #expect(try JSONValue(parsing: changed).arrayContent == [described[0]])
    let one = try daemon.tool.run(["settings", "--group", "glucose"]).output
    #expect(one.hasPrefix("Glucose:\n") && !one.contains("exitFixCount"))
    #expect(try daemon.tool.run(["settings", "--group", "glucos"]).code == 2)
    #expect(
      try daemon.tool.run(["settings", "show", "exitFixCount"]).output == """
        exitFixCount: How many.
          It is 3 (changed); the default is 2.
          It may be a whole number, 2 through 5.

        """)
    await daemon.stop()
  }

  @Test(
    "A setting of any engine can be set; what is no setting or no number is refused with a hint")
  func settingsAreSet() async throws {
    let daemon = try await daemon()
    #expect(try daemon.tool.run(["settings", "set", "exitFixCount", "4"]).code == 0)
    #expect(try daemon.tool.run(["settings", "set", "glucoseLow", "4.0 mmol/L"]).code == 0)
    #expect(try daemon.tool.run(["settings", "reset", "exitFixCount"]).code == 0)
    #expect(await daemon.commands.map { $0["value"] } == [4, "4.0 mmol/L", .null])
    let unknown = try daemon.tool.run(["settings", "set", "glucoselow", "1"])
    #expect(unknown.code == 2 && unknown.errors.contains("Did you mean glucoseLow?"))
    let word = try daemon.tool.run(["settings", "set", "exitFixCount", "four"])
    #expect(word.code == 2 && word.errors.contains("a whole number, 2 through 5"))
    await daemon.stop()
  }

  @Test func erasingWithoutATerminalNeedsYes() async throws {
    let daemon = try await daemon()
    #expect(try daemon.tool.run(["residents", "erase", "mary"]).code == 2)
    #expect(try daemon.tool.run(["residents", "erase", "mary", "--yes"]).code == 0)
    #expect(await daemon.commands == [["action": "resident.erase", "target": "mary"]])
    await daemon.stop()
  }

  @Test func anAnswerOfAnotherShapeIsSaidAndNoCrash() async throws {
    let daemon = try await FakeDaemon { _ in .success(["surprise": 1]) }
    for words in [
      ["residents"], ["zones"], ["status"], ["events"], ["plugins"],
      ["settings", "--resident", "m"],
    ] {
      let outcome = try daemon.tool.run(words)
      #expect(outcome.code == 1, "\(words)")
      #expect(outcome.errors.contains("same version"), "\(words): \(outcome.errors)")
    }
    await daemon.stop()
  }
}

func place(_ latitude: Double, _ longitude: Double) throws -> Coordinate {
  try #require(Coordinate(latitudeDegrees: latitude, longitudeDegrees: longitude))
}
