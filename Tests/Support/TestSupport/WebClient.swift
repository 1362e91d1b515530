import Glibc

/// A client's connection to a server of the test's own process, byte for byte.
public final class WebClient: Sendable {
  /// What a server answered.
  public struct Answer: Sendable {
    /// The status; 0 where nothing came.
    public var status: Int
    /// The lines of the head, in lower case.
    public var head: [String]
    /// What follows the head, as it was sent.
    public var body: String

    init(_ text: String) {
      let parts = text.split(separator: "\r\n\r\n", maxSplits: 1, omittingEmptySubsequences: false)
      head = (parts.first ?? "").split(separator: "\r\n").map { $0.lowercased() }
      status = (head.first ?? "").split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0
      body = parts.count > 1 ? String(parts[1]) : ""
    }
  }

  /// The socket.
  public let descriptor: Int32

  /// Connects to a port of the loopback interface.
  public init(port: UInt16) {
    descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    var limit = timeval(tv_sec: 20, tv_usec: 0)
    setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    let answer = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
    precondition(answer == 0, "nobody listens on port \(port)")
  }

  deinit { Glibc.close(descriptor) }

  /// Sends a text; false when the far side hung up.
  @discardableResult
  public func send(_ text: String) -> Bool {
    var rest = Array(text.utf8)[...]
    while !rest.isEmpty {
      let sent = rest.withUnsafeBytes {
        Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
      }
      guard sent > 0 else { return false }
      rest = rest.dropFirst(sent)
    }
    return true
  }

  /// Everything until the far side hangs up.
  public func receiveAll() -> String { receive { _ in false } }

  /// Everything until a text has come, or the far side hangs up.
  public func receive(until text: String) -> String { receive { $0.contains(text) } }

  private func receive(_ isEnough: (String) -> Bool) -> String {
    var bytes: [UInt8] = []
    var block = [UInt8](repeating: 0, count: 65_536)
    while true {
      let count = recv(descriptor, &block, block.count, 0)
      if count > 0 { bytes.append(contentsOf: block.prefix(count)) }
      let text = String(decoding: bytes, as: UTF8.self)
      if count <= 0 || isEnough(text) { return text }
    }
  }

  /// Says that nothing more will be sent.
  public func finishSending() { shutdown(descriptor, Int32(SHUT_WR)) }

  /// One request and what the server answers before it hangs up.
  public static func exchange(_ port: UInt16, _ request: String) -> Answer {
    let client = WebClient(port: port)
    client.send(request)
    return Answer(client.receiveAll())
  }
}
