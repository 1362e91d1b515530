import Care
import Foundation
import JSON
import TestSupport

/// A client that keeps several commands on their way and remembers which were acknowledged.
final class CommandLoad {
  private let socketPath: String
  private var descriptor: Int32 = -1
  private var buffer: [UInt8] = []
  private let window = 16

  init(socketPath: String) { self.socketPath = socketPath }

  deinit { disconnect() }

  /// Connects, or answers false when nobody listens (yet).
  func connect() -> Bool {
    disconnect()
    descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: socketPath.utf8) }
    let isConnected = withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        Glibc.connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size)) == 0
      }
    }
    if !isConnected { disconnect() }
    return isConnected
  }

  func disconnect() {
    if descriptor >= 0 { close(descriptor) }
    descriptor = -1
    buffer = []
  }

  /// Sends commands in order, at most a window ahead of the acknowledgements, until all are answered, the deadline
  /// passes, or the gateway goes away. Answers how many were acknowledged, from the first on, without gaps.
  func send(
    _ requests: ArraySlice<(id: String, request: Command.Request)>,
    until deadline: Date = .distantFuture
  ) throws -> Int {
    var sent = requests.startIndex
    var acknowledged = requests.startIndex
    while acknowledged < requests.endIndex, Date() < deadline {
      while sent < requests.endIndex, sent - acknowledged < window {
        guard write(requests[sent]) else { return acknowledged - requests.startIndex }
        sent += 1
      }
      guard let answers = try read() else { return acknowledged - requests.startIndex }
      acknowledged += answers
    }
    return acknowledged - requests.startIndex
  }

  private func write(_ command: (id: String, request: Command.Request)) -> Bool {
    let message: JSONValue = [
      "jsonrpc": "2.0", "id": .string(command.id), "method": "command",
      "params": ["command": ["id": .string(command.id), "request": command.request.json]],
    ]
    let bytes = message.serializedBytes + [0x0A]
    return bytes.withUnsafeBytes {
      Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
    }
      == bytes.count
  }

  /// Reads what has come; answers how many commands were acknowledged, nil when the gateway is gone.
  private func read() throws -> Int? {
    var ready = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    guard poll(&ready, 1, 20) > 0 else { return 0 }
    var chunk = [UInt8](repeating: 0, count: 1 << 16)
    let count = recv(descriptor, &chunk, chunk.count, 0)
    guard count > 0 else { return nil }
    buffer += chunk.prefix(count)
    var answers = 0
    while let end = buffer.firstIndex(of: 0x0A) {
      let answer = try JSONValue(parsing: buffer[..<end])
      buffer.removeSubrange(...end)
      guard answer["error"] == nil else { throw Refused(answer: answer.serialized) }
      answers += 1
    }
    return answers
  }

  struct Refused: Error { var answer: String }
}
