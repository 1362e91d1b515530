import CareModel
import Foundation
import TestSupport
import Testing

/// The real daemon on a disk that answers with errors or not at all: the alarm still reaches the broker.
@Suite(.serialized) struct SickDiskTests {
  @Test(.timeLimit(.minutes(2)), arguments: ["eio", "hang"])
  func anAlarmReachesTheBrokerWhileTheDiskIsSick(fault: String) throws {
    let tools = try TemporaryDirectory()
    let library = try Self.buildLibrary(in: tools)
    let switchPath = try tools.write("", to: "fault")
    let broker = try Broker()
    try broker.start()
    let gateway = try RunningGateway(broker: broker.port)
    let news = try Receiver(
      port: broker.port, gateway: RunningGateway.name, log: gateway.directory.path(of: "received"))
    try #require(broker.hasSubscriber())
    try gateway.start(environment: ["LD_PRELOAD": library, "DISK_FAULT": switchPath])
    let load = CommandLoad(socketPath: gateway.socketPath)
    try #require(Eventually.holds(withinSeconds: 20) { load.connect() }, "\(gateway.log)")
    #expect(try load.send(Self.residentAndZone()) == 2)
    try #require(Eventually.holds(withinSeconds: 20) { news.count > 0 }, "\(gateway.log)")

    try tools.write(fault, to: "fault")
    _ = try load.send(
      [("shrink", .putZone(try Self.zone(radius: 10)))], until: Date().addingTimeInterval(0.2))
    let early = Eventually.holds(withinSeconds: 9) { Self.alarms(news).count == 1 }
    #expect(early, "the alarm waited for the disk: \(gateway.log)")
    let sick = try Journal(stateDirectory: gateway.stateDirectory)
    #expect(sick.rows(lane: "alarm").isEmpty, "the disk was not sick")

    try tools.write("", to: "fault")
    try #require(load.connect())
    #expect(try load.send([("again", .putZone(try Self.zone(radius: 20)))]) == 1)
    #expect(Eventually.holds(withinSeconds: 20) { Self.alarms(news).count >= 2 })
    #expect(gateway.stop() == 0)
    #expect(Set(Self.alarms(news)).count == 2)
    let journal = try Journal(stateDirectory: gateway.stateDirectory)
    #expect(journal.integrity == "ok")
    #expect(journal.rows(lane: "alarm").count == 2, "the alarm was written when the disk came back")
  }

  private static func residentAndZone() throws -> ArraySlice<(id: String, request: Command.Request)>
  {
    [
      ("r", .putResident(Resident(id: "mary", name: "Mary", timeZone: "UTC"))),
      ("z", .putZone(try zone(radius: 100))),
    ]
  }

  private static func zone(radius: Double) throws -> SafeZone {
    SafeZone(
      id: "home", resident: "mary", name: "Home",
      center: try #require(Coordinate(latitudeDegrees: -24, longitudeDegrees: 133)),
      radiusMeters: radius, isHome: true)
  }

  private static func alarms(_ news: Receiver) -> [Substring] {
    news.arrivals().filter { $0.lane == "alarm" }.map(\.body)
  }

  private static func buildLibrary(in directory: TemporaryDirectory) throws -> String {
    let source = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .appendingPathComponent("diskfault.c").path
    let library = directory.path(of: "diskfault.so")
    let compiler = try ChildProcess(
      "cc", ["-shared", "-fPIC", "-O1", "-o", library, source, "-ldl"],
      log: directory.path(of: "cc.log"))
    try #require(compiler.wait() == 0, "\(compiler.log)")
    return library
  }
}
