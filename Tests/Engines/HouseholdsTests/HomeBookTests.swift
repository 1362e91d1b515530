import Care
import JSON
import Testing

@testable import Households

/// Where somebody lived stays hidden for events of then.
@Suite("Homes that were")
struct HomeBookTests {
  private static func zone(
    _ id: ZoneID = "home", east meters: Double = 0, radius: Double = 50, isHome: Bool = true
  ) throws -> SafeZone {
    let base = try #require(Coordinate(latitudeDegrees: 10, longitudeDegrees: 20))
    let center = meters == 0 ? base : base.moved(meters: meters, bearingDegrees: 90)
    return SafeZone(
      id: id, resident: "mary", name: "Home", center: center, radiusMeters: radius,
      exitMarginMeters: 30, isHome: isHome)
  }

  private static func home(
    _ zone: SafeZone, generation: Int64 = 0, reach: Double
  ) -> PastHome {
    PastHome(zone: zone.id, generation: generation, center: zone.center, reachMeters: reach)
  }

  private static func row(_ home: PastHome) -> EngineRow {
    EngineRow(engine: "homes", subject: "mary", name: "home:\(home.key)", content: home.json)
  }

  @Test("Only a home that hides less than before is noted")
  func noted() throws {
    let home = try Self.zone()
    var others = home
    others.resident = "ada"
    var narrower = home
    narrower.exitMarginMeters = 29
    let cases: [(old: SafeZone?, new: SafeZone?, isNoted: Bool)] = [
      (nil, home, false), (try Self.zone(isHome: false), nil, false), (home, home, false),
      (home, try Self.zone(radius: 51), false), (home, nil, true),
      (home, try Self.zone(isHome: false), true), (home, try Self.zone(radius: 49), true),
      (home, narrower, true), (home, try Self.zone(east: 1), true), (home, others, true),
    ]
    for (place, one) in cases.enumerated() {
      var book = HomeBook(rows: [])
      let expected = Self.home(home, reach: 80)
      let changes = book.note(one.old, becomes: one.new)
      #expect(changes == (one.isNoted ? [.putEngineRow(Self.row(expected))] : []), "\(place)")
      #expect(book.all == (one.isNoted ? [expected] : []), "\(place)")
    }
  }

  @Test("A home far from those before is the next of its zone, under a name that stays its own")
  func generations() throws {
    var book = HomeBook(rows: [])
    let places = try [0, 1000, 2000].map { try Self.zone(east: $0) }
    for place in places { _ = book.note(place, becomes: nil) }
    _ = book.note(try Self.zone("cottage", east: 9000), becomes: nil)
    #expect(Set(book.all.map(\.key)) == ["home", "home#1", "home#2", "cottage"])
    #expect(book.all.first { $0.key == "home#1" }?.center == places[1].center)
  }

  @Test("A home near one that is known widens it, as far as that hides both")
  func near() throws {
    var book = HomeBook(rows: [])
    let first = try Self.zone()
    _ = book.note(first, becomes: nil)
    // At the same place only a wider one says more.
    #expect(book.note(try Self.zone(radius: 40), becomes: nil) == [])
    let wider = Self.home(first, reach: 90)
    #expect(book.note(try Self.zone(radius: 60), becomes: nil) == [.putEngineRow(Self.row(wider))])
    // Beside it the way to it is added.
    let widest = Self.home(first, reach: 80 + 150)
    let beside = try Self.zone(east: 100)
    #expect(book.note(beside, becomes: nil) == [.putEngineRow(Self.row(widest))])
    #expect(book.note(beside, becomes: nil) == [] && book.all == [widest])
    let position = beside.center.moved(meters: 80, bearingDegrees: 90)
    #expect(widest.center.distanceMeters(to: position) <= widest.reachMeters)
  }

  @Test("The seventeenth takes the place of the oldest, whose row goes, and no name comes again")
  func oldest() throws {
    var book = HomeBook(rows: [])
    for number in 0..<16 {
      _ = book.note(try Self.zone(east: 1000 * Double(number)), becomes: nil)
    }
    let next = try Self.zone(east: 16_000)
    let added = Self.home(next, generation: 16, reach: 80)
    #expect(
      book.note(next, becomes: nil) == [
        .putEngineRow(Self.row(added)),
        .removeEngineRow(engine: "homes", subject: "mary", name: "home:home"),
      ])
    #expect(book.all.count == 16 && book.all.map(\.generation).min() == 1)
    let back = try Self.zone()
    #expect(
      book.note(back, becomes: nil).first
        == .putEngineRow(Self.row(Self.home(back, generation: 17, reach: 80))))
  }

  @Test("Rows come back in any order, those of others and damaged ones are passed over")
  func rows() throws {
    var book = HomeBook(rows: [])
    for meters in [0.0, 1000, 2000] { _ = book.note(try Self.zone(east: meters), becomes: nil) }
    let damaged = EngineRow(engine: "homes", subject: "mary", name: "home:x", content: ["zone": 1])
    var foreign = book.rows[0]
    foreign.engine = "consent"
    var again = HomeBook(rows: [damaged, foreign] + book.rows.reversed())
    #expect(again == book)
    again.erase("ada")
    #expect(again == book)
    again.erase("mary")
    #expect(again.all.isEmpty && again.rows.isEmpty)
  }
}
