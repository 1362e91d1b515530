import Foundation
import TestSupport
import WalkSimulator

/// The running daemon: memory, start, wake-ups at rest, processor time with a receiver at 1 Hz.
enum DaemonBenchmark {
  private static let observedSeconds = 60.0

  static var parts: [BenchmarkPart] {
    [
      BenchmarkPart(name: "daemon-start", measure: measureStart),
      BenchmarkPart(name: "daemon-wake-ups", measure: measureWakeUps),
      BenchmarkPart(name: "daemon-memory", measure: measureMemory),
      BenchmarkPart(name: "daemon-receiver", measure: measureReceiver),
    ]
  }

  /// Milliseconds from exec to `READY=1`, when sources are open and alarms possible.
  private static func measureStart(_ table: inout Table) throws {
    var starts: [Double] = []
    for _ in 0..<11 {
      let gateway = try GatewayUnderTest(gpsPort: nil, brokerPort: nil)
      let ready = try ReadySocket(path: gateway.directory.path(of: "notify"))
      starts.append(
        try seconds {
          try gateway.start(environment: ["NOTIFY_SOCKET": ready.path])
          ready.wait()
        } * 1000)
      gateway.stop()
    }
    table.add(
      "start to armed", "\(decimal(median(starts))) ms (median of \(starts.count))",
      budget: "≤ 30 ms", isKept: median(starts) <= 30)
  }

  /// Wake-ups with nothing to do, MQTT plugin and watchdog included.
  private static func measureWakeUps(_ table: inout Table) throws {
    let broker = try Broker()
    try broker.start()
    let gateway = try GatewayUnderTest(gpsPort: nil, brokerPort: broker.port)
    let ready = try ReadySocket(path: gateway.directory.path(of: "notify"))
    try gateway.start(
      environment: ["NOTIFY_SOCKET": ready.path, "WATCHDOG_USEC": "60000000"])
    defer { gateway.stop() }
    guard let pid = gateway.process?.pid else { return }
    let figures = ProcessFigures(pid: pid)
    let hasPlugin = Eventually.holds(withinSeconds: 20) { figures.descendants.count == 2 }
    guard hasPlugin else { throw BenchmarkFailure("the plugin did not start: \(gateway.log)") }
    pause(15)
    let before = figures.wakeUps
    pause(observedSeconds)
    var total = 0
    var explained: [String] = []
    for (name, count) in figures.wakeUps.sorted(by: { $0.key < $1.key }) {
      let woken = count - (before[name] ?? 0)
      guard woken > 0 else { continue }
      total += woken
      let thread = name.prefix(while: { $0 != "/" })
      explained.append("\(thread) \(woken)")
    }
    let reasons: String = explained.isEmpty ? "none" : explained.joined(separator: ", ")
    table.add(
      "idle wake-ups a minute",
      "\(total) (\(reasons))",
      budget: "≤ 6", isKept: total <= 6)
  }

  /// Memory of the daemon alone and with its plugins.
  private static func measureMemory(_ table: inout Table) throws {
    let broker = try Broker()
    try broker.start()
    let modem = try RigModem()
    try modem.plugIn()
    let gateway = try GatewayUnderTest(
      gpsPort: nil, brokerPort: broker.port, hasWebhook: true, modemPort: modem.port)
    try gateway.forgetPrograms()
    try gateway.start()
    guard let pid = gateway.process?.pid else { return }
    let figures = ProcessFigures(pid: pid)
    let hasPlugins = Eventually.holds(withinSeconds: 20) { figures.descendants.count == 6 }
    guard hasPlugins else { throw BenchmarkFailure("the plugins did not start: \(gateway.log)") }
    pause(10)
    let resident = figures.residentMegabytes
    table.add(
      "resident memory of homewardd", "\(decimal(resident)) MB", budget: "≤ 18 MB",
      isKept: resident <= 18)
    let processes: [ProcessFigures] = [figures] + figures.descendants
    let shares: [Double] = processes.map { $0.proportionalMegabytes }
    let parts: String = shares.map { decimal($0) }.joined(separator: " + ")
    let whole = shares.reduce(0, +)
    table.add(
      "whole system with MQTT, webhook and SMS (PSS)",
      "\(decimal(whole)) MB (\(parts))",
      budget: "≤ 36 MB", isKept: whole <= 36)
    gateway.stop()
  }

  /// Share of one core with a real gpsd that reports once a second.
  private static func measureReceiver(_ table: inout Table) throws {
    guard let home = Outing.nowhere else { return }
    let logs = try TemporaryDirectory()
    let receiver = try SimulatedReceiver(
      outing: Outing(seed: 1, home: home), log: logs.path(of: "gpsd.log"))
    let gateway = try GatewayUnderTest(gpsPort: receiver.gpsdPort, brokerPort: nil)
    try gateway.start()
    guard let pid = gateway.process?.pid else { return }
    try gateway.addResident()
    let figures = ProcessFigures(pid: pid)
    pause(5)
    let before = figures.processorSeconds
    pause(observedSeconds)
    let share = (figures.processorSeconds - before) / observedSeconds * 100
    table.add(
      "processor with GPS at 1 Hz", "\(decimal(share, 2)) % of one core", budget: "≤ 0.1 %",
      isKept: share <= 0.1)
    gateway.stop()
  }

  /// A benchmark observes for a set time; nothing else could end it.
  private static func pause(_ seconds: Double) { usleep(UInt32(seconds * 1_000_000)) }
}

/// The socket that systemd would give a service to say that it is ready.
final class ReadySocket {
  let path: String
  private let descriptor: Int32

  init(path: String) throws {
    self.path = path
    descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue), 0)
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
    let isBound = withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size)) == 0
      }
    }
    guard isBound else { throw BenchmarkFailure("no socket at \(path)") }
  }

  deinit { close(descriptor) }

  /// Waits, ten seconds at most, for the message that says ready.
  func wait() {
    var ready = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    guard poll(&ready, 1, 10_000) > 0 else {
      PositionBenchmark.fatal("the daemon was not ready in 10 s")
    }
    var message = [UInt8](repeating: 0, count: 512)
    recv(descriptor, &message, message.count, 0)
  }
}
