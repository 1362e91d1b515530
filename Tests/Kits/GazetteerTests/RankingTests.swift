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
}
