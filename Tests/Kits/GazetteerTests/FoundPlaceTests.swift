import Bytes
import Care
import JSON
import Testing

@testable import Gazetteer

@Suite("Places that were found")
struct FoundPlaceTests {
  private static func place(
    name: String = "", street: String = "", number: String = "", postcode: String = "",
    city: String = ""
  ) throws -> FoundPlace {
    let here = try #require(Coordinate(latitudeDegrees: 30.25, longitudeDegrees: -40.5))
    return FoundPlace(
      kind: "shop", detail: "bakery", name: name, street: street, number: number,
      postcode: postcode, city: city, coordinate: here)
  }

  @Test(
    "What of an address is not known leaves no gap",
    arguments: [
      (["", "Mill Lane", "3", "9001", "Velm"], "Mill Lane 3, 9001 Velm", "Mill Lane 3"),
      (["Café", "Mill Lane", "3", "9001", "Velm"], "Mill Lane 3, 9001 Velm", "Café"),
      (["", "Mill Lane", "", "", "Velm"], "Mill Lane, Velm", "Mill Lane"),
      (["", "", "3", "9001", ""], "3, 9001", "3"), (["Hill", "", "", "", ""], "", "Hill"),
      (["", "", "", "", "Velm"], "Velm", ""),
    ])
  func addresses(parts: [String], address: String, title: String) throws {
    let place = try Self.place(
      name: parts[0], street: parts[1], number: parts[2], postcode: parts[3], city: parts[4])
    #expect(place.address == address && place.title == title)
  }

  @Test("A place comes through as JSON with the address that it was told with")
  func json() throws {
    var place = try Self.place(street: "Mill Lane", number: "3", city: "Velm")
    #expect(
      place.json.serialized
        == #"{"name":"Mill Lane 3","address":"Mill Lane 3, Velm","latitude":30.25,"#
        + #""longitude":-40.5,"kind":"shop","detail":"bakery"}"#)
    (place.isApproximate, place.isSuggestion, place.detail) = (true, true, "")
    let again = try FoundPlace(json: JSONValue(parsing: place.json.serialized))
    #expect(again.json == place.json && again.address == "Mill Lane 3, Velm")
    #expect(again.isApproximate && again.isSuggestion && again.detail.isEmpty)
    for name in ["name", "address", "kind", "latitude", "longitude"] {
      #expect(throws: DecodeError.self, "\(name)") {
        try FoundPlace(json: place.json.setting(name, to: .null))
      }
    }
    #expect(throws: DecodeError.self) {
      try FoundPlace(json: place.json.setting("latitude", to: 91))
    }
  }

  @Test("What is known of an import comes back, without bounds where these are no box")
  func about() throws {
    let about = PlaceFolder.About(
      extract: "x.osm", digest: "d1", importedSeconds: 5, bytes: 7, counts: ["b": 2, "a": 1],
      attribution: "Somebody", bounds: DegreeBox(south: 1, west: 2, north: 3, east: 4))
    #expect(about.json["counts"]?.objectContent?.map(\.key) == ["a", "b"])
    #expect(try PlaceFolder.About(json: JSONValue(parsing: about.json.serialized)) == about)
    for bounds in [.null, [], [1, 2, 3], [1, 2, 3, 4, 5], ["1", 2, 3, 4], 5] as [JSONValue] {
      #expect(try PlaceFolder.About(json: about.json.setting("bounds", to: bounds)).bounds == nil)
    }
    for name in ["extract", "digest", "imported", "bytes", "counts", "attribution"] {
      #expect(throws: DecodeError.self, "\(name)") {
        try PlaceFolder.About(json: about.json.setting(name, to: .null))
      }
    }
  }
}
