import Care
import ControlSocket
import Door
import Foundation
import JSON
import TestSupport
import Testing
import WalkSimulator

/// Several safe zones, from a receiver's sentences through the real gpsd to the status and a real broker.
@Suite(.serialized) struct SafeZonesTests {
  /// Mary walks from home to a place outside of it, and stays there.
  private static let plan = Outing.Plan(
    secondsAtHome: 5, pathMeters: 160, speedMetersPerSecond: 6, secondsAway: 10_000)

  @Test(
    "A zone drawn around somebody who is outside, moved and removed: status, alarm and broker agree at once",
    .timeLimit(.minutes(3)))
  func agree() throws {
    let center = try #require(Outing.nowhere)
    let logs = try TemporaryDirectory()
    let broker = try Broker()
    try broker.start()
    let receiver = try SimulatedReceiver(
      outing: Outing(seed: 3, home: center, plan: Self.plan), log: logs.path(of: "gpsd.log"))
    let hub = try TalkingGateway(broker: broker.port, gpsd: receiver.gpsdPort)
    let topics = try RetainedTopics(
      port: broker.port, gateway: RunningGateway.name, log: logs.path(of: "topics"))
    let home = SafeZone(
      id: "home", resident: "mary", name: "Home", center: center, radiusMeters: 25, isHome: true)
    try hub.perform(.putZone(home))
    try expect("outside", isAlarm: true, hub, topics, withinSeconds: 60)
    try expectStanding(hub)
    let here = try #require(try position(hub))

    var sister = SafeZone(
      id: "sister", resident: "mary", name: "Sister", center: here, radiusMeters: 40)
    try hub.perform(.putZone(sister))
    try expect("Sister", isAlarm: false, hub, topics)
    sister.name = "Ann"
    try hub.perform(.putZone(sister))
    try expect("Ann", isAlarm: false, hub, topics)
    try hub.perform(.removeZone("sister"))
    try expect("outside", isAlarm: false, hub, topics)

    var moved = home
    moved.area = .circle(center: here, radiusMeters: moved.radiusMeters)
    try hub.perform(.putZone(moved))
    try expect("Home", isAlarm: false, hub, topics)
    try hub.perform(.removeZone("home"))
    try expect("no zone", isAlarm: false, hub, topics)
  }

  @Test("An alarm about the only zone ends when that zone is removed", .timeLimit(.minutes(3)))
  func onlyZoneRemoved() throws {
    let center = try #require(Outing.nowhere)
    let logs = try TemporaryDirectory()
    let broker = try Broker()
    try broker.start()
    let receiver = try SimulatedReceiver(
      outing: Outing(seed: 5, home: center, plan: Self.plan), log: logs.path(of: "gpsd.log"))
    let hub = try TalkingGateway(broker: broker.port, gpsd: receiver.gpsdPort)
    let topics = try RetainedTopics(
      port: broker.port, gateway: RunningGateway.name, log: logs.path(of: "topics"))
    try hub.perform(
      .putZone(
        SafeZone(id: "home", resident: "mary", name: "Home", center: center, radiusMeters: 25)))
    try expect("outside", isAlarm: true, hub, topics, withinSeconds: 60)
    try hub.perform(.removeZone("home"))
    try expect("no zone", isAlarm: false, hub, topics)
  }

  // MARK: Looking

  private func status(_ hub: TalkingGateway) throws -> JSONValue { try hub.call(.status, [:]) }

  private func tracking(_ hub: TalkingGateway) throws -> JSONValue? {
    try status(hub)["residents"]?.arrayContent?.first?["tracking"]
  }

  private func position(_ hub: TalkingGateway) throws -> Coordinate? {
    guard let position = try tracking(hub)?["position"] else { return nil }
    return try Coordinate(json: position)
  }

  /// Waits until Mary stands where she stays.
  private func expectStanding(_ hub: TalkingGateway) throws {
    var anchor: Coordinate?
    var times: Set<String> = []
    let stands = Eventually.holds(withinSeconds: 60) {
      guard let here = try? position(hub), let time = try? tracking(hub)?["position"]?["time"]
      else { return false }
      if anchor.map({ here.distanceMeters(to: $0) > 20 }) ?? true {
        (anchor, times) = (here, [])
      }
      times.insert(time.stringContent ?? "")
      return times.count >= 6
    }
    #expect(stands)
  }

  /// Status and open alarms at once, the broker as soon as its messages are through.
  private func expect(
    _ zone: String, isAlarm: Bool, _ hub: TalkingGateway, _ topics: RetainedTopics,
    withinSeconds: Double = 10, at location: SourceLocation = #_sourceLocation
  ) throws {
    if withinSeconds > 10 {
      _ = Eventually.holds(withinSeconds: withinSeconds) {
        (try? openZoneAlarms(hub).isEmpty) == !isAlarm
      }
    }
    let tracking = try #require(try tracking(hub), sourceLocation: location)
    let inside = (tracking["zones"]?.arrayContent ?? [])
      .filter { $0["presence"] == "inside" }.compactMap { $0["zoneName"]?.stringContent }
    let isOutside = tracking["outside"]?.boolContent == true
    #expect(
      (inside.first ?? (isOutside ? "outside" : "no zone")) == zone, sourceLocation: location)
    #expect(try openZoneAlarms(hub).isEmpty == !isAlarm, sourceLocation: location)
    let isTold = Eventually.holds(withinSeconds: 10) {
      topics.payload("resident/mary/zone") == zone
        && topics.payload("resident/mary/alarm-state")?.contains("dispatched") == isAlarm
        && (isAlarm || topics.payload("siren") == "OFF")
    }
    #expect(
      isTold,
      """
      \(topics.payload("resident/mary/zone") ?? "-") \(topics.payload("siren") ?? "-") \
      \(topics.payload("resident/mary/alarm-state") ?? "-")
      """, sourceLocation: location)
  }

  private func openZoneAlarms(_ hub: TalkingGateway) throws -> [JSONValue] {
    (try status(hub)["alarms"]?.arrayContent ?? []).filter { $0["kind"] == "zone" }
  }
}
