import Care
import Moments
import Testing
import WalkingRoutes

@testable import Guidance

@Suite("Which way somebody looks, by a compass that they carry")
struct FacingTests {
  private static let begin = Tick.seconds(1_000)

  /// A compass that somebody carried for so many seconds while they went in a direction.
  private func carried(
    seconds: Int64, moving: (Int64) -> Double?, says: (Int64) -> Double
  ) -> (Facing, Tick) {
    var facing = Facing()
    for second in 0..<seconds {
      let now = Self.begin.advanced(byMilliseconds: second * 1000)
      facing.take(says(second), moving: moving(second), at: now)
    }
    return (facing, Self.begin.advanced(byMilliseconds: seconds * 1000))
  }

  private func error(_ facing: Facing, _ expected: Double, at now: Tick) -> Double? {
    facing.degrees(at: now).map { abs(Angle.turn(from: expected, to: $0)) }
  }

  @Test(
    "However it is worn, and wherever magnetic north is: learned while walking, used while standing"
  )
  func learns() throws {
    for worn in [0.0, 70, 180, 275, 359] {
      var (facing, now) = carried(seconds: 60) { _ in
        350
      } says: { _ in
        (350 + worn).truncatingRemainder(dividingBy: 360)
      }
      for turned in [350.0, 10, 170] {
        let says = (turned + worn).truncatingRemainder(dividingBy: 360)
        facing.take(says, moving: nil, at: now)
        #expect(try #require(error(facing, turned, at: now)) < 0.5, "\(worn) \(turned)")
        now = now.advanced(byMilliseconds: 1000)
      }
    }
  }

  @Test("Nothing is known before somebody has walked a little, or of a compass that is silent")
  func unknown() {
    #expect(Facing().degrees(at: Self.begin) == nil)
    let (standing, later) = carried(seconds: 300) { _ in
      nil
    } says: { _ in
      20
    }
    #expect(standing.degrees(at: later) == nil)
    let (short, soon) = carried(seconds: 10) { _ in
      20
    } says: { _ in
      20
    }
    #expect(short.degrees(at: soon) == nil)
    let (walked, now) = carried(seconds: 60) { _ in
      20
    } says: { _ in
      20
    }
    #expect(walked.degrees(at: now.advanced(byMilliseconds: 3_000)) != nil)
    #expect(walked.degrees(at: now.advanced(byMilliseconds: 5_000)) == nil)
  }

  @Test("A compass that swings freely, or hangs on iron, is never believed")
  func nonsense() {
    let (swinging, now) = carried(seconds: 120) { _ in
      20
    } says: {
      Double($0 * 47 % 360)
    }
    #expect(swinging.degrees(at: now) == nil)
    let (stuck, later) = carried(seconds: 120) {
      Double($0 / 20 * 90 % 360)
    } says: { _ in
      20
    }
    #expect(stuck.degrees(at: later) == nil)
  }

  @Test("Put into another pocket: not believed, and learned anew within two minutes of walking")
  func anotherPocket() throws {
    let (facing, now) = carried(seconds: 60) { _ in
      0
    } says: { _ in
      30
    }
    #expect(try #require(error(facing, 0, at: now)) < 0.5)
    let (mixed, later) = carried(seconds: 100) { _ in
      0
    } says: {
      $0 < 60 ? 30 : 150
    }
    #expect(mixed.degrees(at: later) == nil)
    let (again, after) = carried(seconds: 240) { _ in
      0
    } says: {
      $0 < 60 ? 30 : 150
    }
    #expect(try #require(error(again, 0, at: after)) < 15)
  }
}

@Suite("A direction that turns with the compass")
struct CompassedGuidanceTests {
  @Test("Without a way, home is told by where she looks, also while she stands")
  func turnsWithHer() {
    let mary = Traveller(home: Traveller.start.moved(meters: 600, bearingDegrees: 0))
    mary.compass = 110  // of somebody who goes east, with the tracker turned by 20 degrees
    mary.show()
    mary.ask(.start(Traveller.mary, to: .home, asks: false))
    mary.walk(80, 90)
    mary.forget()
    for (compass, side) in [
      (110.0, "on your left"), (20, "in front of you"), (290, "on your right"), (200, "behind you"),
    ] {
      mary.compass = compass
      mary.wait(3)
      mary.ask(.repeated(Traveller.mary))
      #expect(mary.heard.last?.contains(side) == true, "\(compass): \(mary.heard)")
    }
  }

  @Test("The compass of another receiver is nobody's here, and an erased resident's is forgotten")
  func others() {
    let mary = Traveller(home: Traveller.start.moved(meters: 600, bearingDegrees: 0))
    mary.show()
    mary.ask(.start(Traveller.mary, to: .home, asks: false))
    for _ in 0..<80 {
      mary.walk(1, 90)
      mary.offer(.observed(.heading(HeadingReport(receiver: "another", degrees: 90))))
    }
    mary.wait(60)
    mary.offer(.observed(.heading(HeadingReport(receiver: "another", degrees: 0))))
    mary.forget()
    mary.ask(.repeated(Traveller.mary))
    #expect(mary.heard.last?.contains("towards the north") == true, "\(mary.heard)")
  }
}
