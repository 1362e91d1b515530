import Bytes
import Care
import Foundation
import TestSupport
import Testing

/// The whole gateway, killed again and again, and cut off from its broker.
@Suite(.serialized) struct DurabilityTests {
  private static let mary = Resident(id: "mary", name: "Mary", timeZone: "Australia/Darwin")

  private static func zone(radius: Double) throws -> SafeZone {
    SafeZone(
      id: "home", resident: "mary", name: "Home",
      center: try #require(Coordinate(latitudeDegrees: -24, longitudeDegrees: 133)),
      radiusMeters: radius, isHome: true)
  }

  /// Commands whose events can be told apart: each bookmark's name carries its number; every hundredth command changes the
  /// zone, which is an event of the alarm lane.
  private static func commands(_ count: Int) throws -> [(id: String, request: Command.Request)] {
    let position = try #require(Coordinate(latitudeDegrees: -24.001, longitudeDegrees: 133))
    var commands: [(String, Command.Request)] = [
      ("resident", .putResident(mary)), ("zone", .putZone(try zone(radius: 100))),
    ]
    for number in 0..<count {
      let request: Command.Request =
        number.isMultiple(of: 100)
        ? .putZone(try zone(radius: number.isMultiple(of: 200) ? 50 : 100))
        : .putBookmark(
          Bookmark(
            id: BookmarkID("b\(number % 500)"), resident: "mary", name: "Place \(number)",
            address: "", coordinate: position))
      commands.append(("c-\(number)", request))
    }
    return commands
  }

  @Test(.timeLimit(.minutes(12))) func killsLoseNothingThatWasAcknowledged() throws {
    let kills = TestSize.count(whole: 500, usual: 60)
    let commands = try Self.commands(TestSize.count(whole: 20_000, usual: 2_400))
    let broker = try Broker()
    try broker.start()
    let gateway = try RunningGateway(broker: broker.port)
    let receiver = try Receiver(
      port: broker.port, gateway: RunningGateway.name, log: gateway.directory.path(of: "received"))
    try #require(broker.hasSubscriber())
    let load = CommandLoad(socketPath: gateway.socketPath)
    var random = SplitMix64(seed: 20_261_120)
    var acknowledged = 0

    for killed in 0..<kills {
      try gateway.start()
      try #require(Eventually.holds(withinSeconds: 20) { load.connect() }, "\(gateway.log)")
      let share = 2 * (commands.count - acknowledged) / (kills - killed) + 1
      let end = min(commands.count, acknowledged + Int(random.next() % UInt64(share + 1)) + 16)
      let pause = Double(random.next() % 40_000) / 1_000_000
      acknowledged += try load.send(
        commands[acknowledged..<end], until: Date().addingTimeInterval(pause))
      gateway.kill()
    }
    try gateway.start()
    try #require(Eventually.holds(withinSeconds: 20) { load.connect() })
    acknowledged += try load.send(commands[acknowledged...])
    #expect(acknowledged == commands.count)
    try finish(gateway, receiver, commands: commands, kills: kills)
  }

  /// Waits until the receiver has everything, stops the gateway and compares.
  private func finish(
    _ gateway: RunningGateway, _ receiver: Receiver,
    commands: [(id: String, request: Command.Request)], kills: Int
  ) throws {
    // What the gateway notes between this and its stop goes out after the next start.
    var complete: Set<String> = []
    let isComplete = try Eventually.holds(withinSeconds: 120) {
      let live = try Journal(stateDirectory: gateway.stateDirectory)
      complete = Set(live.rows.map(\.id))
      return complete.isSubset(of: receiver.arrivals().map(\.id))
    }
    #expect(isComplete, "the receiver has not got everything: \(gateway.log.suffix(2000))")
    #expect(gateway.stop() == 0)
    let journal = try Journal(stateDirectory: gateway.stateDirectory)
    #expect(journal.integrity == "ok")
    #expect(Set(journal.rows.map(\.id)).count == journal.rows.count, "an id stands twice")
    expectEachOnce(commands, in: journal)
    let redelivered = expectSameOrder(
      receiver.arrivals(), as: journal, within: complete, besides: gateway.earlyAlarms)
    print(
      "durability: \(kills) kills, \(journal.rows.count) events, 0 acknowledged lost, \(redelivered) redelivered"
    )
  }

  /// Every acknowledged command has left its event in the journal exactly once.
  private func expectEachOnce(
    _ commands: [(id: String, request: Command.Request)], in journal: Journal
  ) {
    let bodies = journal.rows.filter { $0.type == "record.changed" }.map(\.body)
    var counts: [Substring: Int] = [:]
    for body in bodies {
      guard let start = body.range(of: "\"name\":\"Place ") else { continue }
      counts[body[start.upperBound...].prefix { $0 != "\"" }, default: 0] += 1
    }
    let bookmarks = commands.count { if case .putBookmark = $0.request { true } else { false } }
    #expect(counts.count == bookmarks, "acknowledged events are missing")
    #expect(counts.values.allSatisfy { $0 == 1 }, "a command was done twice")
  }

  /// After dropping repeated ids the receiver has every lane complete, and in order what is about the same person or about
  /// the gateway; answers how many were repeated.
  ///
  /// Only events `within` count. `early` are alarms that a slow disk sent ahead from memory: they must arrive, but may
  /// overtake.
  private func expectSameOrder(
    _ arrivals: [(lane: String, id: String, type: String, body: Substring)], as journal: Journal,
    within complete: Set<String>, besides early: Set<String>
  ) -> Int {
    var repeated = 0
    let arrivals = arrivals.filter { complete.contains($0.id) }
    for lane in ["alarm", "record"] {
      var seen: Set<String> = []
      let unique = arrivals.filter { $0.lane == lane }.filter { seen.insert($0.id).inserted }
      let expected = journal.rows(lane: lane).filter { complete.contains($0.id) }
      repeated += arrivals.count { $0.lane == lane } - unique.count
      #expect(unique.count == expected.count, "lane \(lane) is incomplete")
      let came = unique.filter { !early.contains($0.id) }.map(\.body)
      let belongs = expected.filter { !early.contains($0.id) }.map { Substring($0.body) }
      expectSameOrder(came, as: belongs, lane: lane)
    }
    return repeated
  }

  private func expectSameOrder(_ came: [Substring], as belongs: [Substring], lane: String) {
    let (groups, wanted) = (
      Dictionary(grouping: came, by: Self.subject), Dictionary(grouping: belongs, by: Self.subject)
    )
    #expect(groups.keys.sorted() == wanted.keys.sorted())
    for (subject, bodies) in groups {
      let firstOdd = zip(bodies, wanted[subject] ?? []).first { $0 != $1 }
      #expect(
        firstOdd == nil,
        """
        of \(subject) lane \(lane) is out of order, or its bytes were changed: \(firstOdd?.0 ?? "") came where \
        \(firstOdd?.1 ?? "") belongs
        """)
    }
  }

  private static func subject(of body: Substring) -> Substring {
    guard let start = body.range(of: "\"subject\":\"") else { return "none" }
    return body[start.upperBound...].prefix { $0 != "\"" }
  }

  @Test(.timeLimit(.minutes(15)))
  func afterANetworkOutageAlarmsArriveFirstAndThenEverythingInOrder()
    throws
  {
    // Of the records three times as many as may go out before the last alarm.
    let commands = try Self.commands(TestSize.count(whole: 100_000, usual: 6_000))
    let broker = try Broker()
    let gateway = try RunningGateway(broker: broker.port)
    let load = CommandLoad(socketPath: gateway.socketPath)
    try broker.start()
    let receiver = try Receiver(
      port: broker.port, gateway: RunningGateway.name, log: gateway.directory.path(of: "received"))
    try gateway.start()
    try #require(Eventually.holds(withinSeconds: 20) { load.connect() }, "\(gateway.log)")
    try #require(Eventually.holds(withinSeconds: 20) { receiver.count > 0 }, "\(gateway.log)")
    broker.stop()
    #expect(try load.send(commands[...]) == commands.count)
    try broker.start()
    let live = try Journal(stateDirectory: gateway.stateDirectory)
    let complete = Set(live.rows.map(\.id))
    let isComplete = Eventually.holds(withinSeconds: 600) {
      receiver.count >= complete.count
        && complete.isSubset(of: receiver.arrivals().map(\.id))
    }
    #expect(isComplete, "\(receiver.count) of \(live.rows.count): \(gateway.log.suffix(2000))")
    gateway.stop()
    let journal = try Journal(stateDirectory: gateway.stateDirectory)
    let arrivals = receiver.arrivals()
    _ = expectSameOrder(
      arrivals, as: journal, within: complete, besides: gateway.earlyAlarms)
    let alarms = journal.rows(lane: "alarm").count
    let lastAlarm = arrivals.lastIndex { $0.lane == "alarm" } ?? arrivals.count
    #expect(alarms >= commands.count / 100)
    // One record batch may be on its way when the first alarm batch goes out.
    #expect(lastAlarm < alarms + 2_048, "alarms waited behind \(lastAlarm - alarms) records")
    print(
      "outage: \(journal.rows.count) events queued, the last of \(alarms) alarms was arrival \(lastAlarm + 1)"
    )
  }
}
