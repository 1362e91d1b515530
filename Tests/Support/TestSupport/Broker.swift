import Foundation

/// A real mosquitto on loopback.
public final class Broker {
  /// Its port.
  public let port: Int
  private let directory: TemporaryDirectory
  private let configuration: String
  private var process: ChildProcess?

  /// A broker that is not started yet.
  public init() throws {
    port = try LocalPort.free()
    directory = try TemporaryDirectory()
    configuration = try directory.write(
      """
      listener \(port) 127.0.0.1
      allow_anonymous true
      persistence true
      persistence_location \(directory.path)/
      user root
      max_queued_messages 0
      max_inflight_messages 0
      log_dest stderr
      log_type error
      log_type warning
      log_type subscribe
      """, to: "mosquitto.conf")
  }

  /// Starts it and waits until it answers.
  public func start() throws {
    process = try ChildProcess(
      "mosquitto", ["-c", configuration], log: directory.path(of: "mosquitto.log"))
    let port = port
    guard Eventually.holds(withinSeconds: 10, { Self.answers(port) }) else {
      throw BuiltProducts.MissingProgram(name: "mosquitto that listens")
    }
  }

  /// Whether a client of that name has subscribed, waited for ten seconds at most.
  public func hasSubscriber(_ client: String = "receiver") -> Bool {
    Eventually.holds(withinSeconds: 10) { process?.log.contains("\(client) 1 ") ?? false }
  }

  /// Stops it in good order, so that it remembers its sessions.
  public func stop() {
    process?.stop()
    process = nil
  }

  private static func answers(_ port: Int) -> Bool {
    let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    defer { close(descriptor) }
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = UInt16(port).bigEndian
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    return withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
      }
    }
  }
}
