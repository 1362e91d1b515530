import Bytes
import Care
import Gazetteer
import JSON
import WalkingRoutes

/// What a service is asked.
enum PlaceQuestion: Hashable, Sendable {
  /// `geocode`: `{"text", "near"?: {latitude, longitude}, "limit"?}` → `{"places": […], "attribution"}`.
  ///
  /// Places that have `suggestion` are not what was asked for, but may have been meant.
  case geocode(String, near: Coordinate?, limit: Int)
  /// `reverse`: `{latitude, longitude}` → `{"place": {…}|null, "attribution"}`.
  case reverse(Coordinate)
  /// `route`: `{"from": {…}, "to": {…}}` → `{"route": {…}}` or `{"failure": "no-way"|"no-streets"|"failed"}`.
  case route(from: Coordinate, to: Coordinate)
  /// `tiles`: `{"zoom", "column", "row"}` → `{"content": deflated GeoJSON in Base64|null, "zooms": […], "attribution"}`;
  /// without a square only what there is.
  case square(zoom: Int, column: Int, row: Int)

  /// How the parameters of each service are read.
  static let kinds: [String: @Sendable (JSONReader) throws(DecodeError) -> PlaceQuestion] = [
    "geocode": { reader throws(DecodeError) in
      let near = reader.optional("near")
      return .geocode(
        try reader.string("text"),
        near: try near.map { json throws(DecodeError) in try Coordinate(json: json) },
        limit: Int(min(50, max(1, try reader.optionalCount("limit") ?? 10))))
    },
    "reverse": { reader throws(DecodeError) in .reverse(try Self.position(reader)) },
    "route": { reader throws(DecodeError) in
      .route(
        from: try Coordinate(json: reader.required("from")),
        to: try Coordinate(json: reader.required("to")))
    },
    "tiles": { reader throws(DecodeError) in
      .square(
        zoom: Int(try reader.count("zoom")), column: Int(try reader.count("column")),
        row: Int(try reader.count("row")))
    },
  ]

  private static func position(_ reader: JSONReader) throws(DecodeError) -> Coordinate {
    try Coordinate(
      json: ["latitude": reader.required("latitude"), "longitude": reader.required("longitude")])
  }

  /// Whether a program is started for it, so that it takes long.
  var isSlow: Bool { if case .route = self { true } else { false } }
}
