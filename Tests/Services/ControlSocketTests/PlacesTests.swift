import Care
import ControlSocket
import Door
import Glibc
import JSON
import Loop
import Synchronization
import TestSupport
import Testing

/// However full the socket is, help can be called.
@Suite struct PlacesTests {
  private static let call: JSONValue = [
    "command": ["id": "c", "request": ["action": "sos.raise", "target": "mary"]]
  ]

  /// Watchers of this user, as many as are let in.
  private func watchers(_ fixture: ControlFixture, _ count: Int) throws -> [ControlClient] {
    try (0..<count).compactMap { _ in
      let client = try ControlClient(connectingTo: fixture.path)
      do throws(ControlError) {
        try client.watch()
        return client
      } catch {
        #expect(error.code == .busy)
        return nil
      }
    }
  }

  @Test(
    "A user with many watchers can still call help and answer an alarm, each in a connection of its own"
  )
  func watchersKeepNobodyFromCalling() async throws {
    // What takes its time, and never ends.
    let begun = Mutex(0)
    let fixture = try await ControlFixture { request, answer in
      guard request.method != .status else { return begun.withLock { $0 += 1 } }
      answer(.success(["method": .string(request.method.name)]))
    }
    let open = try watchers(fixture, 32)
    #expect(open.count == 8)
    // Clients that are at work take every ordinary place that is left, and the others all places that are kept free.
    let held = (0..<40).map { _ in RawClient(fixture.path) }
    for client in held { client.write(#"{"jsonrpc":"2.0","id":1,"method":"status"}"# + "\n") }
    // Whoever has not been read yet still makes room for others.
    let isFull = Eventually.holds(withinSeconds: 10) { begun.withLock { $0 } >= 8 }
    #expect(isFull)
    for action in ["sos.raise", "sos.cancel", "alarm.acknowledge", "alarm.silence"] {
      let client = try ControlClient(connectingTo: fixture.path)
      let answer = try client.call(
        .command, params: ["command": ["id": "c", "request": ["action": .string(action)]]])
      #expect(answer["method"] == "command")
    }
    for method in [Route.residentsList, .guardiansList, .alarmsList] {
      #expect(try ControlClient(connectingTo: fixture.path).call(method)["method"] != nil)
    }
    let error = #expect(throws: ControlError.self) {
      try ControlClient(connectingTo: fixture.path).call(.health)
    }
    #expect(error?.code == .busy)
    // Until here nobody has let go of a place.
    withExtendedLifetime((open, held)) {}
    await fixture.server.stop()
  }

  @Test("In a place that is kept free nothing else is done, and it is not kept for long")
  func onlyHelp() async throws {
    var limits = ControlServer.Limits()
    limits.clients = 1
    limits.keptFreeMilliseconds = 200
    let fixture = try await ControlFixture(limits: limits)
    let watcher = try ControlClient(connectingTo: fixture.path)
    try watcher.watch()
    let kept = try ControlClient(connectingTo: fixture.path)
    #expect(try kept.call(.command, params: Self.call)["method"] == "command")
    let others: [(Route, JSONValue)] = [
      (.status, [:]), (.watch, [:]),
      (.command, ["command": ["id": "d", "request": ["action": "resident.erase"]]]),
    ]
    for (method, params) in others {
      let error = #expect(throws: ControlError.self) { try kept.call(method, params: params) }
      #expect(error?.code == .busy)
    }
    let idle = RawClient(fixture.path)
    #expect(idle.line() == nil, "it is ended")
    #expect(try watcher.call(.health)["method"] == "health", "others are not")
    await fixture.server.stop()
  }

  @Test(
    "A watch names so many types and no more",
    arguments: [
      (128, 100, true), (129, 10, false), (1, 101, false), (90_000, 8, false),
    ])
  func types(count: Int, length: Int, isTaken: Bool) async throws {
    let fixture = try await ControlFixture()
    let client = try ControlClient(connectingTo: fixture.path)
    let types = JSONValue.array(
      (0..<count).map {
        .string(
          String("\($0)".prefix(length))
            + String(repeating: "x", count: max(0, length - "\($0)".count)))
      })
    do throws(ControlError) {
      _ = try client.call(.watch, params: ["types": types])
      #expect(isTaken)
    } catch {
      #expect(!isTaken && error.code == .invalidParameters)
    }
    await fixture.server.stop()
  }

  @Test(
    "One user's clients take no places from another's",
    .enabled(if: getuid() == 0, "only root can become somebody else"))
  func shares() async {
    await #expect(processExitsWith: .exitCode(23)) {
      let directory = try TemporaryDirectory()
      chmod(directory.path, 0o755)
      let path = directory.path(of: "control.sock")
      let server = await ControlServer(path: path) { request, answer in
        answer(.success(.string(request.principal.name)))
      }
      try await server.start()
      chmod(path, 0o666)
      // Root's, all watching or with half a request, and one of root's own that idles.
      var held: [ControlClient] = []
      for _ in 0..<40 { held.append(try ControlClient(connectingTo: path)) }
      for client in held { try? client.watch() }
      guard setgroups(0, nil) == 0, setgid(65_534) == 0, setuid(65_534) == 0 else { exit(1) }
      let name = try ControlClient(connectingTo: path).call(.status)
      withExtendedLifetime(held) { exit(name == "nobody" ? 23 : 2) }
    }
  }
}
