import Foundation
import TestSupport

/// A real mosquitto on loopback.
final class Broker {
  let port: Int
  private let directory: TemporaryDirectory
  private let configuration: String
  private var process: ChildProcess?

  init() throws {
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
      """, to: "mosquitto.conf")
  }

  func start() throws {
    process = try ChildProcess(
      "mosquitto", ["-c", configuration], log: directory.path(of: "mosquitto.log"))
    let port = port
    guard Eventually.holds(withinSeconds: 10, { Self.answers(port) }) else {
      throw BuiltProducts.MissingProgram(name: "mosquitto that listens")
    }
  }

  /// Stops it in good order, so that it remembers its sessions.
  func stop() {
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

/// A receiver that subscribes with a persistent session and writes down every event in the order it came.
final class Receiver {
  private let process: ChildProcess

  init(port: Int, gateway: String, log: String) throws {
    process = try ChildProcess(
      "mosquitto_sub",
      [
        "-h", "127.0.0.1", "-p", "\(port)", "-i", "receiver", "-c", "-q", "1", "-t",
        "homeward/\(gateway)/event/#", "-F", "%t %p",
      ], log: log)
  }

  /// Every event received so far, repetitions included.
  func arrivals() -> [(lane: String, id: String, type: String, body: Substring)] {
    process.log.split(separator: "\n").compactMap { line in
      guard let space = line.firstIndex(of: " ") else { return nil }
      let body = line[line.index(after: space)...]
      guard let id = Self.field("id", in: body), let type = Self.field("type", in: body) else {
        return nil
      }
      let lane = line[..<space].split(separator: "/").last.map(String.init) ?? ""
      return (lane, id, type, body)
    }
  }

  /// How many lines have come.
  var count: Int { process.log.utf8.lazy.filter { $0 == 0x0A }.count }

  private static func field(_ name: String, in body: Substring) -> String? {
    guard let start = body.range(of: "\"\(name)\":\"") else { return nil }
    return body[start.upperBound...].prefix { $0 != "\"" }.description
  }
}
