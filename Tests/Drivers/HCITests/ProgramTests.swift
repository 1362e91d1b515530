import Foundation
import Glibc
import JSON
import TestSupport
import Testing

/// The real homeward-hci with a kernel and a controller played by the test.
@Suite struct ProgramTests {
  private static let oldWords = [
    "01021000", "010c20020000", "010b200700600060000000", "010c20020100",
  ]
  private static let newWords = [
    "01021000", "01032000", "01422006000000000000", "014120080000010060006000",
    "01422006010000000000",
  ]
  /// An advertisement of C0:11:22:33:44:55 with -62 dBm.
  private static let advertisement = "043e0f020100" + "01554433221" + "1c003" + "020106" + "c2"

  @Test(.timeLimit(.minutes(2)))
  func itListensAndTellsAndEndsTheScan() throws {
    let controller = try PlayedController()
    try controller.becomes("up")
    let program = try controller.program()
    let client = try controller.client()
    let state = try client.state("listening")
    #expect(state["adapter"] == "hci0")
    #expect(state["address"] == .string(PlayedController.ownAddress))
    try controller.expect(Self.oldWords)
    controller.say(Self.advertisement)
    let line = try client.lines.take("an advertisement") { $0["data"] != nil }
    #expect(line["address"] == "C0:11:22:33:44:55")
    #expect(line["kind"] == "random")
    #expect(line["rssi"] == -62)
    #expect(line["data"] == "020106")
    let tick = try #require(line["tick"]?.integerContent)
    let uptime = try String(contentsOfFile: "/proc/uptime", encoding: .utf8)
    let seconds = try #require(Double(uptime.split(separator: " ")[0]))
    #expect(abs(Double(tick) / 1e9 - seconds) < 60)
    #expect(program.stop() == 0)
    try controller.expect(["010c20020000"])
    #expect(!FileManager.default.fileExists(atPath: controller.socketPath))
  }

  @Test("It listens and tells while nobody takes its log", .timeLimit(.minutes(2)))
  func itNeedsNoLog() throws {
    let controller = try PlayedController()
    try controller.becomes("up")
    let end = try DeafEnd(.stream)
    let program = try controller.program(error: end.descriptor)
    let client = try controller.client()
    try client.state("listening")
    try controller.expect(Self.oldWords)
    controller.say(Self.advertisement)
    _ = try client.lines.take("an advertisement") { $0["data"] != nil }
    let lines = try #require(end.listen())
    _ = try lines.take("what it had to say") { $0.hasPrefix("homeward-hci: ") }
    #expect(program.stop() == 0)
  }

  @Test(.timeLimit(.minutes(2)))
  func itSpeaksAsBluetooth5DoesAndJoinsPieces() throws {
    let controller = try PlayedController(answers: PlayedController.bluetooth5)
    try controller.becomes("up")
    let program = try controller.program()
    let client = try controller.client()
    try client.state("listening")
    try controller.expect(Self.newWords)
    // Two pieces of the set 1 of 11:22:33:44:55:66, not legacy; the first says that more follows.
    let head = "00665544332211" + "0100" + "01" + "7f" + "c2" + "0000" + "00000000000000"
    controller.say("043e1c0d01" + "2000" + head + "02" + "0609")
    controller.say("043e1f0d01" + "0000" + head + "05" + "4162636465")
    let line = try client.lines.take("an advertisement") { $0["data"] != nil }
    #expect(line["address"] == "11:22:33:44:55:66")
    #expect(line["kind"] == "public")
    #expect(line["data"] == "06094162636465")
    #expect(program.stop() == 0)
    try controller.expect(["01422006000000000000"])
  }

  @Test(.timeLimit(.minutes(2)))
  func itGoesOnAfterAResetAndAfterSilence() throws {
    let controller = try PlayedController()
    try controller.becomes("up")
    let program = try controller.program(["--silence", "1"])
    let client = try controller.client()
    try client.state("listening")
    try controller.expect(Self.oldWords)
    // Silence.
    try controller.expect(Self.oldWords)
    // Somebody resets the controller, or scans by himself.
    controller.say("040e0401030c00")
    try controller.expect(Self.oldWords)
    controller.say(Self.advertisement)
    _ = try client.lines.take("an advertisement") { $0["data"] != nil }
    let states = client.lines.remaining.compactMap { $0["state"]?.stringContent }
    #expect(Set(states).isSubset(of: ["starting"]), "nothing to worry about")
    #expect(program.stop() == 0)
  }

  @Test(.timeLimit(.minutes(2)))
  func theAdapterMayComeGoAndBeSwitchedOff() throws {
    let controller = try PlayedController()
    let program = try controller.program()
    let client = try controller.client()
    try client.state("absent")
    try controller.becomes("down")
    controller.tellOfChange()
    let down = try client.state("down")
    #expect(down["why"]?.stringContent?.contains("hciconfig hci0 up") == true)
    try controller.becomes("up")
    controller.tellOfChange()
    try client.state("listening")
    try controller.unplug()
    try client.state("absent")
    try controller.becomes("up")
    controller.tellOfChange()
    try client.state("listening")
    try controller.becomes("down")
    controller.tellOfChange()
    try client.state("down")
    // Nobody tells: it looks by itself.
    try controller.becomes("up")
    try client.state("listening")
    #expect(program.stop() == 0)
  }

  @Test(.timeLimit(.minutes(2)))
  func refusalsAndSilenceOfTheControllerAreSaidAndTriedAgain() throws {
    let controller = try PlayedController()
    try controller.becomes("up")
    controller.answer { command in
      let isEnable = command == [1, 0x0C, 0x20, 2, 1, 0]
      return isEnable
        ? [PlayedController.done(command, status: 0x12)] : PlayedController.bluetooth4(command)
    }
    let program = try controller.program()
    let client = try controller.client()
    let refusal = try client.state("refusing")
    #expect(refusal["why"] == "The adapter hci0 refuses LE Set Scan Enable: error 0x12.")
    controller.answer { _ in [] }
    try client.state("hung")
    controller.answer(PlayedController.bluetooth4)
    try client.state("listening")
    // It says that it broke down, and recovers.
    controller.say("04100142")
    try client.state("hung")
    try client.state("listening")
    #expect(program.stop() == 0)
  }

  @Test(.timeLimit(.minutes(2)), arguments: [("locked", "forbidden"), ("none", "no-bluetooth")])
  func itSaysWhatKeepsItAndGoesOnWhenThatEnds(_ kernel: String, _ word: String) throws {
    let controller = try PlayedController()
    try controller.becomes(kernel)
    let program = try controller.program()
    let client = try controller.client()
    try client.state(word)
    try controller.becomes("up")
    try client.state("listening")
    #expect(program.stop() == 0)
  }

  @Test(.timeLimit(.minutes(2)))
  func aControllerThatIsHungDoesNotKeepItFromEnding() throws {
    let controller = try PlayedController()
    try controller.becomes("up")
    let program = try controller.program()
    let client = try controller.client()
    try client.state("listening")
    controller.answer { _ in [] }
    #expect(program.stop() == 0)
  }

  @Test(.timeLimit(.minutes(2)))
  func itEndsWhenTheAdapterStaysOffAndCanSwitchItOn() throws {
    let controller = try PlayedController()
    try controller.becomes("down")
    let program = try controller.program(["--end-when-down", "1"])
    #expect(program.wait() == 0)
    #expect(program.log.contains("hci0 stays so: ending"))
    try controller.becomes("up")
    controller.answer { _ in [] }
    #expect(try controller.program(["--end-when-down", "1"]).wait() == 0)
    let other = try controller.program(["--switch-on"])
    #expect(other.wait() == 0)
    #expect(FileManager.default.fileExists(atPath: controller.folder.path(of: "on")))
    try controller.becomes(nil)
    let third = try controller.program(["--switch-on", "--adapter", "hci3"])
    #expect(third.wait() == 1)
    #expect(third.log.contains("The adapter hci3 cannot be switched on (No such device)."))
  }

  @Test(.timeLimit(.minutes(2)))
  func aSlowClientMissesAdvertisementsAndIsToldHowManyWhileOthersMissNone() throws {
    let controller = try PlayedController()
    try controller.becomes("up")
    let program = try controller.program()
    let quick = try controller.client()
    try quick.state("listening")
    let slow = try #require(LineClient(controller.socketPath, reads: false))
    // Who comes after it is welcomed after it, so that from here on it should miss nothing unnoticed.
    let last = try controller.client()
    try last.state("listening")
    let count = 5000
    for _ in 0..<count {
      controller.say(Self.advertisement)
      // One after the other, so that nothing is lost on the way to the program.
      _ = try quick.lines.take("an advertisement") { $0["data"] != nil }
    }
    slow.read()
    let dropped = try #require(
      try slow.lines.take("the number of dropped lines") { $0["dropped"] != nil }["dropped"]?
        .integerContent)
    let kept = Self.heard(slow)
    #expect(dropped > 0 && Int(dropped) + kept == count)
    controller.say(Self.advertisement)
    #expect(Eventually.holds(withinSeconds: 30) { Self.heard(slow) == kept + 1 })
    #expect(program.stop() == 0)
  }

  private static func heard(_ client: LineClient) -> Int {
    client.lines.remaining.count { $0["data"] != nil }
  }

  @Test(.timeLimit(.minutes(2)))
  func whatIsWrongAtTheStartIsSaid() throws {
    let controller = try PlayedController()
    let program = try controller.program()
    _ = try controller.client()
    let second = try controller.program()
    #expect(second.wait() == 1)
    #expect(second.log.contains("Another homeward-hci answers on"))
    program.kill()
    // What is left behind by one that was killed is in nobody's way.
    let third = try controller.program()
    let client = try controller.client()
    try client.state("absent")
    #expect(third.stop() == 0)
    try controller.folder.write("", to: "lines")
    let fourth = try controller.program()
    #expect(fourth.wait() == 1)
    #expect(fourth.log.contains("exists and is no socket"))
    let fifth = try controller.program(["--adapter", "eth0"])
    #expect(fifth.wait() == 2)
    #expect(fifth.log.contains("\"eth0\" is no name of a Bluetooth adapter, such as hci0."))
  }
}
