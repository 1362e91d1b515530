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
}
