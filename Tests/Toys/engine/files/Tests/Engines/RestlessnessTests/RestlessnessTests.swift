import Care
import JSON
import Moments
import Testing

@testable import Restlessness

@Suite("Going out again and again")
struct RestlessnessTests {
  private static let start = Moment(
    tick: .seconds(1000), utc: .seconds(1_800_000_000), quality: .synchronised)
  private let home: SafeZone

  init() throws {
    home = SafeZone(
      id: "home", resident: "mary", name: "Home",
      center: try #require(Coordinate(latitudeDegrees: 10, longitudeDegrees: 20)),
      radiusMeters: 50, isHome: true)
  }

  private static func world(_ minutes: Int64) -> World {
    World(
      now: start.advanced(byMilliseconds: minutes * 60_000),
      house: House(residents: [Resident(id: "mary", name: "Mary", timeZone: "Etc/UTC")]),
      boot: "b")
  }

  private func leaving() -> Input {
    let news = ZoneNews(
      .left(ZoneNews.Zone(home), isExpected: false), isOutside: true,
      explanation: "Mary left Home.")
    return .signalled(.zone(news, of: "mary"))
  }

  private func restless() throws -> (RestlessnessEngine, Outcome?) {
    var engine = RestlessnessEngine(stored: StoredState(), seed: 1, in: Self.world(0))
    for minute in [0, 10, 20] as [Int64] {
      #expect(try engine.handle(leaving(), in: Self.world(minute)) == nil)
    }
    // The first was more than an hour ago by then, and four are not enough.
    #expect(try engine.handle(leaving(), in: Self.world(61)) == nil)
    #expect(engine.nextWake == nil)
    _ = try engine.handle(leaving(), in: Self.world(62))
    let began = try engine.handle(leaving(), in: Self.world(63))
    return (engine, began)
  }

  @Test("Five times within an hour are told once, to the house and to whoever tells guardians")
  func often() throws {
    var (engine, began) = try restless()
    #expect(began?.events.map(\.type) == [.restlessnessBegan])
    #expect(began?.events.first?.facts["times"] == 5)
    #expect(
      began?.events.first?.signal == .news(.tag(sentence: "Mary left Home."), of: "mary"))
    #expect(began?.changes.count == 1)
    #expect(try engine.handle(leaving(), in: Self.world(64)) == nil)
  }

  @Test("An hour without is the end of it, after a new start as well; an erased resident is none")
  func over() throws {
    var (engine, _) = try restless()
    #expect(engine.nextWake == Self.world(123).now.tick)
    #expect(try engine.handle(.time, in: Self.world(122)) == nil)
    var state = StoredState()
    engine.store(in: &state)
    var again = RestlessnessEngine(stored: state, seed: 1, in: Self.world(70))
    #expect(again.nextWake == Self.world(130).now.tick)
    let over = try engine.handle(.time, in: Self.world(123))
    #expect(over?.events.map(\.type) == [.restlessnessOver] && over?.changes.count == 1)
    #expect(engine.nextWake == nil)
    #expect(try again.handle(.changed(.erased("mary")), in: Self.world(71)) == nil)
    #expect(again.nextWake == nil)
  }
}
