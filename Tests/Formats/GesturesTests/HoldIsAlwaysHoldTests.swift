import Bytes
import Gestures
import Moments
import Testing

/// A hold is an SOS, always: whatever the contact does under a finger that stays down for three seconds.
@Suite struct HoldIsAlwaysHoldTests {
  private struct Mess {
    var random: SplitMix64

    mutating func draw(_ range: ClosedRange<Int64>) -> Int64 {
      Int64.random(in: range, using: &random)
    }

    /// Openings of under 20 ms while the finger is down from 0 to `end`, told twice or out of order now and then.
    mutating func edges(until end: Int64) -> [(isDown: Bool, at: Int64)] {
      var edges: [(isDown: Bool, at: Int64)] = [(true, 0)]
      var time = draw(1...40)
      while time + 20 < end {
        let gap = draw(1...19)
        edges.append((false, time))
        if draw(0...9) == 0 { edges.append((false, time)) }
        edges.append((true, time + gap))
        if draw(0...9) == 0 { edges.append((true, time + gap - draw(0...30))) }
        time += gap + draw(1...(draw(0...3) == 0 ? 900 : 25))
      }
      edges.append((false, end))
      return edges
    }
  }

  @Test(arguments: 0..<400 as Range<UInt64>)
  func threeSecondsDownAreAHoldInAnyMessOfBounces(_ seed: UInt64) {
    var mess = Mess(random: SplitMix64(seed: seed))
    let end = 3000 + mess.draw(20...3000)
    var finger = Finger()
    // Presses before it, as of somebody who has tried already.
    let earlier = mess.draw(0...2)
    for press in 0..<earlier {
      finger.down(press * 250)
      finger.up(press * 250 + 100)
    }
    let start = earlier * 250
    for edge in mess.edges(until: end) { finger.edge(edge.isDown, start + edge.at) }
    finger.wait(until: start + end + 5000)
    let meant = finger.told.filter { !$0.hasPrefix("down") }
    #expect(meant == ["hold@\(start + 3000)"])
  }

  @Test(arguments: 0..<200 as Range<UInt64>)
  func lessThanThreeSecondsAreNeverAHold(_ seed: UInt64) {
    var mess = Mess(random: SplitMix64(seed: seed &+ 5000))
    let end = mess.draw(100...2999)
    var finger = Finger()
    for edge in mess.edges(until: end) { finger.edge(edge.isDown, edge.at) }
    finger.wait(until: 20_000)
    #expect(finger.told == ["down@0", "press@\(end)"])
  }

  @Test(arguments: 0..<300 as Range<UInt64>)
  func anyEdgesAtAllLeaveNothingPendingAndNothingOutOfOrder(_ seed: UInt64) {
    var mess = Mess(random: SplitMix64(seed: seed &+ 9000))
    var recognizer = GestureRecognizer()
    var ticks: [Tick] = []
    var openAt: Tick?
    for _ in 0..<300 {
      let tick = Finger.tick(mess.draw(0...200_000))
      let isDown = mess.draw(0...1) == 1
      let found =
        mess.draw(0...3) == 0
        ? recognizer.time(at: tick) : recognizer.edge(isDown: isDown, at: tick)
      ticks += found.map(\.tick)
      openAt = max(openAt ?? tick, tick)
    }
    ticks += recognizer.edge(isDown: false, at: .seconds(300)).map(\.tick)
    ticks += recognizer.time(at: .seconds(400)).map(\.tick)
    #expect(recognizer.nextWake == nil)
    #expect(ticks == ticks.sorted())
    #expect(openAt != nil)
  }
}
