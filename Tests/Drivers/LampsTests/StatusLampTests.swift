import Care
import Foundation
import GPIOLines
import Loop
import LoopTestSupport
import Moments
import TestSupport
import Testing

@testable import Lamps

/// A folder that plays the kernel's lights.
private final class Lights {
  let directory: TemporaryDirectory

  init(triggers: String = "[none] kbd-scrolllock timer heartbeat", brightest: Int = 255) throws {
    directory = try TemporaryDirectory()
    try directory.write("\(triggers)\n", to: "lamp/trigger")
    try directory.write("\(brightest)\n", to: "lamp/max_brightness")
    for name in ["brightness", "delay_on", "delay_off"] {
      try directory.write("0\n", to: "lamp/\(name)")
    }
  }

  func text(_ name: String) -> String {
    (try? String(contentsOfFile: directory.path(of: "lamp/\(name)"), encoding: .utf8)) ?? "?"
  }

  func remove(_ name: String) throws {
    try FileManager.default.removeItem(atPath: directory.path(of: name))
  }

  var options: StatusLamp.Options {
    StatusLamp.Options(light: .led("lamp"), ledFolder: directory.path)
  }
}

@LoopActor
private final class WatchedLamp {
  let lamp: StatusLamp
  private(set) var health: [HealthReport] = []

  init(_ options: StatusLamp.Options) {
    lamp = StatusLamp(options: options)
    lamp.start { [weak self] observation in
      guard case .health(let report) = observation else {
        Issue.record("a lamp says \(observation)")
        return
      }
      self?.health.append(report)
    }
  }
}

@Suite struct LampPatternTests {
  @Test func signalsThatMeanDifferentThingsLookDifferent() {
    let blinking: [LampSignal] = [.stored, .sent, .delivered, .failed]
    let patterns = Set(blinking.map(LampPattern.pattern(for:)))
    #expect(patterns.count == blinking.count)
    #expect(patterns.allSatisfy { !$0.isSteady })
    #expect(LampPattern.pattern(for: .off) == .steady(false))
    #expect(LampPattern.pattern(for: .acknowledged) == .steady(true))
    #expect(LampPattern.pattern(for: .pressed) == .steady(true))
  }

  @Test(arguments: LampSignal.allCases)
  func everyStepLastsAndLightAndDarkTakeTurns(_ signal: LampSignal) {
    let steps = LampPattern.pattern(for: signal).steps
    #expect(!steps.isEmpty && steps.allSatisfy { $0.milliseconds >= 100 })
    for (first, second) in zip(steps, steps.dropFirst() + steps.prefix(1)) where steps.count > 1 {
      #expect(first.isOn != second.isOn)
    }
  }
}

@Suite(.inVirtualTime) struct KernelLightTests {
  @Test @LoopActor func steadySignalsSetTheBrightnessAndNothingElse() throws {
    let lights = try Lights()
    let watched = WatchedLamp(lights.options)
    #expect(lights.text("brightness") == "0")
    watched.lamp.show(.pressed)
    #expect(lights.text("brightness") == "255")
    watched.lamp.show(.off)
    #expect(lights.text("brightness") == "0")
    watched.lamp.show(.acknowledged)
    #expect(lights.text("brightness") == "255")
    watched.lamp.stop()
    #expect(lights.text("brightness") == "0")
    #expect(watched.health.map(\.state) == [.working])
  }

  @Test @LoopActor func evenBlinkingIsLeftToTheKernel() throws {
    let lights = try Lights()
    let watched = WatchedLamp(lights.options)
    watched.lamp.show(.stored)
    #expect(lights.text("trigger") == "timer")
    #expect(lights.text("delay_on") == "1000" && lights.text("delay_off") == "1000")
    watched.lamp.show(.failed)
    #expect(lights.text("delay_on") == "100" && lights.text("delay_off") == "100")
    watched.lamp.show(.acknowledged)
    #expect(lights.text("trigger") == "none" && lights.text("brightness") == "255")
    watched.lamp.stop()
  }

  @Test @LoopActor func aLightThatShowedSomethingElseIsTakenOver() throws {
    let lights = try Lights(triggers: "none timer [heartbeat]", brightest: 1)
    let watched = WatchedLamp(lights.options)
    #expect(lights.text("trigger") == "none" && lights.text("brightness") == "0")
    watched.lamp.show(.pressed)
    #expect(lights.text("brightness") == "1")
    watched.lamp.stop()
  }

  @Test @LoopActor func aKernelThatCannotBlinkLeavesItToUs() throws {
    let lights = try Lights(triggers: "[none] heartbeat")
    let watched = WatchedLamp(lights.options)
    watched.lamp.show(.stored)
    #expect(lights.text("trigger") == "[none] heartbeat\n" && lights.text("brightness") == "255")
    watched.lamp.stop()
  }

  @Test @LoopActor func timesThatOnlyRootMayWriteLeaveTheBlinkingToUs() throws {
    let lights = try Lights()
    try lights.remove("lamp/delay_on")
    let watched = WatchedLamp(lights.options)
    watched.lamp.show(.stored)
    #expect(lights.text("trigger") == "none" && lights.text("brightness") == "255")
    #expect(watched.health.last?.state == .working)
    watched.lamp.stop()
  }

  @Test @LoopActor func aLightThatIsNotThereIsAFaultAndFoundWhenThereIsSomethingToShow() throws {
    let lights = try Lights()
    let options = StatusLamp.Options(light: .led("other"), ledFolder: lights.directory.path)
    let watched = WatchedLamp(options)
    #expect(watched.health.map(\.code) == ["no-light"])
    #expect(watched.health[0].state == .failed && watched.health[0].component == "lamp")
    watched.lamp.show(.pressed)
    for name in ["trigger", "brightness", "max_brightness"] {
      try lights.directory.write(name == "trigger" ? "[none]" : "9", to: "other/\(name)")
    }
    watched.lamp.show(.acknowledged)
    #expect(watched.health.map(\.state) == [.failed, .working])
    let shown = try String(
      contentsOfFile: lights.directory.path(of: "other/brightness"), encoding: .utf8)
    #expect(shown == "9")
    watched.lamp.stop()
  }

  @Test @LoopActor func aLightThatComesIsFoundWithinAMinute() async throws {
    let lights = try Lights()
    let watched = WatchedLamp(
      StatusLamp.Options(light: .led("other"), ledFolder: lights.directory.path))
    watched.lamp.show(.acknowledged)
    await EventLoop.pass(milliseconds: 59_000)
    for name in ["trigger", "brightness", "max_brightness"] {
      try lights.directory.write(name == "trigger" ? "[none]" : "9", to: "other/\(name)")
    }
    #expect(watched.health.map(\.state) == [.failed])
    await EventLoop.pass(milliseconds: 1000)
    #expect(watched.health.map(\.state) == [.failed, .working])
    #expect(lights.text("../other/brightness") == "9")
    watched.lamp.stop()
  }

  @Test @LoopActor func aLightThatVanishesIsAFault() throws {
    let lights = try Lights()
    let watched = WatchedLamp(lights.options)
    try lights.remove("lamp")
    watched.lamp.show(.pressed)
    #expect(watched.health.map(\.state) == [.working, .failed])
    watched.lamp.stop()
  }

  @Test @LoopActor func noLampAtAllIsNoFault() {
    let watched = WatchedLamp(.init())
    watched.lamp.show(.pressed)
    watched.lamp.setBuzzer(isOn: true)
    #expect(watched.health.map(\.state) == [.unused])
    watched.lamp.stop()
  }

  @Test @LoopActor func aBuzzerThatIsNotThereLeavesTheLightWorkingInPart() throws {
    let lights = try Lights()
    var options = lights.options
    options.buzzer = GPIOLine(chip: "no-such-chip", line: "3")
    let watched = WatchedLamp(options)
    watched.lamp.show(.pressed)
    #expect(lights.text("brightness") == "255")
    #expect(watched.health.map(\.state) == [.degraded])
    #expect(watched.health[0].code == "buzzer-no-chip")
    watched.lamp.stop()
  }
}

@Suite(.inVirtualTime) struct BlinkerTests {
  /// An output that notes when it was switched.
  @LoopActor private final class Notes {
    var switched: [(isOn: Bool, at: Tick)] = []

    func note(_ isOn: Bool) { switched.append((isOn, EventLoop.now)) }
  }

  private final class NotingOutput: LampOutput {
    let notes: Notes
    init(_ notes: Notes) { self.notes = notes }
    func set(_ isOn: Bool) throws(LampTrouble) { notes.note(isOn) }
    func blink(onMilliseconds: Int64, offMilliseconds: Int64) throws(LampTrouble) -> Bool { false }
  }

  @Test @LoopActor func aPatternIsPlayedStepByStepAndInTime() async {
    let notes = Notes()
    let blinker = Blinker(NotingOutput(notes)) { Issue.record("\($0)") }
    let start = EventLoop.now
    blinker.play(.blinking(20, 10, 20, 30))
    await EventLoop.pass(milliseconds: 135)
    blinker.stop()
    let shown = notes.switched.prefix(8)
    #expect(shown.map(\.isOn) == [true, false, true, false, true, false, true, false])
    let times = shown.map { $0.at.milliseconds(since: start) }
    #expect(times == [0, 20, 30, 50, 80, 100, 110, 130])
    #expect(notes.switched.last?.isOn == false)
    let count = notes.switched.count
    await EventLoop.pass(milliseconds: 10_000)
    #expect(notes.switched.count == count)
  }
}
