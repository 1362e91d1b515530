import Care
import ControlSocket
import Door
import Foundation
import JSON
import TestSupport
import Testing
import WalkSimulator

/// The main job on real input: a receiver's sentences through the real gpsd, out to a real broker.
@Suite(.serialized) struct WalkHomeTests {
  @Test(.timeLimit(.minutes(3))) func aPersonWhoLeavesHomeAndReturnsIsNoticedAtTheBroker() throws {
    let home = try #require(Outing.nowhere)
    let logs = try TemporaryDirectory()
    // A cyclist's pace keeps the test short; the engine sees the same distances.
    let outing = Outing(
      seed: 3, home: home,
      plan: Outing.Plan(
        secondsAtHome: 8, pathMeters: 160, speedMetersPerSecond: 6, secondsAway: 5))
    let broker = try Broker()
    try broker.start()
    let receiver = try SimulatedReceiver(outing: outing, log: logs.path(of: "gpsd.log"))
    // It says ten times a second that the receiver is at home, and that whatever is told arrived.
    let liar = RunningGateway.TestPlugin(
      name: "liar", grants: ["observe:fix", "observe:delivery"],
      settings: "{latitude: \(home.latitudeDegrees), longitude: \(home.longitudeDegrees)}")
    let gateway = try RunningGateway(
      broker: broker.port, gpsd: receiver.gpsdPort, others: [liar])
    let news = try Receiver(
      port: broker.port, gateway: RunningGateway.name, log: gateway.directory.path(of: "received"))
    try #require(broker.hasSubscriber())
    try gateway.start()
    let load = CommandLoad(socketPath: gateway.socketPath)
    try #require(Eventually.holds(withinSeconds: 20) { load.connect() }, "\(gateway.log)")
    let zone = SafeZone(
      id: "home", resident: "mary", name: "Home", center: home, radiusMeters: 25, isHome: true)
    #expect(
      try load.send([
        (
          "r",
          .putResident(
            Resident(id: "mary", name: "Mary", timeZone: "Pacific/Auckland", gpsSource: "gps"))
        ), ("z", .putZone(zone)),
      ]) == 2)
    let isHomeAgain = Eventually.holds(withinSeconds: 110) {
      news.arrivals().contains { $0.type == "zone.entered" }
    }
    #expect(isHomeAgain, "\(gateway.log)")
    let lies = try ControlClient(connectingTo: gateway.socketPath).call(
      .eventsQuery, params: ["types": ["delivery"], "limit": 100])
    #expect(
      lies.arrayContent?.allSatisfy { $0["data"]?["plugin"] != "liar" } == true, "\(lies)")
    gateway.stop()
    #expect(!gateway.log.contains("liar: error"), "\(gateway.log)")
    try expectOneOuting(news.arrivals())
  }

  private func expectOneOuting(
    _ arrivals: [(lane: String, id: String, type: String, body: Substring)]
  ) throws {
    let transitions = arrivals.filter { ["zone.left", "zone.entered"].contains($0.type) }
    #expect(transitions.map(\.type) == ["zone.left", "zone.entered"])
    #expect(transitions.allSatisfy { $0.lane == "alarm" })
    let left = try JSONValue(parsing: String(try #require(transitions.first).body))
    let facts = try #require(left["data"])
    #expect(facts["isHome"] == true)
    #expect(facts["fixes"]?.arrayContent?.count == 2)
    #expect(facts["distanceMeters"]?.doubleContent ?? 0 > 75)
    #expect(facts["explanation"]?.stringContent?.contains("Mary left Home") == true)
    #expect(arrivals.contains { $0.type == "location.recorded" })
  }
}
