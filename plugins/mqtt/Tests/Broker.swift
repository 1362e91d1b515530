import Foundation
import TestSupport

/// A real mosquitto on a free port of this machine.
final class Broker: @unchecked Sendable {
  static let program = "/usr/sbin/mosquitto"
  static var isInstalled: Bool {
    [program, "/usr/bin/mosquitto_sub", "/usr/bin/mosquitto_pub"].allSatisfy {
      FileManager.default.isExecutableFile(atPath: $0)
    }
  }

  let port: Int
  /// Where publishers and subscribers of the test come in: the same port, or one without encryption.
  let door: Int
  let folder: TemporaryDirectory
  private let configuration: String
  private var server: LineProcess?

  /// A broker with more lines for its configuration file; it runs unless told otherwise.
  init(
    _ lines: [String] = ["allow_anonymous true"], hasPlainDoor: Bool = false,
    isRunning: Bool = true
  ) throws {
    port = try Self.freePort()
    door = hasPlainDoor ? try Self.freePort() : port
    folder = try TemporaryDirectory()
    let common = [
      "user \(NSUserName())", "persistence true", "persistence_location \(folder.path)/",
      "max_queued_messages 0", "max_inflight_messages 0", "listener \(port) 127.0.0.1",
    ]
    let told = ["error", "warning", "notice", "information", "subscribe"].map { "log_type \($0)" }
    configuration = try folder.write(
      (common + told + lines + (hasPlainDoor ? ["listener \(door) 127.0.0.1"] : [])).joined(
        separator: "\n") + "\n", to: "mosquitto.conf")
    if isRunning { try start() }
  }

  private static func freePort() throws -> Int {
    let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    defer { close(descriptor) }
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = inet_addr("127.0.0.1")
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    let isBound = withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(descriptor, $0, size) == 0 && getsockname(descriptor, $0, &size) == 0
      }
    }
    guard isBound else { throw CocoaError(.fileReadUnknown) }
    return Int(UInt16(bigEndian: address.sin_port))
  }

  func start() throws {
    let server = try LineProcess(Self.program, ["-c", configuration])
    _ = try server.log.take("the broker's start") { $0.contains("running") }
    self.server = server
  }

  /// Ends the broker; it keeps its sessions in a file.
  func stop() throws {
    try server?.terminate()
    server = nil
  }

  /// Returns when the gateway's plugin hears: the broker has taken the last of what it subscribes to.
  ///
  /// A plugin is connected before; what is published in between reaches nobody.
  func waitForSubscriptions() throws {
    _ = try server?.log.take("the plugin's subscriptions") {
      $0.contains(": homeward-hub 1 ") && $0.hasSuffix("/status")
    }
  }

  /// Stops the broker in its tracks, or lets it go on.
  func pause(_ isPaused: Bool) {
    if let server { server.signal(isPaused ? SIGSTOP : SIGCONT) }
  }

  func publish(_ text: String, to topic: String, isRetained: Bool = false) throws {
    let arguments = ["-h", "127.0.0.1", "-p", "\(door)", "-q", "1", "-t", topic, "-s"]
    let process = try LineProcess(
      "/usr/bin/mosquitto_pub", arguments + (isRetained ? ["-r"] : []))
    try process.write(Array(text.utf8))
    process.closeInput()
    guard try process.waitForEnd() == 0 else { throw CocoaError(.fileWriteUnknown) }
  }
}

/// Somebody who listens, by the real `mosquitto_sub`.
final class Subscriber: @unchecked Sendable {
  /// A message as it came.
  struct Message: Hashable, Sendable {
    var isRetained: Bool
    var qualityOfService: String
    var topic: String
    var payload: String
  }

  private let process: LineProcess

  /// Subscribes and returns when the subscription stands; a session outlives the subscriber.
  init(_ broker: Broker, _ topic: String = "#", session: String? = nil) throws {
    let canary = "canary/\(UUID().uuidString)"
    try broker.publish("here", to: canary, isRetained: true)
    var arguments = ["-h", "127.0.0.1", "-p", "\(broker.door)", "-q", "1", "-F", "%r\t%q\t%t\t%p"]
    arguments += ["-t", topic, "-t", canary]
    if let session { arguments += ["-c", "-i", session] }
    process = try LineProcess("/usr/bin/mosquitto_sub", arguments)
    _ = try process.output.take("the canary") { $0.contains(canary) }
  }

  /// The next message on a topic that fits.
  func next(_ topic: String, where fits: (String) -> Bool = { _ in true }) throws -> Message {
    let line = try process.output.take("a message on \(topic)") {
      Self.message($0).map { $0.topic == topic && fits($0.payload) } ?? false
    }
    return Self.message(line)
      ?? Message(isRetained: false, qualityOfService: "", topic: topic, payload: line)
  }

  /// All that came on a topic and was not taken, in order.
  func remaining(_ topic: String) -> [String] {
    process.output.remaining.compactMap(Self.message).filter { $0.topic == topic }.map(\.payload)
  }

  /// Whether anything came on a topic that fits and was not taken.
  func hasRemaining(_ fits: (String) -> Bool) -> Bool {
    process.output.remaining.compactMap(Self.message).contains { fits($0.topic) }
  }

  func end() throws { try process.terminate() }

  private static func message(_ line: String) -> Message? {
    let parts = line.split(separator: "\t", maxSplits: 3, omittingEmptySubsequences: false)
    guard parts.count == 4 else { return nil }
    return Message(
      isRetained: parts[0] == "1", qualityOfService: String(parts[1]), topic: String(parts[2]),
      payload: String(parts[3]))
  }
}
