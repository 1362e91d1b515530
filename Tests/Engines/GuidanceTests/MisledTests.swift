import Care
import Guidance
import JSON
import Moments
import TestSupport
import Testing
import Texts
import WalkingRoutes

@Suite("Guidance where the map or the receiver misleads")
struct MisledTests {
  @Test(
    "Where the map's way ends before the place, nobody is said to be there: the direction is told from its end"
  )
  func wayEndsBefore() {
    let mary = Traveller.onTheWay()
    let far = Traveller.home.moved(meters: 70, bearingDegrees: 0)
    mary.world.house.zones = [
      "home": SafeZone(
        id: "home", resident: Traveller.mary, name: "Home", center: far, radiusMeters: 30,
        isHome: true)
    ]
    mary.ask(.start(Traveller.mary, to: .home, asks: false))
    mary.walk(Traveller.legs)
    #expect(mary.heard.allSatisfy { !$0.contains("nearly there") && !$0.contains("You are home") })
    #expect(mary.heard.last?.hasPrefix("Home is here,") == true)
    #expect(mary.stage == "pointing")
    let searches = mary.queries.count
    mary.wait(80)
    #expect(mary.queries.count == searches, "there is no better way")
    mary.walk(60, 0)
    #expect(mary.heard.last == "You are home, Mary. Well done.")
    #expect(mary.told(.guidanceArrived).count == 1)
  }

  @Test(
    "A new way that is far too long, as from the wrong side of a river, is looked for twice more")
  func wrongSideOfTheRiver() {
    let mary = Traveller.onTheWay()
    mary.ask(.start(Traveller.mary, to: .home, asks: false))
    mary.walk(120, 0)
    let router = mary.router
    let long = Traveller.way([Traveller.Leg(bearing: 270, meters: 9_000, street: "Far Road")])
    mary.router = { _ in .found(long) }
    mary.walk(40, 270)
    #expect(mary.queries.count == 2 && mary.stage == "leading" && mary.findings.isEmpty)
    mary.router = router
    mary.wait(25)
    #expect(mary.heard.last?.contains("Green Path") == true && mary.findings.isEmpty)

    let lost = Traveller.onTheWay()
    lost.ask(.start(Traveller.mary, to: .home, asks: false))
    lost.walk(120, 0)
    lost.router = { _ in .found(long) }
    lost.walk(50, 270)
    lost.wait(60)
    #expect(
      lost.findings.first?.explanation == "Mary wants to go (home), and it is too far to walk.")
    #expect(lost.stage == nil)
  }

  @Test("No way from where a receiver puts somebody for a moment: the way that they have goes on")
  func noWayForAMoment() {
    let mary = Traveller.onTheWay()
    mary.ask(.start(Traveller.mary, to: .home, asks: false))
    mary.walk(60, 0)
    let router = mary.router
    mary.router = { _ in .missing(.noWay) }
    let place = mary.position
    mary.position = place.moved(meters: 45, bearingDegrees: 270)
    mary.wait(5)
    #expect(mary.queries.count == 2 && mary.stage == "leading" && mary.findings.isEmpty)
    mary.router = router
    mary.position = place
    mary.walk(60, 0)
    #expect(mary.heard.last == "Now turn right into Market Street.")

    let lost = Traveller.onTheWay()
    lost.ask(.start(Traveller.mary, to: .home, asks: false))
    lost.walk(60, 0)
    lost.router = { _ in .missing(.noWay) }
    lost.position = place.moved(meters: 45, bearingDegrees: 270)
    lost.wait(70)
    #expect(lost.findings.count == 1 && lost.stage == nil)
  }

  @Test(
    "A receiver that leaps over a turn that was announced: it is said all the same, and not the next one alone"
  )
  func leapsOverATurn() {
    let mary = Traveller.onTheWay()
    mary.ask(.start(Traveller.mary, to: .home, asks: false))
    mary.walk(95, 0)
    #expect(mary.heard.last == "In a moment, turn right into Market Street.")
    mary.position = Traveller.way(Traveller.legs).line[1].moved(meters: 9, bearingDegrees: 90)
    mary.wait(3)
    #expect(mary.heard.last == "Now turn right into Market Street.")
  }

  @Test(
    "A turn that was announced and taken before it was told is said to be done, and then the next one"
  )
  func takenBeforeItWasTold() {
    let mary = Traveller.onTheWay()
    mary.ask(.start(Traveller.mary, to: .home, asks: false))
    mary.walk(95, 0)
    #expect(mary.heard.last == "In a moment, turn right into Market Street.")
    mary.forget()
    mary.wait(30, isSeen: false)
    mary.position = Traveller.way(Traveller.legs).line[2].moved(meters: 30, bearingDegrees: 270)
    mary.wait(12)
    #expect(
      mary.heard == [
        "Good. Now straight on along Market Street.", "In a moment, turn left into Church Road.",
      ])
  }

  @Test(
    "Whoever walked to and fro before they asked for the way is shown it, and not asked to stand still"
  )
  func pacedBefore() {
    let mary = Traveller.onTheWay()
    for _ in 0..<3 {
      mary.walk(45, 0)
      mary.walk(45, 180)
    }
    mary.ask(.start(Traveller.mary, to: .home, asks: false))
    mary.walk(60, 0)
    #expect(mary.told(.guidanceWorried).isEmpty && mary.stage == "leading")
    #expect(!mary.heard.contains { $0.contains("stand still") })
  }

  @Test("After minutes at one place a leap of the receiver by 700 m, and back, is no walk")
  func leapAfterRest() {
    let mary = Traveller.onTheWay()
    mary.ask(.start(Traveller.mary, to: .home, asks: false))
    mary.walk(30, 0)
    let place = mary.position
    mary.wait(60)
    mary.position = place.moved(meters: 700, bearingDegrees: 90)
    mary.wait(5)
    mary.position = place
    mary.wait(5)
    mary.walk(80, 0)
    #expect(mary.told(.guidanceWorried).isEmpty)
  }

  @Test("Home that is near and around a corner is not reached before the corner")
  func aroundTheCorner() {
    let legs = [
      Traveller.Leg(bearing: 0, meters: 100, street: "Mill Lane"),
      Traveller.Leg(bearing: 90, meters: 19, street: "Market Street"),
    ]
    let mary = Traveller(home: Traveller.way(legs).line[2])
    mary.router = { _ in .found(Traveller.way(legs)) }
    mary.accuracyMeters = 17
    mary.show()
    mary.ask(.start(Traveller.mary, to: .home, asks: false))
    mary.walk(97, 0)
    #expect(mary.heard.last == "Now turn right into Market Street.")
    mary.walk(3, 0)
    mary.walk(10, 90)
    #expect(mary.heard.last == "You are home, Mary. Well done.")
  }

  @Test("A leap of the receiver by 3 km and back is no car")
  func leapIsNoCar() {
    let mary = Traveller.onTheWay()
    mary.ask(.start(Traveller.mary, to: .home, asks: false))
    mary.walk(30, 0)
    let place = mary.position
    mary.position = place.moved(meters: 3_000, bearingDegrees: 90)
    mary.wait(12)
    mary.position = place
    mary.wait(40)
    #expect(mary.told(.guidanceWorried).isEmpty && mary.findings.isEmpty)
  }

  @Test(
    "Where the way comes past the same houses twice, a leap to its later part leaves nothing out")
  func wayPassesTwice() {
    let loop = [
      Traveller.Leg(bearing: 0, meters: 200, street: "Mill Lane"),
      Traveller.Leg(bearing: 90, meters: 40, street: "Market Street"),
      Traveller.Leg(bearing: 180, meters: 100, street: "Church Road"),
      Traveller.Leg(bearing: 90, meters: 200, street: "Green Path"),
    ]
    let mary = Traveller(home: Traveller.way(loop).line[4])
    mary.router = { _ in .found(Traveller.way(loop)) }
    mary.accuracyMeters = 17
    // For ten seconds the receiver puts her into the parallel street, 90 m further along her way.
    mary.error = { second in (110..<120).contains(second) ? (90, 38) : (90, 0) }
    mary.show()
    mary.ask(.start(Traveller.mary, to: .home, asks: false))
    mary.walk(loop)
    #expect(
      mary.heard.filter { $0.hasPrefix("Now") } == [
        "Now turn right into Market Street.", "Now turn right into Church Road.",
        "Now turn left into Green Path.",
      ])
    #expect(mary.told(.guidanceRerouted).isEmpty && mary.told(.guidanceArrived).count == 1)
  }
}
