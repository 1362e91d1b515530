import ControlSocket
import Door
import Foundation
import Glibc
import JSON
import TestSupport
import Testing
import Texts

@Suite struct DoctorTests {
  private func findings(_ tool: Tool, _ path: String) throws -> [String: JSONValue] {
    let outcome = try tool.run(["doctor", "--config", path, "--json"])
    let list = try JSONValue(parsing: outcome.output).arrayContent ?? []
    return Dictionary(
      list.compactMap { finding in finding["subject"]?.stringContent.map { ($0, finding) } },
      uniquingKeysWith: { first, _ in first })
  }

  @Test func aRealGpsdIsFoundWithItsReceiverAndAMissingOneIsNamed() throws {
    let directory = try TemporaryDirectory()
    let gpsd = try Gpsd()
    let path = try directory.write(
      """
      gateway: {state: \(directory.path), runtime: \(directory.path)}
      gps:
        - {name: belt, port: \(gpsd.port)}
        - {name: car, port: \(gpsd.port), device: /dev/homeward-nowhere}
        - {name: boat, port: 1}
      """, to: "homeward.yaml")
    let found = try findings(Tool(), path)
    #expect(found["gps/belt"]?["state"] == "working")
    #expect(
      found["gps/belt receiver"]?["found"]?.stringContent?.contains("udp://127.0.0.1") == true)
    #expect(found["gps/car receiver"]?["found"] == "/dev/homeward-nowhere is not plugged in")
    #expect(found["gps/boat"]?["found"]?.stringContent?.contains("Connection refused") == true)
    #expect(found["configuration"]?["state"] == "working")
    #expect(found["state"]?["state"] != nil && found["disk"]?["state"] == "working")
    #expect(found["clock"] != nil && found["landlock"] != nil)
    gpsd.stop()
  }

  @Test func somethingElseThanGpsdOrABrokerIsToldApart() async throws {
    let directory = try TemporaryDirectory()
    let broker = try Broker(in: directory)
    let gpsd = try Gpsd()
    let path = try directory.write(
      """
      gps: [{name: belt, port: \(broker.port)}]
      plugins: {enabled: [{name: mqtt, settings: {host: 127.0.0.1, port: \(gpsd.port)}}]}
      """, to: "homeward.yaml")
    let found = try findings(Tool(), path)
    #expect(found["gps/belt"]?["state"] == "failed")
    #expect(found["broker"]?["state"] == "failed")
    broker.stop()
    gpsd.stop()
  }

  @Test(
    "A broker of this machine at a port that the plugin may not reach is told with what to write")
  func brokerBehindAClosedPort() async throws {
    let directory = try TemporaryDirectory()
    let broker = try Broker(in: directory)
    let plugins = Checkout.path("plugins")
    func state(_ more: String) throws -> JSONValue? {
      let path = try directory.write(
        """
        plugins:
          directories: [\(plugins)]
          enabled: [{name: mqtt, \(more)settings: {host: localhost, port: \(broker.port)}}]
        """, to: "homeward.yaml")
      return try findings(Tool(), path)["broker"]
    }
    let closed = try state("")
    #expect(closed?["state"] == "failed")
    #expect(closed?["advice"]?.stringContent?.contains("loopback: [\(broker.port)]") == true)
    #expect(try state("loopback: [\(broker.port)], ")?["state"] == "working")
    broker.stop()
  }

  @Test(
    "Each wall that is missing around a plugin is named, with what to do",
    arguments: [
      ("user", "RestrictNamespaces="), ("net", "RestrictNamespaces="), ("group", "Delegate="),
      ("landlock", "lsm="), ("seccomp", "CONFIG_SECCOMP_FILTER"), ("loopback", "pidfd_getfd"),
    ])
  func missingWalls(wall: String, advice: String) async throws {
    let whole: JSONValue = [
      "user": true, "pid": true, "ipc": true, "net": true, "group": true, "landlock": 7,
      "seccomp": true, "loopback": .null,
    ]
    let lacking = whole.setting(wall, to: wall == "landlock" ? 0 : false)
    let daemon = try await FakeDaemon { request in
      request.method == .pluginsList
        ? .success([
          ["name": "email", "state": "running", "confinement": "all", "walls": whole],
          ["name": "mqtt", "state": "running", "confinement": "some", "walls": lacking],
          ["name": "speech", "state": "waiting"],
        ]) : .failure(ControlError(.unavailable, Message(verbatim: "not now")))
    }
    let directory = try TemporaryDirectory()
    let path = try directory.write("gps: []\n", to: "homeward.yaml")
    let found = try findings(daemon.tool, path)
    #expect(found["walls/email"]?["state"] == "working")
    #expect(found["walls/mqtt"]?["state"] == "warning")
    #expect(found["walls/mqtt"]?["advice"]?.stringContent?.contains(advice) == true)
    #expect(found["walls/speech"] == nil)
    await daemon.stop()
  }

  @Test func faultsOfTheConfigurationAreEachShownWithTheirPlace() throws {
    let directory = try TemporaryDirectory()
    let path = try directory.write("lgo: 1\ngps: [{name: a, port: 0}]\n", to: "homeward.yaml")
    let outcome = try Tool().run(["doctor", "--config", path])
    #expect(outcome.code == 1)
    #expect(
      outcome.output.contains("homeward.yaml:1:1: there is no key \"lgo\". Did you mean \"log\"?"))
    #expect(outcome.output.contains("homeward.yaml:2:23: \"port\" must be"))
    #expect(outcome.errors.contains("checks failed"))
  }

  @Test func aStateFolderThatOthersMayReadIsAWarning() throws {
    let directory = try TemporaryDirectory()
    chmod(directory.path, 0o755)
    let path = try directory.write("gateway: {state: \(directory.path)}", to: "homeward.yaml")
    #expect(try findings(Tool(), path)["state"]?["state"] == "warning")
    chmod(directory.path, 0o700)
    #expect(try findings(Tool(), path)["state"]?["state"] == "working")
  }

  @Test func aDaemonWithAFailedPartIsNotFine() async throws {
    let daemon = try await FakeDaemon { _ in
      .success([
        "healthy": false, "version": "9.9",
        "components": [
          ["component": "gps/belt", "state": "failed", "detail": "no report for 90 s"]
        ],
      ])
    }
    let found = try findings(daemon.tool, "/nowhere")
    #expect(found["daemon"]?["state"] == "warning")
    #expect(found["daemon"]?["found"]?.stringContent?.contains("no report for 90 s") == true)
    await daemon.stop()
  }

  @Test("The state folder that is looked at is the one that the running daemon has")
  func stateOfTheDaemon() async throws {
    let (used, configured) = (try TemporaryDirectory(), try TemporaryDirectory())
    chmod(used.path, 0o755)
    let daemon = try await FakeDaemon { request in
      request.method == .status
        ? .success(["state": .string(used.path)]) : .success(["version": "9.9"])
    }
    let path = try configured.write("gateway: {state: /nowhere/at/all}", to: "homeward.yaml")
    let environment = ["HOMEWARD_CONFIG": path]
    let tool = Tool(environment: daemon.tool.environment.merging(environment) { $1 })
    let outcome = try tool.run(["doctor", "--json"])
    let list = try JSONValue(parsing: outcome.output).arrayContent ?? []
    let found = list.first { $0["subject"] == "state" }
    #expect(found?["found"]?.stringContent?.contains(used.path) == true, "\(outcome.output)")
    #expect(found?["state"] == "warning")
    #expect(
      list.first { $0["subject"] == "disk" }?["found"]?.stringContent?.contains(used.path) == true)
    await daemon.stop()
    let offline = try findings(Tool(), path)
    #expect(offline["state"]?["found"]?.stringContent?.contains("/nowhere/at/all") == true)
  }
}

/// A real gpsd that listens for a receiver on UDP.
final class Gpsd {
  let port: Int
  private let process: ChildProcess

  init() throws {
    port = try freePort()
    process = try ChildProcess(
      "/usr/sbin/gpsd", ["-N", "-n", "-S", "\(port)", "udp://127.0.0.1:\(try freePort())"])
    while !answers(port) { guard kill(process.pid, 0) == 0 else { throw Broker.NotStarted() } }
  }

  func stop() {
    process.stop()
  }
}
