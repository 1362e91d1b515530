import Care
import ControlSocket
import Door
import Foundation
import JSON
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
    // As long as the disk takes nothing the zone is refused, and may be sent again.
    let isTaken = Eventually.holds(withinSeconds: 20) {
      load.connect()
        && (try? load.send([("again", .putZone(try Self.zone(radius: 20)))])) == 1
    }
    try #require(isTaken, "\(gateway.log)")
    #expect(Eventually.holds(withinSeconds: 20) { Self.alarms(news).count >= 2 })
    #expect(gateway.stop() == 0)
    #expect(Set(Self.alarms(news)).count == 2)
    let journal = try Journal(stateDirectory: gateway.stateDirectory)
    #expect(journal.integrity == "ok")
    #expect(journal.rows(lane: "alarm").count == 2, "the alarm was written when the disk came back")
  }

  @Test(
    "What is no alarm is refused while the disk takes nothing; an SOS goes out and says that it is not kept"
  )
  func answers() throws {
    let tools = try TemporaryDirectory()
    let library = try Self.buildLibrary(in: tools)
    let switchPath = try tools.write("", to: "fault")
    let gateway = try RunningGateway(broker: nil, phone: true)
    let house = House(gateway: gateway)
    try gateway.start(environment: ["LD_PRELOAD": library, "DISK_FAULT": switchPath])
    let load = CommandLoad(socketPath: gateway.socketPath)
    try #require(Eventually.holds(withinSeconds: 20) { load.connect() }, "\(gateway.log)")
    try house.perform(.putResident(Resident(id: "mary", name: "Mary", timeZone: "UTC")))
    try house.perform(.putSetting(resident: "mary", name: "prealarmSeconds", value: 0))
    let kept = try house.perform(
      .putGuardian(Guardian(id: "anna", resident: "mary", name: "Anna", phone: "+4791234567")))
    #expect(kept["durable"] == true)

    // Were the log of inputs sick, too, that would be told between the zone and its refusal, and nothing taken back then.
    try tools.write("care", to: "fault")
    for id in ["first", "second"] as [ZoneID] {
      var zone = try Self.zone(radius: 50)
      zone.id = id
      let refusal = house.refusal(.putZone(zone)).stringContent
      #expect(refusal?.contains("could not be kept") == true, "\(id): \(gateway.log)")
    }
    #expect(try house.call(.zonesList, [:]) == .array([]))
    let help = try house.perform(
      .alarm(.raise(resident: "mary", kind: .sos, trigger: .commandLine, text: "")))
    #expect(help["durable"] == false)
    let isTold = Eventually.holds(withinSeconds: 20) {
      gateway.texts().contains { $0.contains(#""notice": "alarm""#) }
    }
    #expect(isTold, "\(gateway.log)")

    try tools.write("", to: "fault")
    let isBack = Eventually.holds(withinSeconds: 20) {
      (try? house.perform(.putZone(Self.zone(radius: 50))))?["durable"] == true
    }
    #expect(isBack, "\(gateway.log)")
    #expect(gateway.stop() == 0)
  }

  private struct House: GatewayKeeper { let gateway: RunningGateway }

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
