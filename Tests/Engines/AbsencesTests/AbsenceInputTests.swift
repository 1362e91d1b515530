import Absences
import Care
import JSON
import Moments
import Testing

/// What planned absences are told of, and what they tell.
@Suite("Planned absences among other engines")
struct AbsenceInputTests {
  private func news() throws -> ZoneNews {
    let center = try #require(Coordinate(latitudeDegrees: 59.9, longitudeDegrees: 10.7))
    let home = SafeZone(
      id: "home", resident: "ada", name: "Home", center: center, radiusMeters: 100)
    return ZoneNews(.entered(ZoneNews.Zone(home)), isOutside: false)
  }

  private func request(_ request: Command.Request) -> Input {
    .asked(
      Command(id: "1", principal: Principal(channel: .local, name: "anna"), request: request),
      sent: Family.start.tick)
  }

  @Test("Who changed what is noted before what follows from it; of a removed one what it was")
  func noted() throws {
    var ada = try Family()
    _ = try ada.go(to: "10:00", at: .out)
    let absence = try Family.dayCentre()
    let put = try ada.ask(.put(absence)).events
    #expect(put.map(\.type) == [.recordChanged, .absenceBegan])
    #expect(put.first?.facts["action"] == "absence.put" && put.first?.resident == "ada")
    #expect(put.first?.facts["target"] == "day-centre" && put.first?.facts["by"] == "local:anna")
    #expect(put.first?.facts["content"] == absence.json)
    let removed = try ada.ask(.remove("day-centre")).events
    #expect(removed.map(\.type) == [.recordChanged, .absenceEnded])
    #expect(removed.first?.facts["content"] == absence.json)
  }

  @Test("The coming seven times are told, so that others can say what falls into them")
  func planned() throws {
    var ada = try Family()
    let outcome = try ada.ask(.put(try Family.dayCentre()))
    guard case .planned(let resident, let times)? = outcome.signals.first else {
      Issue.record("nothing is told: \(outcome.signals)")
      return
    }
    #expect(outcome.signals.count == 1 && resident == "ada" && times.count == 7)
    let first = try #require(times.first)
    #expect(first.lowerBound == Family.start.utc.advanced(byMilliseconds: 3_600_000))
    #expect(first.upperBound.milliseconds(since: first.lowerBound) == 7 * 3_600_000)
    #expect(try ada.ask(.remove("day-centre")).signals.isEmpty)
  }

  @Test("Without a clock nobody knows the coming times, and that is told")
  func plannedUntrusted() throws {
    var ada = try Family()
    ada.set(.untrusted)
    #expect(try ada.ask(.put(try Family.dayCentre())).signals == [.planned("ada", [])])
  }

  @Test("What others see: nothing planned, nothing on, on until then, and nobody knows")
  func plans() throws {
    var ada = try Family()
    #expect(ada.plans.isEmpty)
    let absence = try Family.dayCentre()
    _ = try ada.put(absence)
    #expect(ada.plans == ["ada": World.Plan.none])
    _ = try ada.go(to: "09:05", at: .out)
    let end = Family.start.utc.advanced(byMilliseconds: 8 * 3_600_000)
    #expect(ada.plans == ["ada": .absence(absence, until: end)], "the grace is not told")
    ada.set(.untrusted)
    #expect(ada.plans == ["ada": .unknown])
    ada.set(.satellite)
    _ = try ada.go(to: "12:00", at: .home)
    #expect(ada.plans == ["ada": World.Plan.none], "home again, and out is no part of it")
  }

  @Test("What has begun explains also before the next look; of two the one that lasts longest")
  func plansBeforeTheLook() throws {
    var ada = try Family()
    _ = try ada.put(Family.dayCentre(from: "08:10", until: "09:00"))
    _ = try ada.put(Family.dayCentre(from: "08:20", until: "11:00", id: "visit"))
    func plan(minutes: Int64) -> World.Plan? {
      var world = ada.world
      world.now = world.now.advanced(byMilliseconds: minutes * 60_000)
      ada.engine.show(.plans, in: &world)
      return world.plans["ada"]
    }
    #expect(plan(minutes: 9) == World.Plan.none)
    guard case .absence(let first, _)? = plan(minutes: 10),
      case .absence(let second, _)? = plan(minutes: 20)
    else {
      Issue.record("nothing explains it")
      return
    }
    #expect(first.id == "day-centre" && second.id == "visit")
  }

  @Test("No other view is written")
  func otherViews() throws {
    var ada = try Family()
    _ = try ada.put(Family.dayCentre())
    for view in World.View.allCases where view != .plans {
      var world = ada.world
      ada.engine.show(view, in: &world)
      #expect(world == ada.world, "\(view)")
    }
  }

  @Test("With nothing planned nothing is looked at; a request is judged by where everybody is")
  func idle() throws {
    var ada = try Family()
    let reasons: [Input] = [
      .time, .observed(.clock(ClockReport(quality: .satellite))), .changed(.resident("ada")),
      .changed(.timeZone("Europe/Oslo")), .signalled(.zone(try news(), of: "ada")),
    ]
    let put = request(.absence(.put(try Family.dayCentre())))
    for reason in reasons {
      #expect(ada.hear(reason) == nil && ada.engine.sees(for: reason) == [], "\(reason)")
    }
    #expect(ada.engine.sees(for: put) == [.whereabouts])
    _ = try ada.put(Family.dayCentre())
    for reason in reasons {
      #expect(ada.engine.sees(for: reason) == [.whereabouts], "\(reason)")
      #expect(ada.hear(reason) == Outcome(), "\(reason)")
    }
  }

  @Test("What is none of its business is not taken")
  func othersBusiness() throws {
    var ada = try Family()
    _ = try ada.put(Family.dayCentre())
    let others: [Input] = [
      .started(version: "1"),
      .signalled(.zone(ZoneNews(.recorded(inside: ["Home"]), isOutside: false), of: "ada")),
      .signalled(.zone(try news(), of: "bob")), .signalled(.alarmBegan), .changed(.guardians),
      .changed(.setting("ada", name: "language")), .settled(after: .wake),
      request(.locate(resident: "ada")),
    ]
    for other in others {
      #expect(ada.hear(other) == nil && ada.engine.sees(for: other) == [], "\(other)")
    }
  }

  @Test("A zone that moved away from her, or a clock that is told: what began meanwhile is told")
  func lookedAtOnNews() throws {
    for reason in [
      Input.signalled(.zone(try news(), of: "ada")),
      .observed(.clock(ClockReport(quality: .satellite))),
      .changed(.resident("ada")), .changed(.timeZone("Europe/Oslo")),
    ] {
      var ada = try Family()
      _ = try ada.put(Family.dayCentre())
      var world = ada.world
      world.now = world.now.advanced(byMilliseconds: 3_600_000)
      var engine = ada.engine
      let outcome = try #require(try engine.handle(reason, in: world))
      #expect(outcome.events.map(\.type) == [.absenceBegan], "\(reason)")
    }
  }

  @Test("Whom a request concerns")
  func concerned() throws {
    var ada = try Family()
    _ = try ada.put(Family.dayCentre())
    #expect(
      ada.engine.resident(concernedBy: .absence(.put(try Family.dayCentre(id: "new")))) == "ada")
    #expect(ada.engine.resident(concernedBy: .absence(.remove("day-centre"))) == "ada")
    #expect(ada.engine.resident(concernedBy: .absence(.remove("nothing"))) == nil)
    #expect(ada.engine.resident(concernedBy: .locate(resident: "ada")) == nil)
  }
}
