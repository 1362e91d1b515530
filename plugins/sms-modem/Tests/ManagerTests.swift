import Care
import JSON
import Moments
import PluginKit
import PluginProtocol
import TestSupport
import Testing

@testable import homeward_plugin_sms_modem

/// The plugin with a modem of ModemManager, on a real bus.
@Suite(
  .serialized, .enabled(if: ManagerRig.isPossible, "dbus-daemon or python3-dbus is not installed"))
struct ManagerTests {
  private static let anna: JSONValue = ["number": "+4791234567", "state": 0]

  private func ready(_ settings: JSONValue = .object([])) throws -> ManagerUnderTest {
    let rig = try ManagerRig()
    try rig.ask("plug")
    try rig.ask("own")
    return try ManagerUnderTest(rig, settings: settings)
  }

  @Test func aTextIsSentWithAReportAskedForAndTheReportIsTold() throws {
    let plugin = try ready()
    try plugin.notify("老王 needs help [A7K2] 😀")
    #expect(try plugin.delivery().outcome == .sent)
    #expect(try plugin.rig.sent() == ["老王 needs help [A7K2] 😀"])
    #expect(try plugin.rig.state()["reports"] == [true])
    // Still trying; then it has arrived.
    try plugin.rig.ask("report", ["number": "+4791234567", "state": 0x30])
    try plugin.rig.ask("report", Self.anna)
    let notice = try plugin.delivery()
    #expect(notice.outcome == .delivered && notice.recipient == "anna")
    // Neither the message nor the reports stay in the modem.
    #expect(plugin.rig.waits(for: "stored", toBe: 0))
  }

  @Test func aReportAtTheMessageItselfIsToldToo() throws {
    let plugin = try ready()
    for (state, outcome) in [(0, DeliveryReport.Outcome.delivered), (0x41, .failed)] {
      try plugin.notify("help", attempt: Int64(state + 1))
      #expect(try plugin.delivery().outcome == .sent)
      try plugin.rig.ask("report", ["at": true, "state": 0x20])
      try plugin.rig.ask("report", ["at": true, "state": .integer(Int64(state))])
      #expect(try plugin.delivery().outcome == outcome)
      #expect(plugin.rig.waits(for: "stored", toBe: 0))
    }
  }

  @Test func aReportThatOvertakesTheAnswerToSendingIsNotLost() throws {
    let plugin = try ready()
    try plugin.rig.ask("mode", ["sends": ["report first"]])
    try plugin.notify("help")
    #expect(try plugin.delivery().outcome == .sent)
    #expect(try plugin.delivery().outcome == .delivered)
  }

  @Test func aLongTextIsDeliveredWhenAllItsPartsAre() throws {
    let plugin = try ready()
    try plugin.rig.ask("options", ["parts": 2])
    try plugin.notify(String(repeating: "0123456789", count: 20))
    #expect(try plugin.delivery().outcome == .sent)
    try plugin.rig.ask("report", Self.anna)
    #expect(plugin.rig.waits(for: "stored", toBe: 1))
    #expect(!plugin.process.output.remaining.contains { $0.contains("delivered") })
    try plugin.rig.ask("report", Self.anna.setting("back", to: 1))
    #expect(try plugin.delivery().outcome == .delivered)
  }

  @Test func aRefusalIsTriedAgainAndThenToldWithItsReason() throws {
    let plugin = try ready()
    let refusal: JSONValue = "refuse Message.NetworkTimeout timeout"
    try plugin.rig.ask("mode", ["sends": [refusal]])
    try plugin.notify("one")
    #expect(try plugin.delivery().outcome == .sent)
    try plugin.rig.ask("mode", ["sends": [refusal, refusal, refusal]])
    try plugin.notify("two", attempt: 2)
    let notice = try plugin.delivery()
    #expect(notice.outcome == .failed)
    #expect(notice.detail == "the network does not answer in time")
    #expect(try plugin.rig.sent() == ["one"])
  }

  @Test func aReplyAcknowledgesAndIsDeletedAfterTheAnswer() throws {
    let plugin = try ready()
    try plugin.notify("help")
    _ = try plugin.delivery()
    try plugin.rig.ask("report", Self.anna)
    _ = try plugin.delivery()
    #expect(plugin.rig.waits(for: "stored", toBe: 0))
    // A part is missing at first; the time has no minutes in its zone.
    let now = Timestamp(milliseconds: WallClock.now.milliseconds + 3_600_000)
    let time = "\(now.iso8601.prefix(19))+01"
    try plugin.rig.ask(
      "receive",
      ["number": "+4791234567", "text": "", "state": 2, "timestamp": .string(time)])
    #expect(try plugin.rig.number("stored") == 1)
    try plugin.rig.ask("complete", ["text": "1 a7k2"])
    let command = try plugin.command()
    #expect(command.principal == "+4791234567")
    #expect(
      command.request == .alarm(.acknowledge(alarm: "A7K2", by: nil)))
    #expect(plugin.rig.waits(for: "stored", toBe: 0))
  }

  @Test func aMessageThatCameBeforeTheStartIsReadAndAStrangersIsIgnored() throws {
    let rig = try ManagerRig()
    try rig.ask("plug")
    try rig.ask("receive", ["number": "+4799999999", "text": "1"])
    try rig.ask("receive", ["number": "Bank", "text": "1"])
    try rig.ask("own")
    let plugin = try ManagerUnderTest(rig)
    #expect(rig.waits(for: "stored", toBe: 0))
    #expect(!plugin.process.output.remaining.contains { $0.contains("acknowledge") })
  }

  @Test func theModemIsSwitchedOnAndItsCardUnlocked() throws {
    let rig = try ManagerRig()
    try rig.ask("plug", ["state": 2, "lock": 2, "messages": false])
    try rig.ask("own")
    let plugin = try ManagerUnderTest(rig, settings: ["pin": "1234"])
    try plugin.notify("help")
    #expect(try plugin.delivery().outcome == .sent)
    #expect(try rig.state()["pins"] == ["1234"])
    #expect(try rig.number("enabled") == 1)
  }

  @Test func aWrongPINIsTriedOnceAlsoOverRestarts() throws {
    let rig = try ManagerRig()
    try rig.ask("plug", ["state": 2, "lock": 2, "messages": false])
    try rig.ask("own")
    let first = try ManagerUnderTest(rig, settings: ["pin": "9999"], expecting: "sim")
    #expect(try first.logged("not tried again").contains("correct it"))
    try first.call(PluginMethod.shutdown, .object([]))
    _ = try ManagerUnderTest(rig, settings: ["pin": "9999"], state: first.state, expecting: "sim")
    #expect(try rig.state()["pins"] == ["9999"])
  }

  @Test func whatIsWrongIsSaidInWords() throws {
    let plugin = try ready()
    try plugin.rig.ask("network", ["registration": 2])
    #expect(try plugin.health("no-network").state == .degraded)
    try plugin.rig.ask("network", ["registration": 3])
    #expect(try plugin.health("denied").detail.contains("credit"))
    try plugin.rig.ask("network", ["registration": 5, "signal": 10])
    #expect(try plugin.health("weak-signal").detail.contains("antenna"))
    try plugin.rig.ask("unplug")
    #expect(try plugin.health("no-modem").state == .failed)
    try plugin.rig.ask("plug", ["state": -1, "messages": false])
    #expect(try plugin.health("sim").detail.contains("no SIM card"))
    try plugin.rig.ask("unplug")
    try plugin.rig.ask("options", ["enable_refusals": 1])
    try plugin.rig.ask("plug", ["state": 3])
    #expect(try plugin.health("modem-fails").detail.contains("polkit"))
    // It is tried again after a rest.
    #expect(try plugin.health("").state == .working)
    try plugin.rig.ask("disown")
    #expect(try plugin.health("no-modemmanager").state == .failed)
  }

  @Test func theModemThatIsWantedIsTakenAndNoOther() throws {
    let other = try ManagerRig()
    try other.ask("plug")
    try other.ask("own")
    let plugin = try ManagerUnderTest(
      other, settings: ["modem": "350000000000006"], expecting: "no-modem")
    #expect(try plugin.logged("350000000000006").contains("plugged in"))
    for name in ["490154203237518", "/sys/devices/usb1/1-1", "/dev/cdc-wdm0"] {
      _ = try ready(["modem": .string(name)])
    }
  }
}
