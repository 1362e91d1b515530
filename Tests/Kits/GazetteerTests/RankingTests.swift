import Care
import Testing

@testable import Gazetteer

@Suite("The order of what was found")
struct RankingTests {
  private static let here = Coordinate(latitudeDegrees: 30, longitudeDegrees: -40)

  /// The kinds of what is found for typed words, of a street "2-я Садовая улица" and its house 2.
  private func kinds(typed: [String]) throws -> [String] {
    let here = try #require(Self.here)
    let title = ["2", "я", "садовая", "улица"]
    let words = typed.map { QueryWord($0) }
    var ranking = Ranking(near: nil)
    ranking.add(
      1, FoundPlace(kind: "address", street: "2-я Садовая улица", number: "2", coordinate: here),
      .asked, words: words, title: title, number: ["2"])
    ranking.add(
      2, FoundPlace(kind: "street", name: "2-я Садовая улица", coordinate: here), .asked,
      words: words, title: title, number: [])
    return ranking.best(5).map(\.kind)
  }

  @Test("A number that is part of a street's name is no house number, unless it is typed twice")
  func numberedStreet() throws {
    #expect(try kinds(typed: ["2", "я", "садовая", "улица"]) == ["street", "address"])
    #expect(try kinds(typed: ["2", "я", "садовая", "улица", "2"]) == ["address", "street"])
  }

  @Test("A house whose town the map says in two ways is one; houses of two towns are two")
  func towns() throws {
    let here = try #require(Self.here)
    let words = ["mill", "lane", "3"].map { QueryWord($0) }
    var ranking = Ranking(near: nil)
    let houses = [
      ("Velm", here), ("Velm an der Ahre", here.moved(meters: 10, bearingDegrees: 0)),
      ("Ahrenstett", here.moved(meters: 5_000, bearingDegrees: 0)),
    ]
    for (index, (city, place)) in houses.enumerated() {
      ranking.add(
        Int64(index),
        FoundPlace(
          kind: "address", street: "Mill Lane", number: "3", city: city, coordinate: place), .asked,
        words: words, title: ["mill", "lane"], number: ["3"])
    }
    #expect(ranking.best(5).map(\.city) == ["Velm", "Ahrenstett"])
  }

  /// What is found, in order, of streets named like the words.
  private func best(
    _ places: [(FoundPlace, Ranking.Level)], typed: [String] = ["mill", "lane"],
    near: Coordinate? = nil, limit: Int = 10
  ) -> [FoundPlace] {
    let words = typed.map { QueryWord($0) }
    var ranking = Ranking(near: near)
    for (index, (place, level)) in places.enumerated() {
      let title = (place.name.isEmpty ? place.street : place.name).lowercased()
        .split(separator: " ").map(String.init)
      ranking.add(
        Int64(index), place, level, words: words, title: title,
        number: place.number.isEmpty ? [] : [place.number])
    }
    return ranking.best(limit)
  }

  private func street(_ name: String, kilometers: Double = 0, kind: String = "street") throws
    -> FoundPlace
  {
    let here = try #require(Self.here)
    return FoundPlace(
      kind: kind, name: name,
      coordinate: kilometers == 0
        ? here : here.moved(meters: kilometers * 1000, bearingDegrees: 90))
  }

  @Test("What was asked for comes before what was meant, and that before a part, however near")
  func levels() throws {
    let found = best(
      [
        (try street("Mill Lane", kilometers: 1), .part),
        (try street("Mill Lane", kilometers: 2), .meant),
        (try street("Mill Lane", kilometers: 3), .asked),
      ], near: Self.here)
    let meters = try found.map { try #require(Self.here).distanceMeters(to: $0.coordinate) }
    #expect(meters.map { ($0 / 1000).rounded() } == [3, 2, 1])
    #expect(found.map(\.isSuggestion) == [false, true, true])
  }

  @Test("A name that has nothing else comes first, then a town, a street, a thing, a building")
  func kindsAndNames() throws {
    var town = try street("Mill Lane", kilometers: 9, kind: "place")
    town.detail = "town"
    let places = [
      try street("Old Mill Lane", kilometers: 1),
      try street("Mill Lane", kilometers: 2, kind: "building"),
      try street("Mill Lane", kilometers: 3, kind: "shop"), try street("Mill Lane", kilometers: 4),
      town,
    ]
    #expect(
      best(places.map { ($0, .asked) }, near: Self.here).map { "\($0.kind) \($0.name)" } == [
        "place Mill Lane", "street Mill Lane", "shop Mill Lane", "building Mill Lane",
        "street Old Mill Lane",
      ])
  }

  @Test("The nearer of equals comes first; without a place to be near, the one found first")
  func near() throws {
    let places = [try street("Mill Lane", kilometers: 5), try street("Mill Lane", kilometers: 1)]
    #expect(best(places.map { ($0, .asked) }) == places)
    #expect(best(places.map { ($0, .asked) }, near: Self.here) == places.reversed())
    #expect(best(places.map { ($0, .asked) }, near: Self.here, limit: 1) == [places[1]])
    #expect(best(places.map { ($0, .asked) }, limit: 0).isEmpty)
  }

  @Test("Pieces of one street within 150 metres are one, those beyond are others")
  func pieces() throws {
    let places = try [0, 0.1, 0.3, 0.4].map { try street("Mill Lane", kilometers: $0) }
    #expect(best(places.map { ($0, .asked) }) == [places[0], places[2]])
    let other = try street("Mill Row", kilometers: 0.01)
    #expect(best([(places[0], .asked), (other, .asked)]).count == 2)
  }

  @Test("A place that is found again stays as it was found first")
  func foundAgain() throws {
    let words = [QueryWord("mill")]
    var ranking = Ranking(near: nil)
    for level in [.asked, .meant] as [Ranking.Level] {
      ranking.add(7, try street("Mill"), level, words: words, title: ["mill"], number: [])
    }
    #expect(ranking.count == 1 && ranking.best(5).map(\.isSuggestion) == [false])
  }

  @Test("The house of the number that was typed comes first; without a number the street does")
  func houses() throws {
    let here = try #require(Self.here)
    func house(_ number: String) -> FoundPlace {
      FoundPlace(kind: "address", street: "Mill Lane", number: number, coordinate: here)
    }
    let places = [house("5"), try street("Mill Lane"), house("3")]
    let found = best(places.map { ($0, .asked) }, typed: ["mill", "lane", "3"])
    #expect(found.first == places[2])
    #expect(Set(found) == Set(places))
    let without = best(places.map { ($0, .asked) }, typed: ["mill", "lane"])
    #expect(without.first == places[1])
  }
}
