import Care
import JSON

extension Route {
  /// Places that fit words: `{text, near?: {latitude, longitude}, limit?}`, 10 unless set, at most 50.
  ///
  /// The gateway's own map is asked first; a server outside only where that has not what is asked for, and the owner runs
  /// a plugin for it.
  ///
  /// - Result: `{places: [{name, address, latitude, longitude, kind, detail?, approximate?, suggestion?}], attribution?,
  ///   isFromOutside}`; places with `suggestion` may have been meant. Error 1001, kind `conflict`, when no plugin knows places.
  public static let mapFind = Route(
    "map.find",
    [.text("text"), Parameter("near", Coordinate.shape).optional, .whole("limit").optional],
    needs: [.gateway], of: .gateway,
    gives: .object([
      Member("places", .list(place)), Member("attribution", .text).optional,
      Member("isFromOutside", .flag),
    ]), answer: .plain(["places", "attribution", "isFromOutside"]))
  /// What is at a position: `{at: {latitude, longitude}}`.
  ///
  /// - Result: `{place: one of map.find's or null, attribution?, isFromOutside}`.
  public static let mapReverse = Route(
    "map.reverse", [Parameter("at", Coordinate.shape)], needs: [.gateway], of: .gateway,
    gives: .object([
      Member("place", .either([place, .null])), Member("attribution", .text).optional,
      Member("isFromOutside", .flag),
    ]),
    answer: .plain(["place", "attribution", "isFromOutside"]))
  /// A square of the map, numbered as slippy maps do: `{zoom, column, row}`.
  ///
  /// - Result: `{content: GeoJSON, deflated (zlib) and in Base64, or null, zooms: [whole], attribution}`.
  public static let mapSquare = Route(
    "map.square", [.whole("zoom"), .whole("column"), .whole("row")], needs: [.map],
    of: .gateway,
    gives: .object([
      Member("content", .either([.text, .null])), Member("zooms", .list(.whole)),
      Member("attribution", .text),
    ]), answer: .plain(["content", "zooms", "attribution"]))

  private static let place = JSONShape.object(
    name: "Place",
    [
      Member("name", .text), Member("address", .text), Member("latitude", .number),
      Member("longitude", .number), Member("kind", .text), Member("detail", .text).optional,
      Member("approximate", .flag).optional, Member("suggestion", .flag).optional,
    ])

  static let mapRoutes: [Route] = [.mapFind, .mapReverse, .mapSquare]
}
