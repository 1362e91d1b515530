import Care
import Foundation
import GPSD
import Glibc
import Loop
import Moments
import Ports
import Synchronization
import TestSupport
import Testing

/// A TCP port of the loopback that is free just now.
func freePort() throws -> Int {
  try Listener().port
}

/// The system call with this name failed.
struct SystemCallFailed: Error {
  let name: String
  let code = errno
}

/// A listening socket on the loopback, closed once nobody uses it any more.
final class Listener: Sendable {
  let descriptor: Int32
  let port: Int

  init(port: Int = 0) throws {
    let listening = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    descriptor = listening
    var yes: Int32 = 1
    setsockopt(
      listening, SOL_SOCKET, SO_REUSEADDR, &yes, socklen_t(MemoryLayout<Int32>.size))
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = UInt16(port).bigEndian
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let bound = withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(listening, $0, length) == 0 && listen(listening, 4) == 0
          && getsockname(listening, $0, &length) == 0
      }
    }
    self.port = Int(UInt16(bigEndian: address.sin_port))
    guard bound else { throw SystemCallFailed(name: "listen") }
  }

  deinit { close(descriptor) }
}

/// Serves one connection after another on threads of its own and hands each to a closure.
final class LoopbackServer: Sendable {
  private let listener: Listener

  var port: Int { listener.port }

  /// Accepts from now on; `serve` owns the descriptor only for the time of the call.
  init(_ serve: @escaping @Sendable (Int32) -> Void) throws {
    listener = try Listener()
    // The thread holds the socket, too: closed under its hands, the number could be another server's when it accepts again.
    let thread = Thread { [listener] in
      while true {
        let accepted = accept(listener.descriptor, nil, nil)
        guard accepted >= 0 else { return }
        Thread.detachNewThread {
          serve(accepted)
          close(accepted)
        }
      }
    }
    thread.start()
  }

  deinit { shutdown(listener.descriptor, Int32(SHUT_RDWR)) }
}

/// Writes everything, in as many pieces as the descriptor wants.
@discardableResult
func writeAll(_ bytes: [UInt8], to descriptor: Int32) -> Bool {
  var rest = bytes[...]
  while !rest.isEmpty {
    let count = rest.withUnsafeBytes {
      send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
    }
    guard count > 0 else { return false }
    rest = rest.dropFirst(count)
  }
  return true
}

/// A serial line made of a network connection: gpsd reads from it, the test writes to it.
final class StreamFeed: Sendable {
  private let pending = Mutex<[[UInt8]]>([])
  private let arrived = DispatchSemaphore(value: 0)
  private let server = Mutex<LoopbackServer?>(nil)

  /// What gpsd takes as its device.
  var device: String { "tcp://127.0.0.1:\(server.withLock { $0?.port ?? 0 })" }

  init() throws {
    let made = try LoopbackServer { [weak self] descriptor in
      while let self {
        self.arrived.wait()
        let bytes = self.pending.withLock { $0.isEmpty ? nil : $0.removeFirst() }
        guard let bytes, writeAll(bytes, to: descriptor) else { return }
      }
    }
    server.withLock { $0 = made }
  }

  /// Sends bytes down the line, now or as soon as gpsd listens.
  func send(_ bytes: [UInt8]) {
    pending.withLock { $0.append(bytes) }
    arrived.signal()
  }

  deinit { arrived.signal() }
}

/// A real gpsd of the test's own.
final class GPSDaemon: @unchecked Sendable {
  let port: Int
  let controlSocket: String
  private let process: ChildProcess

  static var isInstalled: Bool { program != nil }
  private static var program: String? {
    ["/usr/sbin/gpsd", "/usr/bin/gpsd"].first { access($0, X_OK) == 0 }
  }

  /// Starts gpsd on a port, with these devices from the start.
  init(port: Int, devices: [String], controlSocket: String) throws {
    self.port = port
    self.controlSocket = controlSocket
    process = try ChildProcess(
      try #require(Self.program),
      ["-N", "-n", "-b", "-D0", "-S", String(port), "-F", controlSocket] + devices,
      log: "/dev/null")
  }

  /// Kills it and waits until it is gone.
  func kill() { process.kill() }
}

/// A clock that says what the test wants.
@LoopActor
final class FixedClock: GatewayClock {
  var quality = TimeQuality.untrusted
  var utc = Timestamp(milliseconds: 1_780_000_000_000)
  private(set) var considered: [Timestamp] = []

  func now() -> Moment { Moment(tick: EventLoop.now, utc: utc, quality: quality) }
  func start(_ observer: @escaping @LoopActor (ClockReport) -> Void) {}
  func stop() {}
  func consider(receiverTime: Timestamp, mode: FixMode) { considered.append(receiverTime) }
}

/// Everything that a source handed in, and a way to wait for it.
@LoopActor
final class Recorder {
  private(set) var fixes: [FixReport] = []
  private(set) var health: [HealthReport] = []
  private var waiting: (isThere: () -> Bool, resume: CheckedContinuation<Void, Never>)?

  func take(_ observation: Observation) {
    switch observation {
    case .fix(let fix): fixes.append(fix)
    case .health(let report): health.append(report)
    case .heading, .clock, .delivery, .button, .photo, .sound, .sighting, .listening, .meter,
      .map, .ways:
      Issue.record("a GPS source handed in \(observation)")
    }
    if let waiting, waiting.isThere() {
      self.waiting = nil
      waiting.resume.resume()
    }
  }

  var codes: [String] { health.map(\.code) }

  /// Returns as soon as the fact is there.
  func wait(until isThere: @escaping @LoopActor (Recorder) -> Bool) async {
    if isThere(self) { return }
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        waiting = ({ [unowned self] in isThere(self) }, continuation)
      }
    } onCancel: {
      EventLoop.current.post { self.giveUp() }
    }
  }

  /// The test's time is over; what it waited for did not come.
  private func giveUp() {
    Issue.record("waited in vain; health \(codes), \(fixes.count) fixes, last \(fixes.suffix(1))")
    waiting?.resume.resume()
    waiting = nil
  }

  /// Waits until a health report with this code comes after the first `count` ones.
  func waitForCode(_ code: String, after count: Int = 0) async {
    await wait { $0.codes.dropFirst(count).contains(code) }
  }
}

/// A source with its recorder.
@LoopActor
final class Watched {
  let source: GPSDSource
  let recorder = Recorder()
  let clock = FixedClock()
  private let peer: AnyObject?

  /// Starts a source; `peer` is kept alive as long as this is.
  init(_ options: GPSDSource.Options, peer: AnyObject? = nil) {
    self.peer = peer
    source = GPSDSource(options: options, clock: clock)
    source.start { [recorder] in recorder.take($0) }
  }
}
