import CGatewayShims
import Care
import ControlSocket
import Door
import Glibc
import JSON
import Loop
import Moments
import TestSupport
import Texts

/// A control server in a directory of its own, with a handler that echoes.
struct ControlFixture {
  let directory: TemporaryDirectory
  let path: String
  let server: ControlServer

  @LoopActor
  init(
    limits: ControlServer.Limits = .init(), language: Language = .en,
    handler: ControlServer.Handler? = nil
  ) throws {
    directory = try TemporaryDirectory()
    path = directory.path(of: "control.sock")
    server = ControlServer(
      path: path, limits: limits, language: language,
      handler: handler ?? { request, answer in
        answer(
          .success([
            "method": .string(request.method.name), "params": request.params,
            "principal": .string(request.principal.description),
          ]))
      })
    try server.start()
  }
}

/// A client that writes what it is told, for bad input.
final class RawClient {
  let descriptor: Int32
  private var text: [UInt8] = []

  init(_ path: String) {
    descriptor = homeward_unix_connect(path, 1)
    var limit = timeval(tv_sec: 20, tv_usec: 0)
    setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
  }

  deinit { close(descriptor) }

  func write(_ text: String) {
    var rest = Array(text.utf8)[...]
    while !rest.isEmpty {
      let sent = rest.withUnsafeBytes {
        send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
      }
      guard sent > 0 else { return }
      rest = rest.dropFirst(sent)
    }
  }

  /// The next line, or nil when the far side hung up.
  func line() -> String? {
    while true {
      if let end = text.firstIndex(of: 0x0A) {
        defer { text.removeSubrange(...end) }
        return String(decoding: text[..<end], as: UTF8.self)
      }
      var block = [UInt8](repeating: 0, count: 65_536)
      let count = recv(descriptor, &block, block.count, 0)
      guard count > 0 else { return nil }
      text.append(contentsOf: block.prefix(count))
    }
  }
}

/// An event with a body of about so many bytes.
func event(_ type: EventType, lane: Lane = .alarm, padding: Int = 0) -> EncodedEvent {
  Event(
    id: EventID("e-\(type.rawValue)"), type: type, lane: lane, resident: "mary",
    moment: Moment(tick: .seconds(1), utc: .seconds(1_700_000_000), quality: .satellite),
    facts: ["padding": .string(String(repeating: "x", count: padding))]
  ).cloudEvent(gateway: "hub", boot: "boot")
}
