import Foundation
import JSON
import Loop
import Plugins
import TestSupport
import Testing

/// Devices and the system bus, which a plugin reaches only where the owner let it.
@LoopActor
@Suite struct DeviceTests {
  nonisolated private static let daemon = ["/usr/bin/dbus-daemon"].first {
    FileManager.default.isExecutableFile(atPath: $0)
  }

  private func plugin(_ name: String, _ terminals: [PseudoTerminal], bus: String) -> ZooPlugin {
    var plugin = ZooPlugin("device", name: name)
    plugin.settings = [
      "listed": .string(terminals[0].path), "other": .string(terminals[1].path),
      "bus": .string(bus),
    ]
    return plugin
  }

  @Test func aDeviceThatIsListedIsUsedAndNoOther() async throws {
    let terminals = [try PseudoTerminal(), try PseudoTerminal()]
    let fixture = try HostFixture()
    var configuration = try fixture.configuration(plugin("device", terminals, bus: "/nowhere"))
    configuration.devicePaths = [terminals[0].path, "/dev/homeward-is-not-there"]
    fixture.start(configurations: [configuration])
    await fixture.waitForLog(of: "device", containing: "looked around")
    let lines = fixture.log(of: "device")
    #expect(lines.contains("listed: used"))
    if try await fixture.walls("device").landlock > 0 {
      #expect(lines.contains { $0.hasPrefix("denied other") })
    }
    await fixture.stop()
  }

  /// In each case the path leads to nothing, or to another device, when the plugin is let in; a link stands for what udev
  /// makes.
  @Test(arguments: [true, false])
  func aDeviceThatComesLaterIsLetIn(isReplaced: Bool) async throws {
    let terminals = [try PseudoTerminal(), try PseudoTerminal()]
    let fixture = try HostFixture()
    fixture.timings.deviceMilliseconds = 50
    let link = fixture.directory.path(of: "devices/by-id/modem")
    var plugin = plugin("device", terminals, bus: "/nowhere")
    plugin.settings = [
      "listed": .string(link), "other": .string(terminals[1].path), "bus": "/nowhere",
    ]
    if isReplaced { try Self.link(link, to: terminals[1].path) }
    var configuration = try fixture.configuration(plugin)
    configuration.devicePaths = [link]
    fixture.start(configurations: [configuration])
    await fixture.waitForLog(of: "device", containing: "looked around")
    if !isReplaced { #expect(fixture.log(of: "device").contains { $0.hasPrefix("denied listed") }) }
    guard try await fixture.walls("device").landlock > 0 else {
      return await fixture.stop()
    }
    let before = fixture.log(of: "device").count
    if isReplaced { try FileManager.default.removeItem(atPath: link) }
    try Self.link(link, to: terminals[0].path)
    await fixture.wait {
      let log = fixture.log(of: "device").dropFirst(before)
      return log.contains("listed: used") && log.contains("looked around")
    }
    #expect(fixture.log(of: "device").contains { $0.hasPrefix("a device of it has come") })
    // A device that leaves is no reason to start anew; one that comes again is.
    let after = fixture.log(of: "device").count
    try FileManager.default.removeItem(atPath: link)
    try Self.link(link, to: terminals[1].path)
    await fixture.wait {
      fixture.log(of: "device").dropFirst(after).contains("looked around")
    }
    #expect(
      fixture.log(of: "device").filter { $0.hasPrefix("a device of it has come") }.count == 2)
    await fixture.stop()
  }

  private static func link(_ path: String, to target: String) throws {
    try FileManager.default.createDirectory(
      atPath: URL(fileURLWithPath: path).deletingLastPathComponent().path,
      withIntermediateDirectories: true)
    try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: target)
  }

  /// The gap in which a modem on USB slipped through: it came after the host had looked and before the plugin did.
  @Test func aDeviceThatComesWhileThePluginStartsIsLetIn() async throws {
    let terminals = [try PseudoTerminal(), try PseudoTerminal()]
    let fixture = try HostFixture()
    fixture.timings.deviceMilliseconds = 50
    let link = fixture.directory.path(of: "devices/modem")
    var plugin = plugin("device", terminals, bus: "/nowhere")
    plugin.settings = [
      "listed": .string(link), "other": .string(terminals[1].path), "bus": "/nowhere",
    ]
    var configuration = try fixture.configuration(plugin)
    configuration.devicePaths = [link]
    fixture.start(configurations: [configuration])
    // The process exists and its rules are settled; it has not opened anything yet, or it has: both must end well.
    try Self.link(link, to: terminals[0].path)
    await fixture.waitForLog(of: "device", containing: "listed: used")
    await fixture.stop()
  }

  @Test(.enabled(if: daemon != nil, "dbus-daemon is not installed"))
  func theSystemBusNeedsTheGrantAndComesAsOneConnection() async throws {
    let terminals = [try PseudoTerminal(), try PseudoTerminal()]
    let fixture = try HostFixture()
    let socket = fixture.directory.path(of: "bus")
    let bus = try ChildProcess(
      "dbus-daemon", ["--session", "--nofork", "--nopidfile", "--address=unix:path=\(socket)"],
      log: fixture.directory.path(of: "bus.log"))
    #expect(
      Eventually.holds(withinSeconds: 10) { FileManager.default.fileExists(atPath: socket) })
    fixture.systemBus = socket
    var granted = plugin("granted", terminals, bus: socket)
    granted.asks = ["bus.system"]
    granted.granted = ["bus.system"]
    var refused = plugin("refused", terminals, bus: socket)
    refused.asks = ["bus.system"]
    try fixture.start([granted, refused])
    await fixture.waitForLog(of: "granted", containing: "looked around")
    await fixture.waitForLog(of: "refused", containing: "looked around")
    #expect(fixture.log(of: "granted").contains("bus: OK"))
    #expect(!fixture.log(of: "refused").contains { $0.contains("bus:") })
    if try await fixture.walls("granted").hasSeccomp {
      for name in ["granted", "refused"] {
        #expect(fixture.log(of: name).contains { $0.hasPrefix("denied socket") })
      }
    }
    await fixture.stop()
    bus.stop()
  }

  @Test func withoutABusThePluginStartsAndFindsNone() async throws {
    let terminals = [try PseudoTerminal(), try PseudoTerminal()]
    let fixture = try HostFixture()
    fixture.systemBus = fixture.directory.path(of: "absent")
    var granted = plugin("granted", terminals, bus: "/nowhere")
    granted.asks = ["bus.system"]
    granted.granted = ["bus.system"]
    try fixture.start([granted])
    await fixture.waitForLog(of: "granted", containing: "looked around")
    #expect(fixture.log(of: "granted").contains { $0.hasPrefix("denied bus") })
    await fixture.stop()
  }
}
