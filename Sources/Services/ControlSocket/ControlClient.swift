import Bytes
import CGatewayShims
public import Door
import Glibc
public import JSON
public import Texts

/// The client's end of the control socket: simple and blocking, for the command line.
public final class ControlClient {
  private let descriptor: Int32
  private let path: String
  private let language: Language?
  private var input = LineFramer(maximumBytes: 256 << 20)
  private var events: [JSONValue] = []
  private var lastID: Int64 = 0

  /// Connects to the gateway's socket.
  ///
  /// - Parameter language: in which refusals are to be answered; nil for the gateway's own.
  /// - Throws: ``ControlError`` with code `notRunning` or `forbidden` and a sentence that says what to do.
  public init(connectingTo path: String, language: Language? = nil) throws(ControlError) {
    self.language = language
    self.path = path
    descriptor = homeward_unix_connect(path, 1)
    if descriptor < 0 { throw Self.connectError(errno, path) }
  }

  deinit { close(descriptor) }

  /// Asks and waits for the answer.
  ///
  /// - Throws: ``ControlError`` as the gateway answered, or `timedOut`, or `disconnected`.
  public func call(
    _ route: Route, params: JSONValue = .object([JSONMember]()),
    timeoutMilliseconds: Int64 = 30_000
  ) throws(ControlError) -> JSONValue {
    try ask(route, params: params, timeoutMilliseconds: timeoutMilliseconds).content
  }

  /// Asks and waits for the answer, of a list with the cursor of its next part.
  ///
  /// - Throws: ``ControlError`` as the gateway answered, or `timedOut`, or `disconnected`.
  public func ask(
    _ route: Route, params: JSONValue = .object([JSONMember]()),
    timeoutMilliseconds: Int64 = 30_000
  ) throws(ControlError) -> RouteAnswer {
    lastID += 1
    let id = JSONValue.integer(lastID)
    let deadline = Self.now + timeoutMilliseconds
    let request = JSONValue.object([
      "jsonrpc": "2.0", "id": id, "method": .string(route.name), "params": params,
      "language": language.map { .string($0.rawValue) },
    ])
    try send(request.serializedBytes + [0x0A], before: deadline)
    while true {
      let message = try nextMessage(before: deadline)
      if let method = message["method"]?.stringContent {
        try take(notification: method, message)
      } else if message["id"] == id || message["id"] == .null {
        if let error = message["error"] { throw ControlError(json: error) }
        return RouteAnswer(message["result"] ?? .null, next: message["next"]?.stringContent)
      }
    }
  }

  /// Asks for events as they happen; read them with ``nextEvent(timeoutMilliseconds:)``.
  public func watch(types: [String] = []) throws(ControlError) {
    _ = try call(.watch, params: ["types": .array(types.map { .string($0) })])
  }

  /// The next watched event, or nil when none came in time; waits for ever without a time.
  public func nextEvent(timeoutMilliseconds: Int64? = nil) throws(ControlError) -> JSONValue? {
    let deadline = timeoutMilliseconds.map { Self.now + $0 }
    while events.isEmpty {
      do {
        let message = try nextMessage(before: deadline)
        if let method = message["method"]?.stringContent {
          try take(notification: method, message)
        }
      } catch  where error.code == .timedOut {
        return nil
      }
    }
    return events.removeFirst()
  }

  private func take(notification method: String, _ message: JSONValue) throws(ControlError) {
    switch method {
    case "event": events.append(message["params"] ?? .null)
    case "closed":
      throw ControlError(
        .disconnected,
        message["params"]?["message"]?.stringContent.map { Message(verbatim: $0) }
          ?? Message("the gateway hung up."))
    default: break
    }
  }

  private func nextMessage(before deadline: Int64?) throws(ControlError) -> JSONValue {
    while true {
      let line: [UInt8]?
      do { line = try input.next() } catch { throw Self.unreadable(error) }
      if let line {
        do { return try JSONValue(parsing: line, limits: .init(maximumBytes: line.count)) } catch {
          throw Self.unreadable(error)
        }
      }
      try receive(before: deadline)
    }
  }

  private static func unreadable(_ error: any CustomStringConvertible) -> ControlError {
    ControlError(.failed, Message("the gateway's answer is no JSON ({error}).", ["error": error]))
  }

  private func receive(before deadline: Int64?) throws(ControlError) {
    try wait(for: Int16(POLLIN), before: deadline)
    var block = [UInt8](repeating: 0, count: 262_144)
    let count = recv(descriptor, &block, block.count, Int32(MSG_DONTWAIT))
    if count > 0 { return input.append(block.prefix(count)) }
    if count < 0, errno == EAGAIN || errno == EINTR { return }
    throw ControlError(
      .disconnected, Message("homewardd ended the connection; see: journalctl -u homeward -n 50"))
  }

  private func send(_ bytes: [UInt8], before deadline: Int64) throws(ControlError) {
    var rest = bytes[...]
    let flags = Int32(MSG_NOSIGNAL | MSG_DONTWAIT)
    while !rest.isEmpty {
      let sent = rest.withUnsafeBytes { Glibc.send(descriptor, $0.baseAddress, $0.count, flags) }
      if sent >= 0 {
        rest = rest.dropFirst(sent)
      } else if errno == EAGAIN {
        try wait(for: Int16(POLLOUT), before: deadline)
      } else if errno != EINTR {
        return  // What the gateway said before it hung up is still to be read.
      }
    }
  }

  private func wait(for events: Int16, before deadline: Int64?) throws(ControlError) {
    let rest = deadline.map { max(0, $0 - Self.now) } ?? -1
    var entry = pollfd(fd: descriptor, events: events, revents: 0)
    let ready = poll(&entry, 1, Int32(clamping: rest))
    if ready > 0 || (ready < 0 && errno == EINTR) { return }
    throw ControlError(
      .timedOut, Message("homewardd did not answer in time; see: journalctl -u homeward -n 50"))
  }

  private static var now: Int64 { homeward_boottime_nanoseconds() / 1_000_000 }

  private static func connectError(_ code: Int32, _ path: String) -> ControlError {
    switch code {
    case ENOENT, ECONNREFUSED:
      ControlError(
        .notRunning,
        Message(
          "homewardd is not running (nobody answers on {path}). Start it: systemctl start homeward",
          ["path": path]))
    case EACCES, EPERM:
      ControlError(
        .forbidden,
        Message(
          "you may not talk to homewardd on {path}. Add yourself to the group homeward "
            + "(sudo usermod -aG homeward \"$USER\"), then log in again.", ["path": path]))
    case EAGAIN:
      ControlError(
        .busy, Message("homewardd does not take connections just now; try again in a moment."))
    case ENAMETOOLONG:
      ControlError(.notRunning, Message("the socket's path is too long: {path}", ["path": path]))
    default:
      ControlError(
        .notRunning,
        Message(
          "homewardd cannot be reached on {path}: {reason}.",
          ["path": path, "reason": String(cString: strerror(code))]))
    }
  }
}
