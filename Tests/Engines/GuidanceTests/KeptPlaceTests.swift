import Care
import JSON
import Moments
import TestSupport
import Testing
import WalkingRoutes

@testable import Guidance

@Suite("A resident's own address book")
struct KeptPlaceTests {
  private func keep(_ name: String, at place: Coordinate? = nil) -> GuidanceRequest {
    .keep(Traveller.mary, name: name, at: place)
  }

  @Test("Where the resident is now is kept under a name, and gets the address that the map knows")
  func here() throws {
    let mary = Traveller(home: nil)
    mary.tick()
    mary.ask(keep("The bench"))
    let place = try #require(mary.engine.places(keptBy: Traveller.mary).first)
    #expect(place.name == "The bench" && place.address.isEmpty)
    #expect(place.coordinate.distanceMeters(to: mary.position) < 15)
    let query = try #require(mary.queries.last)
    #expect(query.subject == .address(place.coordinate))
    mary.report(.address("Lindengasse 9, 9001 Ahrenstett"), on: query)
    #expect(
      mary.engine.places(keptBy: Traveller.mary).first?.address == "Lindengasse 9, 9001 Ahrenstett")
    #expect(mary.events.last?.type == .placeKept)
  }

  @Test("While nobody knows where the resident is, the place has to be given")
  func unknown() throws {
    let mary = Traveller(home: nil)
    #expect(mary.ask(keep("The bench"))?.code == .conflict)
    #expect(mary.engine.places(keptBy: Traveller.mary).isEmpty)
    let given = try #require(Coordinate(latitudeDegrees: 30, longitudeDegrees: -40))
    mary.ask(keep("The bench", at: given))
    #expect(mary.engine.places(keptBy: Traveller.mary).map(\.coordinate) == [given])
  }

  @Test(
    "The same name again moves the place, and an address that comes late is not that of another")
  func again() throws {
    let mary = Traveller(home: nil)
    let places = try [30.0, 30.1].map {
      try #require(Coordinate(latitudeDegrees: $0, longitudeDegrees: -40))
    }
    mary.ask(keep("Bench", at: places[0]))
    let first = try #require(mary.queries.last)
    mary.tick()
    mary.ask(keep("bench", at: places[1]))
    mary.report(.address("Far away"), on: first)
    let book = mary.engine.places(keptBy: Traveller.mary)
    #expect(book.map(\.name) == ["bench"] && book.map(\.id) == ["1"])
    #expect(book.map(\.coordinate) == [places[1]] && book.map(\.address) == [""])
  }

  @Test("A kept place is one to be guided to, and one that was removed is none")
  func goal() throws {
    let mary = Traveller(home: nil)
    let place = try #require(Coordinate(latitudeDegrees: 30, longitudeDegrees: -40))
    mary.ask(keep("Bench", at: place))
    mary.ask(.start(Traveller.mary, to: .kept("1"), asks: true))
    #expect(mary.heard.last?.contains("Bench") == true)
    mary.ask(.cancel(Traveller.mary))
    mary.ask(.forget(Traveller.mary, place: "1"))
    #expect(mary.events.last?.type == .placeForgotten)
    for request in [
      GuidanceRequest.start(Traveller.mary, to: .kept("1"), asks: false),
      .forget(Traveller.mary, place: "1"),
    ] {
      #expect(mary.ask(request)?.code == .unknownTarget)
    }
  }

  @Test("The book is there after a restart, also a line of it that this version cannot read")
  func restart() throws {
    let mary = Traveller(home: nil)
    let place = try #require(Coordinate(latitudeDegrees: 30, longitudeDegrees: -40))
    mary.ask(keep("Bench", at: place))
    var state = StoredState()
    mary.engine.store(in: &state)
    state.engineRows.append(
      EngineRow(
        engine: "guidance", subject: Traveller.mary.rawValue, name: "place:2",
        content: ["id": "2", "shape": "of a later version"]))
    var engine = GuidanceEngine(stored: state, seed: 1, in: mary.world)
    _ = try engine.handle(.started(version: "1"), in: mary.world)
    #expect(engine.places(keptBy: Traveller.mary).map(\.name) == ["Bench"])
    var after = StoredState()
    engine.store(in: &after)
    #expect(Set(after.engineRows) == Set(state.engineRows))
  }

  @Test("The book has an end", arguments: [KeptPlace.most])
  func full(most: Int) throws {
    let mary = Traveller(home: nil)
    let place = try #require(Coordinate(latitudeDegrees: 30, longitudeDegrees: -40))
    for number in 1...most { mary.ask(keep("Place \(number)", at: place)) }
    #expect(mary.ask(keep("One more", at: place))?.code == .conflict)
    mary.ask(keep("Place 1", at: place))
    #expect(mary.engine.places(keptBy: Traveller.mary).count == most)
  }

  @Test(
    "Requests are the same after a way through JSON",
    arguments: [
      GuidanceRequest.keep("mary", name: "老地方", at: nil),
      .keep("mary", name: "B", at: Coordinate(latitudeDegrees: 1, longitudeDegrees: 2)),
      .forget("mary", place: "3"), .start("mary", to: .kept("3"), asks: true),
    ])
  func coding(request: GuidanceRequest) throws {
    #expect(try GuidanceRequest(json: request.json) == request)
  }
}
