import Care
import Guidance
import JSON
import Moments
import TestSupport
import Testing
import Texts
import WalkingRoutes

@Suite("Guidance: the way home")
struct GuidanceEngineTests {
  @Test("From one press to the door: each thing is said once, in good time, and arrival is news")
  func wholeWay() {
    let mary = Traveller.onTheWay()
    #expect(mary.press(.command(.takeHome)))
    mary.walk(Traveller.legs)
    #expect(
      mary.heard == [
        "I will take you home.", "Go along Mill Lane, towards the north.",
        "In a moment, turn right into Market Street.", "Now turn right into Market Street.",
        "Good. Now straight on along Market Street.",
        "You are doing well. Keep going along Market Street. It is about 3 minutes more.",
        "In a moment, turn left into Church Road.", "Now turn left into Church Road.",
        "Good. Now straight on along Church Road.", "You are nearly there. It is on your left.",
        "You are home, Mary. Well done.",
      ])
    #expect(mary.stage == nil && mary.rows.isEmpty)
    #expect(mary.told(.guidanceBegan).count == 1 && mary.told(.guidanceRerouted).isEmpty)
    let arrived = mary.told(.guidanceArrived)
    #expect(arrived.count == 1)
    #expect(
      arrived.first?.signal
        == .news(.arrival(sentence: "Mary has come home, shown the way."), of: Traveller.mary))
    #expect(mary.findings.isEmpty)
  }

  @Test(
    "A wrong turn is another way, never a mistake: a new one from there, and no more of the old")
  func wrongTurn() {
    let mary = Traveller.onTheWay()
    mary.ask(.start(Traveller.mary, to: .home, asks: false))
    mary.walk(120, 0)
    mary.forget()
    mary.walk(40, 270)
    #expect(
      mary.heard.first == "Let us go this way now. Please turn round, and go along Green Path.")
    #expect(!mary.heard.joined().lowercased().contains("wrong"))
    #expect(mary.told(.guidanceRerouted).count == 1)
    let home = Angle.bearing(from: mary.position, to: Traveller.home)
    mary.walk(mary.position.distanceMeters(to: Traveller.home), home)
    #expect(mary.heard.last == "You are home, Mary. Well done.")
  }

  @Test(
    "Beside the way by more than 20 m twice, or by half of that for 15 s; a single leap is nothing")
  func offTheWay() {
    let mary = Traveller.onTheWay()
    mary.ask(.start(Traveller.mary, to: .home, asks: false))
    mary.walk(60, 0)
    let onTheLine = mary.position
    mary.position = onTheLine.moved(meters: 3_000, bearingDegrees: 200)
    mary.tick()
    mary.position = onTheLine
    mary.wait(3)
    #expect(mary.queries.count == 1, "a leap of 3 km, and back")
    mary.position = onTheLine.moved(meters: 17, bearingDegrees: 270)
    mary.wait(14)
    #expect(mary.queries.count == 1)
    mary.wait(3)
    #expect(mary.queries.count == 2, "15 s")
    let other = Traveller.onTheWay()
    other.ask(.start(Traveller.mary, to: .home, asks: false))
    other.walk(60, 0)
    other.position = other.position.moved(meters: 30, bearingDegrees: 270)
    other.wait(2)
    #expect(other.queries.count == 2, "two positions")
  }

  @Test("A receiver that errs by 20 m and says so leads nobody astray")
  func streetCanyon() {
    let mary = Traveller.onTheWay()
    mary.accuracyMeters = 20
    // Leans to one wall, and then to the other.
    mary.error = { second in (second % 60 < 30 ? 90 : 270, 18) }
    mary.ask(.start(Traveller.mary, to: .home, asks: false))
    mary.walk(Traveller.legs)
    mary.wait(3)
    #expect(mary.told(.guidanceArrived).count == 1)
    #expect(mary.told(.guidanceRerouted).isEmpty)
  }

  @Test("Back along the way that one came: the way is shown anew from there")
  func walksBack() {
    let mary = Traveller.onTheWay()
    mary.ask(.start(Traveller.mary, to: .home, asks: false))
    mary.walk(100, 0)
    mary.walk(50, 180)
    #expect(mary.told(.guidanceRerouted).count == 1)
    #expect(mary.heard.last?.hasPrefix("Let us go this way now.") == true)
  }

  @Test("Nobody finds ways: the direction is told, turning with her, and home is said to be here")
  func pointing() {
    let mary = Traveller(home: Traveller.start.moved(meters: 400, bearingDegrees: 0))
    mary.show()
    mary.ask(.start(Traveller.mary, to: .home, asks: false))
    #expect(mary.stage == "pointing")
    #expect(mary.heard.last == "Home is towards the north, about 8 minutes on foot.")
    mary.walk(100, 90)
    #expect(mary.heard.last == "Home is on your left, about 8 minutes on foot.")
    mary.position = Traveller.start.moved(meters: 330, bearingDegrees: 0)
    mary.wait(100)
    #expect(mary.press(.command(.assist)))
    #expect(mary.heard.last?.hasPrefix("Home is here,") == true)
    mary.walk(60, 0)
    #expect(mary.heard.last == "You are home, Mary. Well done.")
  }

  @Test("Whoever looks sees which way to go now, and where home is while nobody is on the way")
  func arrow() {
    let mary = Traveller.onTheWay()
    mary.show()
    let before = mary.wayHome
    #expect(before["destination"]?["name"] == "Home" && before["isHere"] == false)
    #expect(before["words"]?.stringContent?.contains("Home is") == true)
    #expect((0...360).contains(before["bearingDegrees"]?.integerContent ?? -1))
    mary.ask(.start(Traveller.mary, to: .home, asks: false))
    mary.walk(60, 0)
    #expect(mary.journey["bearingDegrees"] == 0 && mary.journey["headingDegrees"] == 0)
    #expect((mary.journey["metersToNext"]?.integerContent ?? 0) > 10)
    #expect((mary.journey["minutesLeft"]?.integerContent ?? 0) >= 1)
    mary.wait(60, isSeen: false)
    #expect(mary.journey["bearingDegrees"] == nil && mary.wayHome["meters"] == nil)
  }

  @Test("A router that comes back is asked again within a minute or so")
  func routerComesBack() {
    let mary = Traveller.onTheWay()
    let router = mary.router
    mary.router = { _ in .missing(.failed) }
    mary.ask(.start(Traveller.mary, to: .home, asks: false))
    #expect(mary.stage == "pointing")
    mary.router = router
    mary.wait(62)
    #expect(mary.stage == "leading")
  }

  @Test("Too far, in the dark or no way at all: a person is asked to come, and nobody sent on foot")
  func aPersonInstead() {
    let far = Traveller.start.moved(meters: 5_000, bearingDegrees: 0)
    let mary = Traveller(home: far)
    mary.show()
    mary.ask(.start(Traveller.mary, to: .home, asks: false))
    #expect(mary.heard.last?.hasPrefix("That is too far to walk. I ask somebody to come.") == true)
    #expect(mary.findings.map(\.kind) == [.lost] && mary.queries.isEmpty && mary.stage == nil)

    let island = Traveller.onTheWay()
    island.router = { _ in .missing(.noWay) }
    island.ask(.start(Traveller.mary, to: .home, asks: false))
    #expect(island.heard.last?.hasPrefix("I find no way there on foot.") == true)
    #expect(island.findings.count == 1)

    let night = Timestamp(milliseconds: Traveller.noon.milliseconds + 8 * 3_600_000)
    for (mayWalk, isLed) in [(true, true), (false, false)] {
      let walker = Traveller(home: Traveller.home, at: night)
      walker.world.house.settings[Traveller.mary] = ["guidanceInTheDark": .bool(mayWalk)]
      walker.router = { _ in .found(Traveller.way(Traveller.legs)) }
      walker.show()
      walker.ask(.start(Traveller.mary, to: .home, asks: false))
      #expect((walker.stage == "leading") == isLed && walker.findings.isEmpty == isLed)
    }
  }

  @Test("A way that winds further than the limit is no way to walk")
  func windingWay() {
    let mary = Traveller.onTheWay()
    mary.world.house.settings[Traveller.mary] = ["guidanceMaxMeters": 300]
    mary.ask(.start(Traveller.mary, to: .home, asks: false))
    #expect(
      mary.findings.first?.explanation == "Mary wants to go (home), and it is too far to walk.")
  }

  @Test(
    "Whoever stands still is asked, and after a minute without an answer guardians are told; going on ends it"
  )
  func standsStill() {
    let mary = Traveller.onTheWay()
    mary.ask(.start(Traveller.mary, to: .home, asks: false))
    mary.walk(60, 0)
    mary.wait(105)
    #expect(mary.heard.last == "Take your time. Press the button once, and I say the way again.")
    #expect(mary.findings.isEmpty)
    mary.wait(70)
    #expect(mary.findings.map(\.explanation) == ["Mary is on the way (home) and does not go on."])
    #expect(mary.told(.guidanceTold).map(\.lane) == [.alarm])
    #expect(mary.heard.last?.hasPrefix("I have asked somebody") == true)
    mary.wait(200)
    #expect(mary.findings.count == 1, "once")
    mary.walk(60, 0)
    #expect(mary.settlements.map(\.reason) == [.goesOn])
  }

  @Test(
    "An alarm about somebody on the way outlives the way that is stopped: only they, or a person, end it"
  )
  func stoppedInTrouble() {
    let mary = Traveller.onTheWay()
    mary.ask(.start(Traveller.mary, to: .home, asks: false))
    mary.walk(60, 0)
    mary.wait(175)
    #expect(mary.findings.count == 1)
    mary.ask(.cancel(Traveller.mary))
    #expect(mary.stage == nil && mary.settlements.isEmpty)
  }

  @Test("A press answers the question, and the way is said again; the clock is for another time")
  func answersStill() {
    let mary = Traveller.onTheWay()
    mary.ask(.start(Traveller.mary, to: .home, asks: false))
    mary.walk(60, 0)
    mary.wait(105)
    #expect(mary.press(.yes))
    #expect(mary.heard.last == "Good. Now straight on along Mill Lane.")
    mary.wait(75)
    #expect(mary.findings.isEmpty)
    mary.wait(90)
    #expect(mary.findings.count == 1, "asked once more, and no answer")
  }

  @Test("At a turn that was told already, a press says it again as what is to be done now")
  func againAtTheTurn() {
    let mary = Traveller.onTheWay()
    mary.ask(.start(Traveller.mary, to: .home, asks: false))
    mary.walk(112, 0)
    #expect(mary.heard.last == "Now turn right into Market Street.")
    #expect(mary.press(.command(.assist)))
    #expect(mary.heard.last == "Now turn right into Market Street.")
    #expect(mary.heard.count { $0 == "Now turn right into Market Street." } == 2)
  }

  @Test("In a car: asked, then told")
  func vehicle() {
    let mary = Traveller.onTheWay()
    mary.ask(.start(Traveller.mary, to: .home, asks: false))
    mary.walk(30, 0)
    mary.walk(900, 45, speed: 10)
    #expect(mary.told(.guidanceWorried).first?.facts["trouble"] == "vehicle")
    mary.walk(600, 45, speed: 10)
    #expect(
      mary.findings.first?.explanation == "Mary is on the way (home) and moves faster than on foot."
    )
  }

  @Test("Back and forth: asked, then told")
  func pacing() {
    let mary = Traveller.onTheWay()
    mary.ask(.start(Traveller.mary, to: .home, asks: false))
    mary.walk(30, 0)
    for _ in 0..<5 {
      mary.walk(45, 0)
      mary.walk(45, 180)
    }
    #expect(
      mary.findings.first?.explanation == "Mary is on the way (home) and goes back and forth.")
  }

  @Test("Back and forth for the third time: told at once, although each question was answered")
  func pacingAgain() {
    let mary = Traveller.onTheWay()
    mary.ask(.start(Traveller.mary, to: .home, asks: false))
    mary.walk(30, 0)
    for _ in 0..<40 where mary.findings.isEmpty {
      mary.walk(45, 0)
      mary.walk(45, 180)
      if mary.journey["trouble"] == "pacing" { _ = mary.press(.command(.assist)) }
    }
    #expect(mary.told(.guidanceWorried).count == 3)
    #expect(
      mary.findings.first?.explanation == "Mary is on the way (home) and goes back and forth.")
  }

  @Test("A journey of yesterday is over; one that cannot be read is forgotten")
  func staleRows() {
    let mary = Traveller.onTheWay()
    mary.ask(.start(Traveller.mary, to: .home, asks: false))
    mary.restart(afterSeconds: 7 * 3600)
    mary.tick()
    #expect(mary.stage == nil && mary.rows.isEmpty)
    let nonsense = EngineRow(
      engine: "guidance", subject: "mary", name: "journey", content: ["name": 1])
    let other = Traveller(home: Traveller.home, stored: [nonsense])
    other.offer(.started(version: "1"))
    #expect(other.stage == nil && other.rows.isEmpty)
  }

  @Test("No position, as in a tunnel: said once, and the way goes on where she comes out")
  func tunnel() {
    let mary = Traveller.onTheWay()
    mary.ask(.start(Traveller.mary, to: .home, asks: false))
    mary.walk(40, 0)
    mary.forget()
    mary.wait(200, isSeen: false)
    #expect(mary.heard.filter { $0.hasPrefix("I cannot see where you are") }.count == 1)
    mary.position = mary.position.moved(meters: 50, bearingDegrees: 0)
    mary.wait(2)
    #expect(mary.heard.last == "In a moment, turn right into Market Street.")
    #expect(mary.queries.count == 1)
  }

  @Test("Asked first: yes, no, no answer, and two presses while under way")
  func question() {
    let mary = Traveller.onTheWay()
    mary.ask(.start(Traveller.mary, to: .home, asks: true))
    #expect(mary.heard == ["Shall I take you home? Press once for yes, twice for no."])
    #expect(mary.rows.isEmpty && mary.queries.isEmpty)
    #expect(mary.press(.yes) && mary.stage == "leading")
    #expect(mary.press(.no) && mary.stage == nil)
    #expect(mary.heard.last == "All right. I stop showing the way.")
    mary.ask(.start(Traveller.mary, to: .home, asks: true))
    mary.wait(61)
    #expect(mary.stage == nil)
    #expect(!mary.press(.yes) && !mary.press(.no), "the press is somebody else's")
  }

  @Test("What cannot be is refused in words, and nothing changes")
  func refusals() {
    let mary = Traveller(home: nil)
    #expect(
      mary.ask(.start(Traveller.mary, to: .home, asks: false))?.message.description
        == "Nobody knows where Mary's home is. Add a bookmark named Home, or mark a safe zone as home."
    )
    #expect(mary.ask(.cancel(Traveller.mary))?.code == .conflict)
    #expect(mary.ask(.repeated(Traveller.mary))?.code == .conflict)
    #expect(mary.ask(.answer(Traveller.mary, isYes: true))?.code == .conflict)
    #expect(mary.ask(.start("bob", to: .home, asks: false))?.code == .unknownTarget)
    #expect(
      mary.ask(.start(Traveller.mary, to: .bookmark("shop"), asks: false))?.code == .unknownTarget)
    mary.world.bookmarks["shop"] = Bookmark(
      id: "shop", resident: "bob", name: "Shop", address: "", coordinate: Traveller.home)
    #expect(
      mary.ask(.start(Traveller.mary, to: .bookmark("shop"), asks: false))?.code == .unknownTarget,
      "another resident's")
    mary.world.tracked = []
    #expect(
      mary.ask(.start(Traveller.mary, to: .place(name: "Park", at: Traveller.home), asks: false))?
        .code == .conflict)
    #expect(mary.stage == nil && mary.heard.isEmpty && mary.events.isEmpty)
  }

  @Test("A press where home is unknown is answered in words")
  func pressWithoutHome() {
    let mary = Traveller(home: nil)
    #expect(mary.press(.command(.takeHome)))
    #expect(mary.heard.first?.hasPrefix("Nobody knows where Mary's home is.") == true)
  }

  @Test("The bookmark named Home goes before the zone; another bookmark is called by its name")
  func bookmarks() throws {
    let mary = Traveller.onTheWay()
    mary.world.bookmarks["b1"] = Bookmark(
      id: "b1", resident: Traveller.mary, name: "HOME", address: "",
      coordinate: Traveller.start.moved(meters: 200, bearingDegrees: 180))
    mary.ask(.start(Traveller.mary, to: .home, asks: false))
    let bookmark = try #require(mary.world.bookmarks["b1"])
    #expect(
      mary.queries.last?.subject == .way(from: Traveller.start, to: bookmark.coordinate))
    mary.world.bookmarks["b2"] = Bookmark(
      id: "b2", resident: Traveller.mary, name: "Café Zentral", address: "",
      coordinate: Traveller.home)
    mary.ask(.start(Traveller.mary, to: .bookmark("b2"), asks: true))
    #expect(
      mary.heard.last
        == "Shall I show you the way to Café Zentral? Press once for yes, twice for no.")
  }

  @Test("A zone that is called Home is the home where none is marked as it")
  func zoneCalledHome() {
    let mary = Traveller(home: Traveller.home)
    mary.world.house.zones["home"]?.isHome = false
    mary.show()
    #expect(mary.ask(.start(Traveller.mary, to: .home, asks: false)) == nil)
    mary.world.house.zones["home"]?.name = "The park"
    #expect(mary.ask(.start(Traveller.mary, to: .home, asks: false))?.code == .unknownTarget)
  }

  @Test("Without a position the way is looked for as soon as there is one")
  func noPositionYet() {
    let mary = Traveller.onTheWay()
    mary.wait(40, isSeen: false)
    mary.ask(.start(Traveller.mary, to: .home, asks: false))
    #expect(mary.stage == "seeking" && mary.queries.isEmpty)
    mary.tick()
    #expect(mary.stage == "leading" && mary.queries.count == 1)
  }

  @Test("A late answer to an earlier search, and nonsense, change nothing or become a failure")
  func foreignReports() {
    let mary = Traveller.onTheWay()
    mary.router = { _ in .missing(.noService) }
    mary.ask(.start(Traveller.mary, to: .home, asks: false))
    let old = MapQuery(
      id: "old", resident: Traveller.mary, .way(from: Traveller.start, to: Traveller.home))
    mary.report(.found(Traveller.way(Traveller.legs)), on: old)
    #expect(mary.stage == "pointing")
    mary.offer(.observed(.map(FeatureValue(json: ["nonsense": true]))))
    #expect(mary.stage == "pointing")
  }

  @Test("Erased or refused to be located: nothing is left of the way")
  func leaves() {
    let mary = Traveller.onTheWay()
    mary.ask(.start(Traveller.mary, to: .home, asks: false))
    mary.offer(
      .changed(
        .consent(
          Consent(
            resident: Traveller.mary, kind: .location, isGranted: false, by: "Anna",
            at: Traveller.noon, principal: "local:anna"))))
    #expect(mary.stage == nil && mary.rows.isEmpty)
    #expect(mary.told(.guidanceEnded).first?.facts["reason"] == "consent")
    mary.show()
    mary.ask(.start(Traveller.mary, to: .home, asks: false))
    mary.offer(.changed(.erased(Traveller.mary)))
    #expect(mary.journey == .null)
  }

  @Test("Chinese words for a Chinese speaker")
  func chinese() {
    let mary = Traveller.onTheWay()
    mary.world.house.settings[Traveller.mary] = ["language": "zh"]
    #expect(mary.press(.command(.takeHome)))
    mary.walk(120, 0)
    #expect(mary.heard.allSatisfy { !$0.contains("turn") && !$0.contains("the") })
    #expect(mary.heard.contains { $0.contains("Market Street") })
  }

  @Test("Shifted in time everything is the same")
  func shifted() {
    var heard: [[String]] = []
    for shift in [Int64(0), 86_400_000] {
      let mary = Traveller.onTheWay()
      mary.world.now.utc = mary.world.now.utc.advanced(byMilliseconds: shift)
      mary.ask(.start(Traveller.mary, to: .home, asks: false))
      mary.walk(Traveller.legs)
      heard.append(mary.heard)
    }
    #expect(heard[0] == heard[1])
  }
}
