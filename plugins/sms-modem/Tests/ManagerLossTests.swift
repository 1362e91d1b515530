import Care
import Foundation
import JSON
import PluginProtocol
import TestSupport
import Testing

@testable import homeward_plugin_sms_modem

/// ModemManager or its modem goes away, at the worst moment.
@Suite(
  .serialized, .enabled(if: ManagerRig.isPossible, "dbus-daemon or python3-dbus is not installed"))
struct ManagerLossTests {
  private func ready(_ settings: JSONValue = .object([])) throws -> ManagerUnderTest {
    let rig = try ManagerRig()
    try rig.ask("plug")
    try rig.ask("own")
    return try ManagerUnderTest(rig, settings: settings)
  }

  @Test func aMessageWaitsForModemManagerAndForAModem() throws {
    let rig = try ManagerRig()
    let plugin = try ManagerUnderTest(rig, expecting: "no-modemmanager")
    try plugin.notify("help")
    try rig.ask("own")
    _ = try plugin.health("no-modem")
    try rig.ask("plug")
    #expect(try plugin.delivery().outcome == .sent)
    #expect(try rig.sent() == ["help"])
  }

  @Test func aModemLostInTheMiddleOfSendingGetsTheMessageOnceItIsBack() throws {
    let plugin = try ready()
    try plugin.rig.ask("mode", ["sends": ["forget"]])
    try plugin.notify("help")
    #expect(plugin.rig.waits(for: "tries", toBe: 1))
    try plugin.rig.ask("unplug")
    _ = try plugin.health("no-modem")
    try plugin.rig.ask("plug")
    #expect(try plugin.delivery().outcome == .sent)
    #expect(try plugin.rig.sent() == ["help"])
  }

  @Test func aModemManagerThatEndsInTheMiddleOfSendingIsSurvived() throws {
    let plugin = try ready()
    try plugin.rig.ask("mode", ["sends": ["forget"]])
    try plugin.notify("help")
    #expect(plugin.rig.waits(for: "tries", toBe: 1))
    try plugin.rig.ask("disown")
    _ = try plugin.health("no-modemmanager")
    try plugin.rig.ask("own")
    #expect(try plugin.delivery().outcome == .sent)
    #expect(try plugin.rig.sent() == ["help"])
    // What came in while nobody looked is found.
    try plugin.rig.ask("disown")
    _ = try plugin.health("no-modemmanager")
    try plugin.rig.ask("receive", ["number": "+4791234567", "text": "1"])
    try plugin.rig.ask("own")
    #expect(try plugin.command().principal == "+4791234567")
  }

  @Test func aBusThatGoesAwayEndsThePluginWhichKeepsWhatWaits() throws {
    let plugin = try ready()
    try plugin.rig.ask("mode", ["sends": ["forget"]])
    try plugin.notify("help")
    #expect(plugin.rig.waits(for: "tries", toBe: 1))
    plugin.rig.stopBus()
    _ = try plugin.logged("starts again")
    // It is written while the message is tried, and is there before the plugin has ended.
    let path = plugin.state.path(of: "modem.json")
    #expect(
      Eventually.holds(withinSeconds: 30) {
        (try? String(contentsOfFile: path, encoding: .utf8))?.contains("help") == true
      })
  }

  @Test func thePortIsUsedWhileModemManagerHasNoModemAndLetGoWhenItHas() throws {
    let terminal = try PseudoTerminal()
    let rig = try ManagerRig()
    // A port where nobody answers: what is sent can only have gone through ModemManager.
    let plugin = try ManagerUnderTest(
      rig, settings: ["port": .string(terminal.path)], expecting: nil)
    _ = try plugin.health("modem-fails")
    try plugin.notify("help")
    try rig.ask("own")
    try rig.ask("plug")
    _ = try plugin.logged("the port is let go")
    #expect(try plugin.delivery().outcome == .sent)
    #expect(try rig.sent() == ["help"])
    try rig.ask("unplug")
    _ = try plugin.logged("the port is used")
    _ = try plugin.health("modem-fails")
  }

  @Test func withBackendPortModemManagerIsLeftAlone() throws {
    let rig = try ManagerRig()
    try rig.ask("plug")
    try rig.ask("own")
    let terminal = try PseudoTerminal()
    let plugin = try ManagerUnderTest(
      rig, settings: ["port": .string(terminal.path), "backend": "port"], expecting: nil)
    _ = try plugin.health("modem-fails")
    #expect(try rig.number("tries") == 0)
  }

  @Test(arguments: [[], [ManagerRig.python, ManagerRig.script, "launch", "none"]])
  func whatModemManagerNeedsAndIsNotThereIsSaid(launch: [String]) throws {
    let words = launch + [ModemUnderTest.program]
    let plugin = try LineProcess(words[0], Array(words.dropFirst()))
    let state = try TemporaryDirectory()
    let request = InitializeRequest(
      protocolVersion: 1, hostVersion: "0.1.0", gateway: "hub",
      settings: ["backend": "modemmanager"], grants: [], stateDirectory: state.path)
    try plugin.write(
      RPCLine.request(id: .number(1), method: PluginMethod.initialize, params: request.json))
    let line = try plugin.output.take("health") { $0.contains("no-bus") }
    #expect(line.contains("grant bus.system"))
  }

  @Test func aBusThatTurnsThePluginAwayLeavesThePortAlone() throws {
    let (terminal, state) = (try PseudoTerminal(), try TemporaryDirectory())
    let plugin = try LineProcess(
      ManagerRig.python, [ManagerRig.script, "launch", "hung-up", ModemUnderTest.program])
    let request = InitializeRequest(
      protocolVersion: 1, hostVersion: "0.1.0", gateway: "hub",
      settings: ["port": .string(terminal.path)], grants: [], stateDirectory: state.path)
    try plugin.write(
      RPCLine.request(id: .number(1), method: PluginMethod.initialize, params: request.json))
    // Nobody answers on the port: it was opened, and stays so.
    _ = try plugin.output.take("health") { $0.contains("modem-fails") }
    #expect(plugin.isRunning)
    #expect(!plugin.log.remaining.contains { $0.contains("starts again") })
  }
}
