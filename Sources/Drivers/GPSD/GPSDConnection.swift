import CGPS
import Glibc
import JSON
import Loop

/// One connection to gpsd; closed when the value goes away.
///
/// Made on the connecting thread and then handed over whole to the loop, which alone uses it: hence unchecked.
final class GPSDConnection: @unchecked Sendable {
  /// What reading once brought.
  enum Reading: Hashable {
    case message(GPSDMessage)
    case nothing
    case broken
  }

  private let handle: OpaquePointer

  fileprivate init?(host: String, port: Int) {
    guard let handle = homeward_gps_open(host, String(port)) else { return nil }
    self.handle = handle
  }

  deinit { homeward_gps_close(handle) }

  /// The non-blocking socket.
  var descriptor: Int32 { homeward_gps_descriptor(handle) }

  /// Reads at most one message; to be repeated until it answers something else.
  func read() -> Reading {
    switch homeward_gps_read(handle) {
    case 1: return .message(decodedLine())
    case 0: return .nothing
    default: return .broken
    }
  }

  /// Lines that are no JSON never reach libgps, which finds a latitude of 0 in `"lat":-inf`.
  private func decodedLine() -> GPSDMessage {
    let line = UnsafeRawBufferPointer(
      start: homeward_gps_line(handle), count: homeward_gps_line_bytes(handle))
    guard let json = try? JSONValue(parsing: line), json.objectContent != nil else { return .other }
    var report = homeward_gps_report()
    homeward_gps_decode(handle, &report)
    return GPSDMessage(report)
  }

  /// Turns the stream of reports on or off; false when the connection is broken.
  func stream(isOn: Bool) -> Bool { homeward_gps_stream(handle, isOn) == 0 }
}

extension GPSDConnection {
  /// Connects on a short-lived thread, because names, far hosts and a stopped gpsd make it wait; `finish` runs on the
  /// loop, with nil when gpsd does not answer.
  static func open(
    host: String, port: Int, finish: @escaping @LoopActor @Sendable (GPSDConnection?) -> Void
  ) {
    let isStarted = SystemThread.start(name: "homeward-gpsd") {
      let connection = GPSDConnection(host: host, port: port)
      EventLoop.current.post { finish(connection) }
    }
    if !isStarted { EventLoop.current.post { finish(nil) } }
  }
}
