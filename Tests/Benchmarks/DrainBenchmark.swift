import Care
import Foundation
import JSON
import Moments
import Ports
import Store
import TestSupport

/// A backlog of 100,000 events drained into a local mosquitto, beside `mosquitto_pub` sending the same lines.
enum DrainBenchmark {
  private static let events = 100_000

  static var parts: [BenchmarkPart] { [BenchmarkPart(name: "drain", measure: measure)] }

  private static func measure(_ table: inout Table) throws {
    let ours = try throughGateway()
    let plain = try throughMosquittoPub()
    let rate = Double(events) / ours
    table.add(
      "backlog drain to a local broker",
      "\(Int(rate)) events/s, \(decimal(plain / ours, 2)) × mosquitto_pub",
      budget: "≥ 30,000 events/s", isKept: rate >= 30_000)
  }

  /// Seconds from the first event at the subscriber to the last.
  private static func throughGateway() throws -> Double {
    let broker = try Broker()
    try broker.start()
    let gateway = try GatewayUnderTest(gpsPort: nil, brokerPort: broker.port)
    try fill(gateway.statePath)
    let receiver = try Receiver(
      port: broker.port, gateway: "bench", log: gateway.directory.path(of: "received"))
    guard broker.hasSubscriber() else { throw BenchmarkFailure("the subscriber did not come") }
    try gateway.start()
    defer { gateway.stop() }
    return try time(until: { receiver.byteCount }, atLeast: backlogBytes, log: gateway.log)
  }

  /// Seconds that `mosquitto_pub` would need for the same bytes at the same quality of service, from what it sends in ten
  /// seconds at most.
  private static func throughMosquittoPub() throws -> Double {
    let broker = try Broker()
    try broker.start()
    let directory = try TemporaryDirectory()
    let receiver = try Receiver(
      port: broker.port, gateway: "bench", log: directory.path(of: "received"))
    guard broker.hasSubscriber() else { throw BenchmarkFailure("the subscriber did not come") }
    var identifiers = IdentifierGenerator(seed: 2)
    let lines = (0..<events).map {
      String(decoding: event($0, &identifiers).body, as: UTF8.self)
    }
    let file = try directory.write(lines.joined(separator: "\n") + "\n", to: "lines")
    let publisher = try ChildProcess(
      "sh",
      [
        "-c",
        "exec mosquitto_pub -h 127.0.0.1 -p \(broker.port) -q 1 -t homeward/bench/event/record -l < '\(file)'",
      ], log: directory.path(of: "log"))
    return try withExtendedLifetime(publisher) {
      guard Eventually.holds(withinSeconds: 20, { receiver.byteCount > 1_000 }) else {
        throw BenchmarkFailure("mosquitto_pub sent nothing: \(publisher.log)")
      }
      let elapsed = seconds {
        _ = Eventually.holds(withinSeconds: 10) { receiver.byteCount >= backlogBytes }
      }
      return elapsed * Double(backlogBytes) / Double(min(receiver.byteCount, backlogBytes))
    }
  }

  /// A little less than what all events weigh, so that the last few lines do not decide.
  private static var backlogBytes: Int {
    var identifiers = IdentifierGenerator(seed: 2)
    return event(events / 2, &identifiers).body.count * events * 98 / 100
  }

  private static func time(
    until bytes: () -> Int, atLeast wanted: Int, log: @autoclosure () -> String
  ) throws -> Double {
    guard Eventually.holds(withinSeconds: 60, { bytes() > 1_000 }) else {
      throw BenchmarkFailure("the first event did not come: \(log())")
    }
    return try seconds {
      guard Eventually.holds(withinSeconds: 120, { bytes() >= wanted }) else {
        throw BenchmarkFailure("the last event did not come: \(log())")
      }
    }
  }

  private static func fill(_ directory: String) throws {
    let store = try SQLiteStore.open(SQLiteStore.Options(directory: directory))
    var identifiers = IdentifierGenerator(seed: 2)
    JournalBenchmark.insert((0..<events).map { event($0, &identifiers) }, into: store)
    PositionBenchmark.close(store)
  }

  private static func event(_ number: Int, _ identifiers: inout IdentifierGenerator) -> EncodedEvent
  {
    let now = Int64(Date().timeIntervalSince1970 * 1000)
    let moment = Moment(
      tick: .seconds(Int64(number)), utc: Timestamp(milliseconds: now - 3_600_000),
      quality: .synchronised)
    return Event(
      id: EventID(identifiers.next(at: moment.utc)), type: .locationRecorded, lane: .record,
      resident: "mary", moment: moment,
      facts: [
        "latitude": -24.0, "longitude": 133.0, "accuracyMeters": 4.5,
        "number": .integer(Int64(number)),
      ]
    ).cloudEvent(gateway: "bench", boot: "boot")
  }
}
