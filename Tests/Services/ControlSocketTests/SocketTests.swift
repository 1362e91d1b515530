import ControlSocket
import Door
import Foundation
import Glibc
import JSON
import Loop
import TestSupport
import Testing
import Texts

@Suite struct SocketTests {
  @Test func theSocketIsForOwnerAndGroupAlone() async throws {
    let fixture = try await ControlFixture()
    let mode = try FileManager.default.attributesOfItem(atPath: fixture.path)[.posixPermissions]
    #expect(mode as? Int == 0o660)
    await fixture.server.stop()
    #expect(!FileManager.default.fileExists(atPath: fixture.path))
  }

  @Test func theSocketOfAGatewayThatIsGoneIsReplaced() async throws {
    let directory = try TemporaryDirectory()
    let path = directory.path(of: "control.sock")
    let leftover = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
    #expect(bindUnix(leftover, to: path) == 0)
    close(leftover)
    let server = await ControlServer(path: path) { _, answer in answer(.success(true)) }
    try await server.start()
    #expect(try ControlClient(connectingTo: path).call(.health) == true)
    await server.stop()
  }

  @Test func aSecondGatewayIsRefusedAndTheFirstGoesOn() async throws {
    let fixture = try await ControlFixture()
    let second = await ControlServer(path: fixture.path) { _, answer in answer(.success(true)) }
    let error = await #expect(throws: ControlError.self) { try await second.start() }
    #expect(error?.message.description.contains("another homewardd already answers") == true)
    let answer = try ControlClient(connectingTo: fixture.path).call(.health)
    #expect(answer["method"] == "health")
    await fixture.server.stop()
  }

  @Test func aFileThatIsNoSocketIsLeftAlone() async throws {
    let directory = try TemporaryDirectory()
    let path = try directory.write("precious", to: "control.sock")
    let server = await ControlServer(path: path) { _, answer in answer(.success(true)) }
    let error = await #expect(throws: ControlError.self) { try await server.start() }
    #expect(error?.message.description.contains("is no socket") == true)
    #expect(try String(contentsOfFile: path, encoding: .utf8) == "precious")
  }

  @Test(arguments: ["/nowhere/control.sock", "/tmp/" + String(repeating: "x", count: 200)])
  func anUnusablePathIsRefusedWithItsReason(path: String) async throws {
    let server = await ControlServer(path: path) { _, answer in answer(.success(true)) }
    let error = await #expect(throws: ControlError.self) { try await server.start() }
    #expect(error?.code == .unavailable)
    #expect(error?.message.description.contains("cannot be made") == true)
  }

  @Test func whenAllPlacesAreTakenTheIdleClientMakesRoom() async throws {
    var limits = ControlServer.Limits()
    limits.clients = 2
    let fixture = try await ControlFixture(limits: limits)
    let idle = RawClient(fixture.path)
    let watcher = try ControlClient(connectingTo: fixture.path)
    try watcher.watch()
    let newcomer = try ControlClient(connectingTo: fixture.path)
    #expect(try newcomer.call(.health)["method"] == "health")
    #expect(idle.line() == nil)
    await fixture.server.stop()
  }

  @Test func whenAllPlacesAreBusyTheNewcomerIsToldSo() async throws {
    var limits = ControlServer.Limits()
    limits.clients = 1
    let fixture = try await ControlFixture(limits: limits)
    let watcher = try ControlClient(connectingTo: fixture.path)
    try watcher.watch()
    let newcomer = try ControlClient(connectingTo: fixture.path)
    let error = #expect(throws: ControlError.self) { try newcomer.call(.health) }
    #expect(error?.code == .busy)
    #expect(try watcher.call(.health)["method"] == "health")
    await fixture.server.stop()
  }

  @Test func withoutADaemonTheClientSaysHowToStartIt() throws {
    let directory = try TemporaryDirectory()
    let error = #expect(throws: ControlError.self) {
      try ControlClient(connectingTo: directory.path(of: "control.sock"))
    }
    #expect(error?.code == .notRunning)
    #expect(error?.message.description.hasSuffix("Start it: systemctl start homeward") == true)
  }

  @Test(.enabled(if: getuid() == 0, "only root can become somebody else"))
  func aStrangerIsToldToJoinTheGroup() async {
    await #expect(processExitsWith: .exitCode(23)) {
      let directory = try TemporaryDirectory()
      chmod(directory.path, 0o755)
      let path = directory.path(of: "control.sock")
      let server = await ControlServer(path: path) { _, answer in answer(.success(true)) }
      try await server.start()
      guard setgroups(0, nil) == 0, setgid(65_534) == 0, setuid(65_534) == 0 else { exit(1) }
      do throws(ControlError) { _ = try ControlClient(connectingTo: path) } catch {
        exit(
          error.code == .forbidden && error.message.description.contains("usermod -aG homeward")
            ? 23 : 2)
      }
    }
  }

  @Test func aGatewayThatNeverAnswersIsGivenUp() async throws {
    let fixture = try await ControlFixture { _, _ in }
    let client = try ControlClient(connectingTo: fixture.path)
    let error = #expect(throws: ControlError.self) {
      try client.call(.status, timeoutMilliseconds: 50)
    }
    #expect(error?.code == .timedOut)
    await fixture.server.stop()
  }

  @Test func aGatewayThatStopsEndsTheCall() async throws {
    let holder = Holder()
    let fixture = try await ControlFixture { _, _ in holder.stop?() }
    await holder.set { fixture.server.stop() }
    let client = try ControlClient(connectingTo: fixture.path)
    let error = #expect(throws: ControlError.self) { try client.call(.status) }
    #expect(error?.code == .disconnected)
  }

  @LoopActor final class Holder: Sendable {
    var stop: (@LoopActor () -> Void)?
    nonisolated init() {}
    func set(_ stop: @escaping @LoopActor () -> Void) { self.stop = stop }
  }

  private func bindUnix(_ descriptor: Int32, to path: String) -> Int32 {
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
    return withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
  }
}
