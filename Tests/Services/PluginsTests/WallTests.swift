import Care
import Foundation
import Glibc
import JSON
import Loop
import PluginTestSupport
import Plugins
import TestSupport
import Testing

/// What a plugin that is hostile does, and what each wall by itself holds it back from.
@LoopActor
@Suite(.serialized, .timeLimit(.minutes(5)))
struct WallTests {
  private static func combinations() -> [PluginHost.WallSwitches] {
    var all: [PluginHost.WallSwitches] = []
    for landlock in [nil, 6, 4, 2, 0] as [Int?] {
      for namespaces in [true, false] {
        for seccomp in [true, false] {
          var switches = PluginHost.WallSwitches()
          switches.landlockAtMost = landlock
          switches.namespaces = namespaces
          switches.seccomp = seccomp
          all.append(switches)
        }
      }
    }
    return all
  }

  @Test("Each wall by itself holds a hostile plugin without grants back from what it is for")
  func eachWall() async throws {
    let deeds = Hostility.deeds()
    for switches in Self.combinations() {
      let outcome = try await Hostility.run(walls: switches, zoo: HostFixture.zoo)
      let walls = outcome.walls.description
      #expect(outcome.fell.union(outcome.held) == Set(deeds.keys))
      #expect(outcome.unheld == [], "\(walls)")
      if outcome.standing.isEmpty {
        #expect(Hostility.surelyFall.subtracting(outcome.fell) == [], "held by nothing")
      }
      if switches == PluginHost.WallSwitches() { #expect(outcome.fell == [], "\(walls)") }
      print("\(walls): \(outcome.fell.count) of \(deeds.count) deeds succeeded")
    }
  }

  @Test("The warden, which reads what a hostile program wrote, has no rights and few calls itself")
  func confinedWarden() async throws {
    let fixture = try HostFixture()
    try fixture.start([HostFixture.good])
    await fixture.wait(for: "good", .working)
    let pid = try #require(try await fixture.status("good").pid)
    var status = ""
    // The plugin may answer in the same moment in which the warden lets go of its own rights.
    let isConfined = Eventually.holds(withinSeconds: 5) {
      status = (try? String(contentsOfFile: "/proc/\(pid)/status", encoding: .utf8)) ?? ""
      return [
        "Name:\thomeward-warden", "NoNewPrivs:\t1", "Seccomp:\t2", "CapEff:\t0000000000000000",
      ].allSatisfy { status.contains($0) }
    }
    #expect(isConfined, "\(status)")
    await fixture.stop()
  }

  @Test(
    "No wall has a hole for any kind of the plugins' grants and devices, with any version of Landlock"
  )
  func eachPlugin() async throws {
    let plugins = Checkout.root.appendingPathComponent("plugins")
    let table = try await WallTable.run(
      plugins: plugins, zoo: HostFixture.zoo, isWhole: TestSize.isWhole)
    print(table.lines.joined(separator: "\n"))
    #expect(table.lines.count == (TestSize.isWhole ? 15 : 6))
    #expect(table.failures == [])
  }

  // MARK: What is used up

  /// The kernel counts no processes of root's, so the conformance suite hosts this one as nobody.
  private nonisolated static var nobody: [String] {
    getuid() == 0
      ? ["setpriv", "--reuid", "65534", "--regid", "65534", "--clear-groups", "--"] : []
  }

  private nonisolated static var nobodyReachesTheBuild: Bool {
    guard let homeward = try? BuiltProducts.path(of: "homeward") else { return false }
    let looking = nobody + ["test", "-x", homeward]
    let child = try? ChildProcess(looking[0], Array(looking.dropFirst()), log: "/dev/null")
    return child?.wait() == 0
  }

  @Test(
    "A fork bomb is refused at its own limit",
    .enabled(if: nobodyReachesTheBuild, "the build lies where an unprivileged user may not look"))
  func forkBomb() throws {
    let directory = try TemporaryDirectory()
    chmod(directory.path, 0o755)
    let folder = directory.path(of: "bomb")
    try directory.write(ZooPlugin("bomb").manifest.serialized, to: "bomb/plugin.json")
    for (from, to) in [("bomb.py", "run.py"), ("zoo.py", "zoo.py")] {
      let text = try String(
        contentsOf: HostFixture.zoo.appendingPathComponent(from), encoding: .utf8)
      chmod(try directory.write(text, to: "bomb/\(to)"), 0o755)
    }
    let command =
      Self.nobody + [try BuiltProducts.path(of: "homeward"), "plugin", "check", folder, "--json"]
    let child = try ChildProcess(
      command[0], Array(command.dropFirst()), log: directory.path(of: "log"))
    _ = child.wait()
    let findings = try JSONValue(parsing: child.log).arrayContent ?? []
    let health = try #require(findings.first { $0["subject"] == "health" })
    let made = health["detail"]?.stringContent?.split(separator: "-").last.flatMap { Int($0) }
    // 64 with itself, and threads of the warden's where it has some.
    #expect((40..<64).contains(made ?? 0), "\(child.log)")
  }

  // MARK: Ports of this machine

  private func caller(
    _ fixture: HostFixture, granted: UInt16, closed: UInt16, raceSeconds: Int64 = 2
  ) throws -> PluginHost.PluginConfiguration {
    var caller = ZooPlugin("caller")
    caller.asks = ["network"]
    caller.granted = ["network"]
    caller.settings = [
      "granted": .integer(Int64(granted)), "closed": .integer(Int64(closed)),
      "raceSeconds": .integer(raceSeconds),
    ]
    var configuration = try fixture.configuration(caller)
    configuration.loopback = [granted]
    return configuration
  }

  @Test(
    "With the grant for the network a plugin reaches the ports of this machine that it was granted, and no other"
  )
  func loopbackPorts() async throws {
    let (granted, closed) = (try LoopbackListener(), try LoopbackListener())
    let fixture = try HostFixture()
    fixture.start(configurations: [
      try caller(fixture, granted: granted.port, closed: closed.port)
    ])
    await fixture.waitForLog(of: "caller", containing: "called everywhere")
    let lines = fixture.log(of: "caller")
    guard try await fixture.walls("caller").guardsLoopback else {
      Issue.record("the kernel cannot watch addresses: \(lines)")
      return await fixture.stop()
    }
    let (open, refused) = (
      lines.filter { $0.hasPrefix("granted ") }, lines.filter { $0.hasPrefix("closed ") }
    )
    #expect(open.count >= 18 && open.count == refused.count)
    #expect(open.filter { !$0.hasSuffix(": reached") } == [])
    #expect(refused.filter { !$0.hasSuffix(": EACCES") } == [])
    #expect(closed.taken == 0)
    #expect(granted.taken > 0)
    #expect(lines.contains("names can be asked for"))
    #expect(lines.contains("a descriptor came through"))
    let advice = "loopback: [\(granted.port), \(closed.port)]"
    #expect(lines.count { $0.contains(advice) } == 1)
    let race = try #require(lines.first { $0.hasPrefix("race ") })
    let numbers = race.split(separator: " ").compactMap { Int($0) }
    // Both sides of the race were seen, so that it was one.
    #expect(numbers.count == 3 && numbers[0] > 0 && numbers[1] > 0 && numbers[2] == 0, "\(race)")
    print(race)
    await fixture.stop()
  }

  @Test("Without the guard the same plugin reaches every port, and its status says so")
  func withoutTheGuard() async throws {
    let (granted, closed) = (try LoopbackListener(), try LoopbackListener())
    let fixture = try HostFixture()
    fixture.switches.guardsLoopback = false
    fixture.start(configurations: [
      try caller(fixture, granted: granted.port, closed: closed.port, raceSeconds: 0)
    ])
    await fixture.waitForLog(of: "caller", containing: "called everywhere")
    #expect(fixture.log(of: "caller").contains("closed tcp: reached"))
    #expect(try await fixture.walls("caller").guardsLoopback == false)
    await fixture.stop()
  }
}
