import Care
import Foundation
import Gazetteer
import TestSupport
import Testing

/// The invented town, imported once for all tests.
final class ImportedTown: Sendable {
  static let shared = Result { try ImportedTown() }

  let directory: TemporaryDirectory

  private init() throws {
    directory = try TemporaryDirectory()
    try InventedTown.makeImport(in: directory.path)
  }

  static func places() throws -> PlaceFolder {
    try #require(try PlaceFolder(in: shared.get().directory.path))
  }

  static func index() throws -> PlaceIndex { try places().index() }
}

@Suite(
  "Finding by words", .enabled(if: PythonPeer.isInstalled, "python3 is not installed"))
struct SearchTests {
  /// - Sources: the German, Spanish, French and Russian ways to shorten an address; wiki.openstreetmap.org/wiki/Name_finder:Abbreviations.
  @Test(
    "An address is found first however it is written",
    arguments: [
      ("Untere Mühlstraße 10", "Untere Mühlstraße 10, 9001 Ahrenstett"),
      ("untere muhlstrasse 10", "Untere Mühlstraße 10, 9001 Ahrenstett"),
      ("UNTERE MUEHLSTRASSE 10", "Untere Mühlstraße 10, 9001 Ahrenstett"),
      ("unt. Mühlstr. 10, 9001 Ahrenstett", "Untere Mühlstraße 10, 9001 Ahrenstett"),
      ("unt. Muehlstr. 10", "Untere Mühlstraße 10, 9001 Ahrenstett"),
      ("10 Untere Mühlstr Ahrenstett", "Untere Mühlstraße 10, 9001 Ahrenstett"),
      ("Professor Brandl Strasse 1", "Prof.-Brandl-Straße 1, 9001 Ahrenstett"),
      ("lindeng. 9", "Lindengasse 9, 9001 Ahrenstett"),
      ("Lindengasse 13a", "Lindengasse 13a, 9001 Ahrenstett"),
      ("r. de l'eglise 5", "Rue de l’Église 5, 9001 Ahrenstett"),
      ("C. Nunez 2", "Calle Núñez 2, 9001 Ahrenstett"),
      ("ул. Тихая 7", "улица Тихая 7, 9001 Ahrenstett"),
      ("Тихая 7", "улица Тихая 7, 9001 Ahrenstett"),
      ("б. липовый пер. 4", "Большой Липовый переулок 4, 9001 Ahrenstett"),
      ("安静路 3", "安静路 3, 9001 Ahrenstett"), ("安静路3", "安静路 3, 9001 Ahrenstett"),
      ("Am Anger 5", "Am Anger 5, 9001 Velmbach"),
    ])
  func isFirst(text: String, address: String) throws {
    let found = try ImportedTown.index().search(text)
    #expect(found.first?.address == address)
    #expect(found.first?.isSuggestion == false && found.first?.isApproximate == false)
  }

  @Test(
    "Streets, towns and names are found by themselves",
    arguments: [
      ("Lindengasse", "Lindengasse", "street"), ("Ahrenstett", "Ahrenstett", "place"),
      ("apotheke", "Drei-Tannen-Apotheke", "amenity"), ("幸福超市", "幸福超市", "shop"),
      ("himmelsst", "Himmelsstiege", "street"), ("möwe", "Café Möwe", "amenity"),
    ])
  func names(text: String, title: String, kind: String) throws {
    let first = try #require(try ImportedTown.index().search(text).first)
    #expect(first.title == title && first.kind == kind)
  }

  @Test("A house that is not on the map lies between its neighbours, and is said to be approximate")
  func between() throws {
    let gazetteer = try ImportedTown.index()
    let found = try #require(try gazetteer.search("Lindengasse 7").first)
    let neighbours = try ["5", "9"].map {
      try #require(try gazetteer.search("Lindengasse \($0)").first).coordinate
    }
    #expect(found.isApproximate && found.address == "Lindengasse 7, 9001 Ahrenstett")
    let ways = neighbours.map { $0.distanceMeters(to: found.coordinate) }
    #expect(abs(ways[0] - ways[1]) < 1)
    #expect(abs(ways[0] + ways[1] - neighbours[0].distanceMeters(to: neighbours[1])) < 1)
  }

  @Test("Two numbers of one house that is not on the map are not run together")
  func severalNumbers() throws {
    let found = try ImportedTown.index().search("Lindengasse 6-7")
    #expect(found.map(\.address) == ["Lindengasse 6-7, 9001 Ahrenstett"])
    #expect(found.first?.isApproximate == true)
  }

  @Test("A house beyond the last one is somewhere in the street, and is said to be approximate")
  func beyond() throws {
    let found = try #require(try ImportedTown.index().search("Lindengasse 900").first)
    #expect(found.isApproximate && found.street == "Lindengasse" && found.number == "900")
  }

  @Test(
    "What is mistyped gets suggestions, and says that they are",
    arguments: [
      ("Lindengase 9", "Lindengasse 9"), ("Lindnegasse 9", "Lindengasse 9"),
      ("Lindenngasse 9", "Lindengasse 9"), ("Lindemgasse 9", "Lindengasse 9"),
      ("Linden gasse 9", "Lindengasse 9"), ("улица Тхая 7", "улица Тихая 7"),
      ("Hafenstrase", "Hafenstraße"), ("Kirchengasse 10 Ahrenstedt", "Kirchengasse 10"),
      ("Drei Tannen Aphotheke", "Drei-Tannen-Apotheke"),
    ])
  func suggestions(text: String, title: String) throws {
    let found = try ImportedTown.index().search(text, limit: 5)
    #expect(found.contains { $0.title == title }, "\(found.map(\.title))")
    #expect(found.allSatisfy { $0.isSuggestion })
  }

  @Test("The nearer of two comes first where everything else is equal")
  func nearFirst() throws {
    let gazetteer = try ImportedTown.index()
    let north = try #require(try gazetteer.search("Möwensteig 9").first).coordinate
    let south = try #require(try gazetteer.search("Gartenweg 9").first).coordinate
    for place in [north, south] {
      let found = try gazetteer.search("9 Ahrenstett", near: place, limit: 1)
      let first = try #require(found.first)
      #expect(first.coordinate.distanceMeters(to: place) < 1)
    }
  }

  @Test("No more come than were asked for, and each once", arguments: [1, 3, 50])
  func limit(count: Int) throws {
    let found = try ImportedTown.index().search("Lindengasse", limit: count)
    #expect(found.count <= count)
    #expect(Set(found.map { "\($0.title) \($0.coordinate)" }).count == found.count)
  }

  @Test(
    "Nonsense is answered with nothing, or with what is there, and never with a failure",
    arguments: [
      "", " ", "\"", "\" OR 1", "*", "NEAR(a b)", "-", "😀😀", "'; DROP TABLE place; --", "\u{0}",
      "\u{202E}9 essagnedniL", "ア", String(repeating: "a", count: 10_000),
      String(repeating: "9 ", count: 5000), String(repeating: "😀", count: 10_000),
      String(repeating: "Lindengasse ", count: 900), "\u{FEFF}\u{200F}", "99999999999999999999",
      "col:umn ^ ( ) { } [ ]", "e\u{301}\u{301}\u{301}\u{301}",
    ])
  func nonsense(text: String) throws {
    #expect(try ImportedTown.index().search(text).count <= 10)
  }

  @Test("Digits alone find houses, and no failure", arguments: ["9", "9001", "12345678"])
  func digits(text: String) throws {
    _ = try ImportedTown.index().search(text)
  }
}
