import Care
import Gestures
import Moments
import Testing

@Suite struct GestureTests {
  @Test(
    arguments: [
      ([1000, 1200], ["down@1000", "press@1200"]),
      ([1000, 1200, 1500, 1700], ["down@1000", "down@1500", "double@1700"]),
      (
        [1000, 1100, 1400, 1500, 1800, 1900],
        ["down@1000", "down@1400", "down@1800", "triple@1900"]
      ),
      // The gap between presses: 400 ms belong together, 401 do not.
      ([1000, 1100, 1499, 1600], ["down@1000", "down@1499", "double@1600"]),
      ([1000, 1100, 1501, 1600], ["down@1000", "press@1100", "down@1501", "press@1600"]),
      // Five quick presses of a shaking hand are one triple, and nothing else.
      (
        [0, 100, 200, 300, 400, 500, 600, 700, 800, 900],
        ["down@0", "down@200", "down@400", "triple@500", "down@600", "down@800"]
      ),
      // One millisecond short of three seconds is a press.
      ([1000, 3999], ["down@1000", "press@3999"]),
      ([1000, 4000], ["down@1000", "hold@4000"]),
      ([1000, 9000], ["down@1000", "hold@4000"]),
      // A hold swallows the presses before it.
      ([0, 100, 300, 3300], ["down@0", "down@300", "hold@3300"]),
      ([0, 100, 300, 400, 600, 3700], ["down@0", "down@300", "down@600", "hold@3600"]),
      // After a hold all begins anew.
      ([0, 3100, 3300, 3400], ["down@0", "hold@3000", "down@3300", "press@3400"]),
      // Bounce at both ends is neither a press more nor a press less.
      ([1000, 1001, 1003, 1004, 1006, 1200, 1201, 1202, 1204, 1205], ["down@1000", "press@1205"]),
      // Open for 19 ms is bounce, for 20 ms a release.
      ([0, 1000, 1019, 1300], ["down@0", "press@1300"]),
      ([0, 1000, 1020, 1300], ["down@0", "down@1020", "double@1300"]),
      // A worn contact opens again and again under the finger.
      ([0, 1000, 1015, 2000, 2019, 2990, 3005, 3500], ["down@0", "hold@3000"]),
    ] as [([Int64], [String])])
  func edgesBecomeGestures(_ edges: [Int64], _ gestures: [String]) {
    #expect(Finger.play(edges) == gestures)
  }

  @Test func aHoldIsToldAtThreeSecondsAndNotWhenLetGo() {
    var finger = Finger()
    finger.down(1000)
    finger.wait(until: 3999)
    #expect(finger.told == ["down@1000"])
    finger.wait(until: 4000)
    #expect(finger.told == ["down@1000", "hold@4000"])
    #expect(finger.toldAt == [1000, 4000])
  }

  @Test func aReleaseBeforeThreeSecondsIsNoHoldHoweverLateTheTimerFires() {
    var recognizer = GestureRecognizer()
    _ = recognizer.edge(isDown: true, at: .seconds(10))
    // The loop was busy for seconds: the release waits in the kernel and is read first.
    let release = recognizer.edge(isDown: false, at: Finger.tick(12_900))
    let later = recognizer.time(at: .seconds(20))
    #expect(release.isEmpty)
    #expect(later.map(\.gesture) == [.press])
  }

  @Test func aTripleIsToldWithTheThirdReleaseAndADoubleWhenTheGapIsOver() {
    var finger = Finger()
    for press in [0, 300, 600] as [Int64] {
      finger.down(press)
      finger.up(press + 100)
    }
    finger.wait(until: 5000)
    #expect(finger.told.last == "triple@700")
    #expect(finger.toldAt.last == 720)
    var double = Finger()
    for press in [0, 300] as [Int64] {
      double.down(press)
      double.up(press + 100)
    }
    double.wait(until: 5000)
    #expect(double.toldAt.last == 800)
  }

  @Test func aButtonDownForAMinuteIsStuckAndComesLooseWhenItOpens() {
    var finger = Finger()
    finger.down(0)
    finger.wait(until: 120_000)
    #expect(finger.recognizer.isStuck)
    #expect(finger.recognizer.nextWake == nil)
    finger.up(120_000)
    finger.wait(until: 121_000)
    #expect(finger.told == ["down@0", "hold@3000", "stuck@60000", "loose@120000"])
    #expect(!finger.recognizer.isStuck)
    finger.down(130_000)
    finger.wait(until: 133_000)
    #expect(finger.told.suffix(2) == ["down@130000", "hold@133000"])
  }

  @Test func edgesToldTwiceChangeNothing() {
    var once = Finger()
    var twice = Finger()
    for (index, edge) in ([100, 300, 500, 700, 2000, 6000] as [Int64]).enumerated() {
      once.edge(index.isMultiple(of: 2), edge)
      twice.edge(index.isMultiple(of: 2), edge)
      twice.edge(index.isMultiple(of: 2), edge + 1)
    }
    once.wait(until: 10_000)
    twice.wait(until: 10_000)
    #expect(once.told == twice.told)
    #expect(once.told.contains("hold@5000"))
  }

  @Test func anEdgeFromThePastCountsAsOfNow() {
    var recognizer = GestureRecognizer()
    _ = recognizer.edge(isDown: true, at: .seconds(10))
    let found = recognizer.edge(isDown: false, at: .seconds(2))
    #expect(found.isEmpty)
    #expect(recognizer.nextWake == Finger.tick(10_020))
    let press = recognizer.time(at: .seconds(20))
    #expect(press == [RecognizedGesture(.press, at: .seconds(10))])
  }

  @Test func aLostReleaseDoesNotMakeTwoPressesOne() {
    // Down, (up lost), down again: the second says nothing new, and the contact is down all the while.
    var finger = Finger()
    finger.down(0)
    finger.down(1500)
    finger.up(1600)
    finger.wait(until: 5000)
    #expect(finger.told == ["down@0", "press@1600"])
  }

  @Test func theEndOfTimeDoesNotTrap() {
    for start in [Int64.min, -1, 0, Int64.max - 1, Int64.max] {
      var recognizer = GestureRecognizer()
      _ = recognizer.edge(isDown: true, at: Tick(nanoseconds: start))
      _ = recognizer.time(at: Tick(nanoseconds: .max))
      _ = recognizer.edge(isDown: false, at: Tick(nanoseconds: .min))
      _ = recognizer.detach(at: Tick(nanoseconds: .max))
    }
  }
}

@Suite struct DeviceComesAndGoesTests {
  @Test func aButtonThatWasDownWhileItsDeviceVanishedIsNoHold() {
    var finger = Finger()
    finger.down(0)
    finger.wait(until: 2000)
    finger.note(finger.recognizer.detach(at: Finger.tick(2000)), 2000)
    finger.wait(until: 100_000)
    #expect(finger.told == ["down@0"])
  }

  @Test func aDeviceWhoseLossIsNoticedLateMakesNoHoldOfIt() {
    var recognizer = GestureRecognizer()
    _ = recognizer.edge(isDown: true, at: .seconds(1))
    #expect(recognizer.detach(at: .seconds(30)).isEmpty)
    #expect(recognizer.nextWake == nil)
  }

  @Test func aDeviceThatComesBackPressedHasToBeHeldForAllOfTheTimeAgain() {
    var finger = Finger()
    finger.down(0)
    finger.wait(until: 2000)
    finger.note(finger.recognizer.detach(at: Finger.tick(2000)), 2000)
    let back = finger.recognizer.attach(isDown: true, countsAsPress: true, at: Finger.tick(2500))
    finger.note(back, 2500)
    finger.wait(until: 5499)
    #expect(finger.told == ["down@0", "down@2500"])
    finger.wait(until: 5500)
    #expect(finger.told.last == "hold@5500")
  }

  @Test func aButtonThatIsDownAtTheStartAsksForNothingUntilItWasSeenOpen() {
    var finger = Finger()
    finger.note(finger.recognizer.attach(isDown: true, countsAsPress: false, at: Finger.tick(0)), 0)
    finger.wait(until: 59_999)
    #expect(finger.told.isEmpty)
    finger.wait(until: 60_000)
    #expect(finger.told == ["stuck@60000"])
    finger.up(70_000)
    finger.down(71_000)
    finger.wait(until: 74_000)
    #expect(finger.told == ["stuck@60000", "loose@70000", "down@71000", "hold@74000"])
  }

  @Test func aStuckButtonStaysStuckWhenItsDeviceComesBackAndIsLooseWhenItComesBackOpen() {
    var finger = Finger()
    finger.down(0)
    finger.wait(until: 61_000)
    finger.note(finger.recognizer.detach(at: Finger.tick(62_000)), 62_000)
    let down = finger.recognizer.attach(isDown: true, countsAsPress: true, at: Finger.tick(63_000))
    #expect(down.isEmpty && finger.recognizer.isStuck)
    _ = finger.recognizer.detach(at: Finger.tick(64_000))
    let open = finger.recognizer.attach(isDown: false, countsAsPress: true, at: .seconds(65))
    #expect(open == [RecognizedGesture(.loose, at: .seconds(65))])
  }

  @Test func pressesThatWereCompleteCountWhenTheDeviceGoes() {
    var finger = Finger()
    for press in [0, 300] as [Int64] {
      finger.down(press)
      finger.up(press + 100)
    }
    finger.note(finger.recognizer.detach(at: Finger.tick(405)), 405)
    #expect(finger.told == ["down@0", "down@300", "double@400"])
    #expect(finger.recognizer.nextWake == nil)
  }
}
