import Care
import Foundation
import JSON
import Loop
import Loudspeaker
import Moments
import Plugins
import Ports
import Store
import Synchronization
import TestSupport

/// A hand on the button: how soon it sounds in the room, and how soon a guardian is told.
enum AlarmBenchmark {
  private static let presses = 200
  private static let queued = 10_000
  private static let messages = 100

  static var parts: [BenchmarkPart] {
    [
      BenchmarkPart(name: "alarm-sound-idle") { table in
        try measureSound(on: NullCard(), isLoaded: false, &table)
      },
      BenchmarkPart(name: "alarm-sound-under-load") { table in
        try measureSound(on: NullCard(), isLoaded: true, &table)
      },
      BenchmarkPart(name: "alarm-guardian") { table in
        try measureGuardian(on: NullCard(), &table)
      },
    ]
  }

  // MARK: Edge to first frame

  /// From the edge of the button, its hold time taken off, to the first frames of the pre-alarm at a prepared card.
  ///
  /// Under load every press finds 10,000 events that are just going out through the MQTT plugin to a local broker, and two
  /// reports are always being asked of the journal.
  private static func measureSound(
    on card: NullCard, isLoaded: Bool, _ table: inout Table
  ) throws {
    let folder = try TemporaryDirectory()
    let broker = try Broker()
    try broker.start()
    let first = FirstFrames()
    let gateway = try GatewayInProcess(
      state: folder.path(of: "state"),
      plugins: [try mqtt(below: folder.path(of: "plugins"), port: broker.port)],
      speaker: card.speaker { first.heard($0, at: $1) })
    defer { gateway.stop() }
    let reports = isLoaded ? Reports(gateway.store) : nil
    var events = EventMill()
    var delays: [Double] = []
    for _ in 0..<presses {
      if isLoaded {
        JournalBenchmark.insert(events.next(queued), into: gateway.store)
        gateway.tellHeads()
      }
      delays.append(try first.delay(in: gateway))
    }
    reports?.stop()
    let load = isLoaded ? "10,000 queued events, reports running" : "idle"
    add("button edge → first frame, \(load)", delays, budgetMilliseconds: 8, to: &table)
  }

  // MARK: Press to guardian

  /// From the edge, hold time taken off, until the modem has sent the text message, and until the broker's subscriber has
  /// the alarm. The resident's alarms are silent: there is no pre-alarm before guardians are told.
  private static func measureGuardian(on card: NullCard, _ table: inout Table) throws {
    let folder = try TemporaryDirectory()
    let broker = try Broker()
    try broker.start()
    let modem = try RigModem()
    try modem.plugIn()
    let plugins = folder.path(of: "plugins")
    let deliveries = Inbox<(Int64, EncodedEvent)>()
    let gateway = try GatewayInProcess(
      state: folder.path(of: "state"),
      plugins: [
        try mqtt(below: plugins, port: broker.port), try sms(below: plugins, port: modem.port),
      ], speaker: card.speaker { _, _ in }
    ) { event in
      guard event.type == .alarmDelivery else { return }
      deliveries.add((PipeButton.monotonicNanoseconds(), event))
    }
    defer { gateway.stop() }
    try gateway.ask(.putSetting(resident: "mary", name: "isSilent", value: .bool(true)))
    try gateway.ask(
      .putGuardian(
        Guardian(
          id: "anna", resident: "mary", name: "Anna", phone: "+4791234567",
          withoutChannels: [.voice], isCaregiver: true)))
    let subscriber = try LineProcess(
      "/usr/bin/mosquitto_sub",
      ["-h", "127.0.0.1", "-p", "\(broker.port)", "-i", "receiver", "-q", "1"]
        + ["-t", "homeward/bench/event/alarm"])
    guard broker.hasSubscriber() else { throw BenchmarkFailure("the subscriber did not come") }
    var (texts, published): ([Double], [Double]) = ([], [])
    for _ in 0..<messages {
      gateway.button.press()
      let start =
        gateway.button.written.withLock { $0 } + GatewayInProcess.holdMilliseconds * 1_000_000
      _ = try subscriber.output.take("the alarm") { $0.contains("\"alarm.raised\"") }
      published.append(Double(PipeButton.monotonicNanoseconds() - start) / 1e6)
      texts.append(Double(try sent("alarm", in: deliveries) - start) / 1e6)
      gateway.button.letGo()
      try gateway.ask(.alarm(.resolve(alarm: nil, by: "anna", reason: "measured")))
      _ = try sent("cancelled", in: deliveries)
      usleep(50_000)
    }
    let taken = (try modem.control(["do": "sent"]) as? [Any])?.count ?? 0
    guard taken >= 2 * messages else {
      throw BenchmarkFailure("the modem sent \(taken) messages in \(messages) alarms")
    }
    add("press → message at the modem sent", texts, budgetMilliseconds: 5_000, to: &table)
    add(
      "press → alarm at the broker's subscriber", published, budgetMilliseconds: 5_000, to: &table)
  }

  /// When a notice of that kind was sent.
  private static func sent(
    _ notice: String, in deliveries: Inbox<(Int64, EncodedEvent)>
  ) throws -> Int64 {
    try deliveries.take("the \(notice) message") { _, event in
      let data = (try? JSONValue(parsing: event.body))?["data"]
      return data?["notice"]?.stringContent == notice && data?["outcome"]?.stringContent == "sent"
    }.0
  }

  // MARK: Parts

  private static func mqtt(
    below folder: String, port: Int
  ) throws -> PluginHost.PluginConfiguration {
    PluginHost.PluginConfiguration(
      name: "mqtt", directory: try InstalledPlugin.install("mqtt", below: folder),
      grants: ["network", "content.personal", "position.precise"],
      settings: [
        "host": "127.0.0.1", "port": .integer(Int64(port)), "homeAssistant": ["enabled": false],
      ], loopback: [UInt16(clamping: port)])
  }

  private static func sms(
    below folder: String, port: String
  ) throws -> PluginHost.PluginConfiguration {
    PluginHost.PluginConfiguration(
      name: "sms-modem", directory: try InstalledPlugin.install("sms-modem", below: folder),
      grants: ["observe:delivery", "command:alarm.acknowledge"],
      settings: ["backend": "port", "port": .string(port)], devicePaths: [port])
  }

  private static func add(
    _ subject: String, _ milliseconds: [Double], budgetMilliseconds: Int, to table: inout Table
  ) {
    let sorted = milliseconds.sorted()
    let (p50, p90) = (sorted[sorted.count / 2], sorted[sorted.count * 9 / 10])
    let p99 = sorted[sorted.count * 99 / 100]
    let figures = [("p50", p50), ("p90", p90), ("p99", p99), ("worst", sorted.last ?? 0)]
    table.add(
      subject, figures.map { "\($0) \(decimal($1, 2)) ms" }.joined(separator: ", "),
      budget: "p99 ≤ \(budgetMilliseconds) ms", isKept: p99 <= Double(budgetMilliseconds))
  }
}

/// Reports that are always being asked of the journal, two at a time.
private final class Reports: Sendable {
  private let store: SQLiteStore
  private let isStopped = Atomic<Bool>(false)

  init(_ store: SQLiteStore) {
    self.store = store
    for _ in 0..<2 { EventLoop.shared.post { self.ask() } }
  }

  func stop() { isStopped.store(true, ordering: .sequentiallyConsistent) }

  @LoopActor
  private func ask() {
    guard !isStopped.load(ordering: .sequentiallyConsistent) else { return }
    store.query(JournalQuery(resident: "mary", limit: 1_000)) { [self] _ in ask() }
  }
}

/// Events of somebody who is out walking, one after the other.
private struct EventMill {
  private var identifiers = IdentifierGenerator(seed: 3)
  private var number: Int64 = 0

  mutating func next(_ count: Int) -> [EncodedEvent] {
    (0..<count).map { _ in
      number += 1
      let moment = Moment(
        tick: .seconds(number), utc: .seconds(1_790_000_000 + number), quality: .synchronised)
      return Event(
        id: EventID(identifiers.next(at: moment.utc)), type: .locationRecorded, lane: .record,
        resident: "mary", moment: moment,
        facts: ["latitude": -24.0, "longitude": 133.0, "number": .integer(number)]
      ).cloudEvent(gateway: "bench", boot: "boot")
    }
  }
}
