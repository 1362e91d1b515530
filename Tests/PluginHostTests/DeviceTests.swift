import CareModel
import EventLoop
import Foundation
import PluginHost
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
    if try await fixture.status("device").confinement.hasPrefix("landlock") {
      #expect(lines.contains { $0.hasPrefix("denied other") })
    }
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
    if try await fixture.status("granted").confinement.contains("seccomp") {
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
