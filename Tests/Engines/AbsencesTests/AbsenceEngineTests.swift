import Absences
import Bytes
import Care
import CivilTime
import JSON
import Moments
import Testing
import Texts

@Suite("Planned absences")
struct AbsenceEngineTests {
  @Test("A day at the day centre: out is expected, and coming home ends it")
  func usualDay() throws {
    var ada = try Family()
    #expect(try ada.put(Family.dayCentre()) == [])
    #expect(ada.expectation == nil)
    #expect(try ada.go(to: "09:05", at: .out) == ["09:00 began"])
    #expect(ada.expectation == "day-centre")
    #expect(try ada.go(to: "16:10", at: .home) == ["16:10 ended returned"])
    #expect(ada.expectation == nil)
    #expect(try ada.go(to: "23:00") == [], "at its limit nothing more is told")
    #expect(ada.pass(12 * 3_600_000) == ["09:00 began"])
  }

  @Test("Who is out still at the end of the grace is missed, exactly then, and once")
  func overdue() throws {
    var ada = try Family()
    _ = try ada.put(Family.dayCentre())
    #expect(try ada.go(to: "09:05", at: .out) == ["09:00 began"])
    #expect(try ada.go(to: "16:29") == [])
    #expect(ada.pass(59_999) == [] && ada.expectation != nil)
    #expect(ada.pass(1) == ["16:30 ended overdue!"] && ada.expectation == nil)
    #expect(try ada.go(to: "20:00") == [])
  }

  @Test("Without a grace it is over to the minute")
  func noGrace() throws {
    var ada = try Family()
    _ = try ada.put(Family.dayCentre(grace: 0))
    _ = try ada.go(to: "09:05", at: .out)
    #expect(try ada.go(to: "15:59") == [])
    #expect(try ada.go(to: "16:00") == ["16:00 ended overdue!"])
  }

  @Test("Home early, and going out again is no part of it")
  func homeEarly() throws {
    var ada = try Family()
    _ = try ada.put(Family.dayCentre())
    _ = try ada.go(to: "09:05", at: .out)
    #expect(try ada.go(to: "12:00", at: .home) == ["12:00 ended returned"])
    #expect(try ada.go(to: "12:30", at: .out) == [] && ada.expectation == nil)
    #expect(try ada.go(to: "20:00") == [], "the alarm of 12:30 is about that already")
  }

  @Test(
    "Coming into the day centre is no coming home, nor into another safe zone where one is home")
  func ownZone() throws {
    var ada = try Family()
    _ = try ada.put(Family.dayCentre())
    _ = try ada.go(to: "09:05", at: .out)
    #expect(try ada.go(to: "09:20", at: .centre) == [])
    #expect(try ada.go(to: "15:40", at: .out) == [] && ada.expectation == "day-centre")
  }

  @Test("Where no zone is home, any but the absence's own ends it")
  func withoutHome() throws {
    for (zone, isSpent) in [("centre" as ZoneID, false), (nil, true)] {
      var ada = try Family()
      ada.safeZones = ["home": false, "centre": false]
      _ = try ada.put(Family.dayCentre(zone: zone))
      _ = try ada.go(to: "09:05", at: .out)
      _ = try ada.go(to: "09:20", at: .centre)
      #expect((ada.expectation == nil) == isSpent)
    }
  }

  @Test("Whoever is in a safe zone at the end is not missed")
  func safeAtTheEnd() throws {
    for place in [Family.Place.home, .centre, .unknown] {
      var ada = try Family()
      _ = try ada.put(Family.dayCentre())
      _ = try ada.go(to: "09:05", at: place)
      #expect(try ada.go(to: "16:30") == ["16:30 ended over"])
    }
  }

  @Test("Removed while she is out: missed at once; at home nobody is missed")
  func removed() throws {
    for (place, told) in [
      (Family.Place.out, "10:00 ended removed!"), (.home, "10:00 ended removed"),
    ] {
      var ada = try Family()
      _ = try ada.put(Family.dayCentre())
      _ = try ada.go(to: "10:00", at: place)
      #expect(try ada.remove("day-centre") == [told])
      #expect(ada.expectation == nil && ada.stored.engineRows.isEmpty && ada.engine.nextWake == nil)
    }
  }

  @Test("Changed so that it is not on any more: missed at once; changed so that it is: expected")
  func changed() throws {
    var ada = try Family()
    _ = try ada.put(Family.dayCentre())
    _ = try ada.go(to: "10:00", at: .out)
    #expect(try ada.put(Family.dayCentre(until: "17:00")) == ["10:00 began"])
    #expect(
      try ada.put(Family.dayCentre(from: "11:00", until: "17:00")) == ["10:00 ended changed!"])
  }

  @Test("A second absence explains what the first leaves unexplained")
  func overlapping() throws {
    var ada = try Family()
    _ = try ada.put(Family.dayCentre())
    _ = try ada.put(Family.dayCentre(from: "15:00", until: "18:00", id: "visit"))
    _ = try ada.go(to: "09:05", at: .out)
    #expect(try ada.go(to: "16:30") == ["15:00 began", "16:30 ended over"])
    #expect(ada.expectation == "visit")
    #expect(try ada.go(to: "18:30") == ["18:30 ended overdue!"])
  }

  @Test("A single date is over when it is over, and its row goes")
  func once() throws {
    var ada = try Family()
    let today = CivilDateTime(year: 2026, month: 11, day: 23)
    _ = try ada.put(Family.dayCentre(.once(today)))
    _ = try ada.go(to: "09:05", at: .out)
    _ = try ada.go(to: "16:00", at: .home)
    #expect(ada.stored.engineRows.count == 1)
    #expect(try ada.go(to: "16:30") == [] && ada.stored.engineRows.isEmpty)
    #expect(
      ada.changes.last
        == .removeEngineRow(engine: "absences", subject: "ada", name: "day-centre"))
  }

  // MARK: Power cuts and clocks

  @Test("Over a power cut it goes on, and who was out at its end is missed when the power is back")
  func powerCut() throws {
    var ada = try Family()
    _ = try ada.put(Family.dayCentre())
    _ = try ada.go(to: "09:05", at: .out)
    ada.reboot(afterMinutes: 60)
    #expect(ada.look() == [] && ada.expectation == "day-centre")
    ada.reboot(afterMinutes: 600)
    #expect(ada.look() == ["20:05 ended overdue!"])
  }

  @Test("That she came home is not forgotten over a power cut")
  func powerCutAfterReturn() throws {
    var ada = try Family()
    _ = try ada.put(Family.dayCentre())
    _ = try ada.go(to: "09:05", at: .out)
    _ = try ada.go(to: "11:00", at: .home)
    ada.reboot(afterMinutes: 30)
    ada.place = .out
    #expect(ada.look() == [] && ada.expectation == nil)
  }

  @Test("While nobody knows the time nothing is expected; after two minutes who is out is missed")
  func untrusted() throws {
    var ada = try Family()
    _ = try ada.put(Family.dayCentre())
    _ = try ada.go(to: "09:05", at: .out)
    ada.reboot(afterMinutes: 5, quality: .untrusted)
    #expect(ada.expectation == nil && ada.look() == [])
    #expect(ada.engine.present(of: "ada") == nil)
    #expect(ada.pass(119_999) == [] && ada.pass(1) == ["09:12 ended clock!"])
    ada.set(.satellite)
    #expect(ada.look() == ["09:12 began"] && ada.expectation == "day-centre")
  }

  @Test("That she came home outlasts a time without a clock")
  func untrustedAfterReturn() throws {
    var ada = try Family()
    _ = try ada.put(Family.dayCentre())
    _ = try ada.go(to: "09:05", at: .out)
    _ = try ada.go(to: "11:00", at: .home)
    ada.set(.untrusted)
    #expect(ada.pass(600_000, at: .out) == [])
    ada.set(.satellite)
    #expect(ada.look() == [] && ada.expectation == nil)
  }

  @Test("A grace that lasts into the next day's absence makes nobody missed between")
  func graceIntoNextDay() throws {
    var ada = try Family()
    _ = try ada.put(Family.dayCentre(from: "00:00", until: "23:59", grace: 240))
    _ = try ada.go(to: "09:05", at: .out)
    #expect(try ada.go(to: "23:58") == [])
    #expect(ada.pass(8 * 3_600_000) == ["03:59 began", "03:59 ended over"])
    #expect(ada.expectation == "day-centre")
  }

  @Test("A clock that is told within two minutes changes nothing")
  func trustedSoon() throws {
    var ada = try Family()
    _ = try ada.put(Family.dayCentre())
    _ = try ada.go(to: "09:05", at: .out)
    ada.reboot(afterMinutes: 5, quality: .untrusted)
    #expect(ada.pass(60_000) == [])
    ada.set(.satellite)
    #expect(ada.look() == [] && ada.expectation == "day-centre")
  }

  @Test("A clock that was ahead is found out: what has not begun explains nothing")
  func clockAhead() throws {
    var ada = try Family()
    _ = try ada.put(Family.dayCentre())
    _ = try ada.go(to: "09:05", at: .out)
    ada.set(utc: Family.start.utc)
    #expect(ada.look() == ["08:00 ended clock!"])
  }

  @Test("A row that cannot be read is kept and hides nothing")
  func unreadable() throws {
    let row = EngineRow(engine: "absences", subject: "ada", name: "x", content: ["name": 3])
    var ada = try Family(rows: [row])
    #expect(ada.stored.engineRows == [row] && ada.expectation == nil && ada.look() == [])
  }

  @Test("An erased resident's absences are gone")
  func erased() throws {
    var ada = try Family()
    _ = try ada.put(Family.dayCentre())
    #expect(ada.hear(.changed(.erased("ada"))) == Outcome(), "the store removes the rows")
    #expect(ada.stored.engineRows.isEmpty && ada.plans.isEmpty && ada.engine.nextWake == nil)
    #expect(ada.hear(.time) == nil)
  }

  // MARK: Requests

  @Test("Somebody who says so while she is out settles it at once")
  func asked() throws {
    var ada = try Family()
    _ = try ada.go(to: "10:00", at: .out)
    let outcome = try ada.ask(.put(try Family.dayCentre()))
    let began = try #require(outcome.events.last)
    #expect(began.type == .absenceBegan && began.facts["isAsked"] == true)
    #expect(began.facts["isOutside"] == true && began.facts["untilLocal"] == "16:00")
    #expect(began.facts["explanation"] == "Ada is expected to be out: Day centre, until 16:00.")
    #expect(outcome.reply["isOn"] == true)
  }

  @Test("What is missed is said in words")
  func words() throws {
    var ada = try Family()
    _ = try ada.put(Family.dayCentre())
    _ = try ada.go(to: "16:29", at: .out)
    var world = ada.world
    world.now = world.now.advanced(byMilliseconds: 60_000)
    var engine = ada.engine
    let event = try #require(try engine.handle(.time, in: world)?.events.first)
    #expect(event.lane == .alarm)
    #expect(event.facts["explanation"] == "Ada was expected back from Day centre at 16:00.")
  }

  static let refused: [(String, CommandReply.Refusal.Code, @Sendable (inout Absence) -> Void)] = [
    ("over midnight", .invalid, { $0.until = $0.from }),
    (
      "before it begins", .invalid,
      { absence in if let early = TimeOfDay(text: "04:00") { absence.until = early } }
    ),
    ("no day", .invalid, { $0.days = .weekly([]) }),
    ("a past date", .invalid, { $0.days = .once(CivilDateTime(year: 2026, month: 11, day: 22)) }),
    ("a malformed id", .invalid, { $0.id = "Day Centre" }),
    ("nobody's", .unknownTarget, { $0.resident = "eve" }),
    ("no name", .invalid, { $0.name = "" }),
    ("a name on two lines", .invalid, { $0.name = "Day\ncentre" }),
    ("an overlong name", .invalid, { $0.name = String(repeating: "a", count: 101) }),
    ("a negative grace", .invalid, { $0.graceMinutes = -1 }),
    ("a long grace", .invalid, { $0.graceMinutes = 241 }),
    ("an unknown zone", .unknownTarget, { $0.zone = "nowhere" }),
    ("the home", .invalid, { $0.zone = "home" }),
  ]

  @Test("What cannot be meant is refused and changes nothing", arguments: refused.indices)
  func refusals(_ index: Int) throws {
    let (name, code, change) = Self.refused[index]
    var ada = try Family()
    var absence = try Family.dayCentre()
    change(&absence)
    do {
      _ = try ada.put(absence)
      Issue.record("\(name) was taken")
    } catch let refusal as CommandReply.Refusal {
      #expect(refusal.code == code, "\(name): \(refusal.message)")
    }
    #expect(ada.stored.engineRows.isEmpty && ada.changes.isEmpty)
  }

  @Test("Today's date is taken until its end, and the next is refused when it is over")
  func todaysDate() throws {
    var ada = try Family()
    let today = Absence.Days.once(CivilDateTime(year: 2026, month: 11, day: 23))
    _ = try ada.go(to: "15:59")
    #expect(try ada.put(Family.dayCentre(today, grace: 0)) == ["15:59 began"])
    _ = try ada.go(to: "16:00")
    #expect(throws: CommandReply.Refusal.self) {
      try ada.put(Family.dayCentre(today, grace: 0, id: "late"))
    }
  }

  @Test("A resident has at most a hundred, and nobody takes another one's")
  func limits() throws {
    var ada = try Family()
    for number in 0..<100 { _ = try ada.put(Family.dayCentre(id: AbsenceID("a\(number)"))) }
    #expect(throws: CommandReply.Refusal.self) { try ada.put(Family.dayCentre(id: "more")) }
    #expect(try ada.put(Family.dayCentre(grace: 5, id: "a7")) == [])
    var other = try Family.dayCentre(id: "a7")
    other.resident = "bob"
    #expect(throws: CommandReply.Refusal.self) { try ada.put(other) }
    #expect(throws: CommandReply.Refusal.self) { try ada.remove("nothing") }
  }

  @Test("As JSON and as a row it reads back as it was")
  func roundTrip() throws {
    for days in [
      Absence.Days.weekly([.monday, .friday]),
      .once(CivilDateTime(year: 2026, month: 12, day: 24)),
    ] {
      let absence = try Family.dayCentre(days, zone: "centre")
      #expect(try Absence(json: absence.json) == absence)
      let request = Command.Request.absence(.put(absence))
      #expect(try Command.Request(json: request.json) == request)
    }
    for wrong in [
      "days", "on", "from",
    ] {
      let json = try Family.dayCentre().json.setting(wrong, to: "2026-02-30")
      #expect(throws: DecodeError.self, "\(wrong)") { try Absence(json: json) }
    }
  }
}
