import Foundation
import Moments
public import WalkSimulator

/// A real gpsd, fed over UDP with the sentences of a made-up outing in real time.
public final class SimulatedReceiver {
  /// The port that gpsd serves.
  public let gpsdPort: Int
  private let daemon: Daemon
  private let feeder: Thread

  /// Unchecked: written once before the feeder starts, and a process is only killed.
  private final class Daemon: @unchecked Sendable {
    let process: ChildProcess
    init(_ process: ChildProcess) { self.process = process }
  }

  /// Starts gpsd and the feeder; the outing begins now.
  public init(outing: Outing, log: String) throws {
    let port = try LocalPort.free()
    let inlet = try LocalPort.free()
    gpsdPort = port
    daemon = Daemon(
      try ChildProcess(
        "gpsd", ["-N", "-n", "-D1", "-S", "\(port)", "udp://127.0.0.1:\(inlet)"], log: log))
    let start = Date()
    feeder = Thread {
      let descriptor = socket(AF_INET, Int32(SOCK_DGRAM.rawValue), 0)
      defer { close(descriptor) }
      for second in 0..<100_000 where !Thread.current.isCancelled {
        RealTime.wait(until: Double(second), since: start)
        let now = Timestamp(milliseconds: Int64(Date().timeIntervalSince1970 * 1000))
        Self.send(outing.nmea(at: now, second: second), to: inlet, by: descriptor)
      }
    }
    feeder.start()
  }

  deinit { feeder.cancel() }

  private static func send(_ sentences: String, to port: Int, by descriptor: Int32) {
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = UInt16(port).bigEndian
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    let bytes = Array(sentences.utf8)
    withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { generic in
        _ = sendto(
          descriptor, bytes, bytes.count, 0, generic, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
  }
}
