import Buttons
import Care
import Gestures
import Loop
import LoopTestSupport
import Moments
import TestSupport
import Testing
import Texts

@Suite(.inVirtualTime) struct ButtonSourceTests {
  @Test(.timeLimit(.minutes(1)))
  @LoopActor func aPressIsToldWithTheKernelsTimeOfItsEdges() async {
    let button = ScriptedButton()
    let watched = WatchedButton(button)
    defer { watched.source.stop() }
    let before = EventLoop.now
    let now = ScriptedButton.now()
    button.send([(true, now - 200_000_000), (false, now - 100_000_000)])
    await watched.wait { watched.gestures.count == 2 }
    #expect(watched.gestures == [.down, .press])
    let (down, up) = (watched.reports[0].edge, watched.reports[1].edge)
    #expect(up.milliseconds(since: down) == 100)
    #expect(up.milliseconds(since: before) >= -105 && up < EventLoop.now)
    #expect(watched.reports.allSatisfy { $0.button == "sos" })
    #expect(watched.codes == ["working"])
  }

  @Test(.timeLimit(.minutes(1)))
  @LoopActor func aHoldIsToldWhileTheButtonIsStillDown() async {
    let button = ScriptedButton()
    let watched = WatchedButton(button)
    defer { watched.source.stop() }
    button.move(true)
    await watched.wait { watched.gestures.contains(.hold) }
    #expect(watched.gestures == [.down, .hold])
    #expect(watched.reports[1].edge == watched.reports[0].edge.advanced(byMilliseconds: 300))
  }

  @Test(.timeLimit(.minutes(1)))
  @LoopActor func aReleaseThatWaitsUnreadBehindABusyLoopIsNoHold() async {
    let button = ScriptedButton()
    let watched = WatchedButton(button)
    defer { watched.source.stop() }
    // Both are past by the time the loop gets to them, and the hold time is long over.
    button.send([
      (true, ScriptedButton.now() - 5_000_000_000), (false, ScriptedButton.now() - 4_750_000_000),
    ])
    await watched.wait { watched.gestures.count == 2 }
    #expect(watched.gestures == [.down, .press])
  }

  @Test(.timeLimit(.minutes(1)))
  @LoopActor func aHoldThatWaitsUnreadBehindABusyLoopIsAHold() async {
    let button = ScriptedButton()
    let watched = WatchedButton(button)
    defer { watched.source.stop() }
    button.send([
      (true, ScriptedButton.now() - 5_000_000_000), (false, ScriptedButton.now() - 4_600_000_000),
    ])
    await watched.wait { watched.gestures.contains(.hold) }
    #expect(watched.gestures == [.down, .hold])
  }

  @Test(.timeLimit(.minutes(1)))
  @LoopActor func aThousandEdgesAtOnceAreAllTakenAndTheHoldIsFound() async {
    let button = ScriptedButton()
    let watched = WatchedButton(button)
    defer { watched.source.stop() }
    let start = ScriptedButton.now() - 2_000_000_000
    button.send(
      (0..<1001).map { (isDown: $0.isMultiple(of: 2), stamp: start + Int64($0) * 1_000_000) })
    await watched.wait { watched.gestures.contains(.hold) }
    #expect(watched.gestures == [.down, .hold])
  }

  @Test(.timeLimit(.minutes(1)))
  @LoopActor func aReleaseThatTheKernelLostIsSeenInTheLevel() async {
    let button = ScriptedButton()
    let watched = WatchedButton(button)
    defer { watched.source.stop() }
    // The descriptor tells only that it went down; asked, the line says that it is up again.
    button.send([(true, ScriptedButton.now())])
    button.setLevel(false)
    await watched.wait { watched.gestures.count == 2 }
    #expect(watched.gestures == [.down, .press])
  }

  @Test(.timeLimit(.minutes(1)), arguments: [Int64.min, -1, 0, Int64.max])
  @LoopActor func aStampOfNoClockCountsAsNow(_ stamp: Int64) async {
    let button = ScriptedButton()
    let watched = WatchedButton(button)
    defer { watched.source.stop() }
    let before = EventLoop.now
    button.send([(true, stamp)])
    await watched.wait { watched.gestures.count == 1 }
    let edge = watched.reports[0].edge
    #expect(edge >= before && edge <= EventLoop.now)
  }

  @Test(.timeLimit(.minutes(1)))
  @LoopActor func severalButtonsDoNotMixTheirPresses() async {
    let (first, second) = (ScriptedButton(), ScriptedButton())
    let one = WatchedButton(first, id: "bed")
    let two = WatchedButton(second, id: "door")
    defer {
      one.source.stop()
      two.source.stop()
    }
    first.move(true, milliseconds: -30)
    second.move(true, milliseconds: -20)
    first.move(false, milliseconds: -10)
    await one.wait { one.gestures.contains(.press) }
    await two.wait { two.gestures.contains(.hold) }
    #expect(one.gestures == [.down, .press])
    #expect(two.gestures == [.down, .hold])
    #expect(two.reports.allSatisfy { $0.button == "door" })
    #expect(two.health.allSatisfy { $0.component == "button/door" })
  }

  @Test(.timeLimit(.minutes(1)))
  @LoopActor func aStuckButtonIsAFaultUntilItIsLoose() async {
    let button = ScriptedButton()
    var times = GestureTimes.quick
    times.stuckMilliseconds = 350
    let watched = WatchedButton(button, times: times)
    defer { watched.source.stop() }
    button.move(true)
    await watched.wait { watched.codes.last == "stuck" }
    #expect(watched.health.last?.state == .degraded)
    button.move(false)
    await watched.wait { watched.codes.last == "working" }
    #expect(watched.gestures == [.down, .hold, .stuck, .loose])
  }

  @Test(.timeLimit(.minutes(1)))
  @LoopActor func nothingIsToldAfterStop() async {
    let button = ScriptedButton()
    let watched = WatchedButton(button)
    button.move(true)
    await watched.wait {
      if watched.gestures == [.down] { watched.source.stop() }
      return watched.gestures == [.down]
    }
    #expect(button.isReleased)
    // Another button's whole hold passes meanwhile.
    let other = ScriptedButton()
    let later = WatchedButton(other)
    other.move(true)
    await later.wait { later.gestures.contains(.hold) }
    later.source.stop()
    #expect(watched.gestures == [.down])
  }
}

@Suite(.inVirtualTime) struct ButtonComesAndGoesTests {
  @Test(.timeLimit(.minutes(1)))
  @LoopActor func aButtonThatIsMissingAtTheStartIsTakenWhenItComes() async throws {
    let directory = try TemporaryDirectory()
    let button = ScriptedButton(
      trouble: ButtonTrouble(code: "missing", message: Message(verbatim: "Plug it in.")),
      places: [directory.path(of: "by-id/button")])
    let watched = WatchedButton(button)
    defer { watched.source.stop() }
    await watched.wait { watched.codes == ["missing"] }
    #expect(watched.health[0].detail.description == "Plug it in.")
    let missing = EventLoop.now
    button.plugIn()
    // The folder of the name comes with the device, as /dev/input/by-id does.
    try directory.write("", to: "by-id/button")
    await watched.wait { watched.codes.last == "working" }
    let waited = EventLoop.now.milliseconds(since: missing)
    #expect(waited <= 50, "the folder is watched: a moment for its rights, and no pause")
    button.move(true)
    await watched.wait { watched.gestures.contains(.hold) }
  }

  @Test(.timeLimit(.minutes(1)))
  @LoopActor func aButtonThatWasDownWhenItsDeviceVanishedIsNoHoldAndWorksWhenItComesBack() async {
    let button = ScriptedButton()
    let watched = WatchedButton(button)
    defer { watched.source.stop() }
    button.move(true)
    await watched.wait {
      if watched.gestures == [.down] { button.unplug() }
      return watched.gestures == [.down]
    }
    await watched.wait { watched.codes.last == "missing" }
    #expect(watched.codes.prefix(2) == ["working", "unplugged"])
    button.plugIn()
    await watched.wait { watched.codes.last == "working" }
    #expect(watched.gestures == [.down])
    button.move(true)
    await watched.wait { watched.gestures.contains(.hold) }
    #expect(watched.gestures == [.down, .down, .hold])
    #expect(button.opened == 2)
  }

  @Test(.timeLimit(.minutes(1)))
  @LoopActor func aRemoteThatWakesUpPressedIsHeldFromThenOn() async {
    let button = ScriptedButton(
      trouble: ButtonTrouble(code: "missing", message: Message(verbatim: "Wake it.")))
    let watched = WatchedButton(button)
    defer { watched.source.stop() }
    await watched.wait { watched.codes == ["missing"] }
    button.plugIn(isDown: true)
    await watched.wait { watched.gestures.contains(.hold) }
    #expect(watched.gestures == [.down, .hold])
  }

  @Test(.timeLimit(.minutes(1)))
  @LoopActor func aButtonThatIsDownAtTheStartAsksForNothingAndIsSaidToBeStuck() async {
    let button = ScriptedButton(isDown: true)
    var times = GestureTimes.quick
    times.stuckMilliseconds = 350
    let watched = WatchedButton(button, times: times)
    defer { watched.source.stop() }
    await watched.wait { watched.codes.last == "stuck" }
    #expect(watched.gestures == [.stuck])
    button.move(false)
    await watched.wait { watched.gestures.last == .loose }
    button.move(true)
    await watched.wait { watched.gestures.contains(.hold) }
  }

  @Test(.timeLimit(.minutes(1)))
  @LoopActor func aLineThatIsBusyIsSaidOnceAndTakenWhenItIsFree() async {
    let busy = ButtonTrouble(
      code: "busy", message: Message(verbatim: "\"gpiomon\" has the line. End it."))
    let button = ScriptedButton(trouble: busy)
    let watched = WatchedButton(button)
    defer { watched.source.stop() }
    await watched.wait { watched.codes == ["busy"] }
    button.plugIn()
    await watched.wait { watched.codes.last == "working" }
    #expect(watched.codes == ["busy", "working"])
    #expect(watched.health[0].state == .failed)
  }
}
