public import Bytes
public import JSON

extension Polygon: JSONCodable {
  /// Reads a polygon of GeoJSON, also as the geometry of a feature or of the only feature of a collection.
  ///
  /// `{"type": "Polygon", "coordinates": [[[longitude, latitude], …], …]}`: the border first, then the holes. Heights are
  /// ignored, and longitudes beyond the antimeridian are of this side of it.
  ///
  /// - Source: RFC 7946, 3.1.6.
  public init(json: JSONValue) throws(DecodeError) {
    let reader = try JSONReader(try Self.geometry(of: json))
    guard try reader.string("type") == "Polygon" else { throw reader.error(.unknownWord, "type") }
    guard let rings = try reader.required("coordinates").arrayContent, !rings.isEmpty else {
      throw reader.error(.wrongType, "coordinates")
    }
    var corners: [[Coordinate]] = []
    for ring in rings {
      guard let places = ring.arrayContent else { throw reader.error(.wrongType, "coordinates") }
      guard places.count <= Self.maximumCorners + 1 else {
        throw reader.error(.tooLarge, "coordinates")
      }
      var line: [Coordinate] = []
      for place in places {
        guard let corner = Self.corner(place) else {
          throw reader.error(.outOfRange, "coordinates")
        }
        line.append(corner)
      }
      corners.append(line)
    }
    do throws(Fault) {
      try self.init(exterior: corners[0], holes: Array(corners.dropFirst()))
    } catch {
      throw reader.error(.outOfRange, "coordinates (\(error.message))")
    }
  }

  private static func geometry(of json: JSONValue) throws(DecodeError) -> JSONValue {
    let reader = try JSONReader(json)
    switch try reader.string("type") {
    case "Feature": return try reader.required("geometry")
    case "FeatureCollection":
      guard let features = try reader.required("features").arrayContent, features.count == 1 else {
        throw reader.error(.wrongType, "features")
      }
      return try JSONReader(features[0]).required("geometry")
    default: return json
    }
  }

  private static func corner(_ json: JSONValue) -> Coordinate? {
    guard let numbers = json.arrayContent, (2...3).contains(numbers.count),
      let longitude = numbers[0].doubleContent, let latitude = numbers[1].doubleContent,
      (-540...540).contains(longitude)
    else { return nil }
    let turned = longitude > 180 ? longitude - 360 : longitude < -180 ? longitude + 360 : longitude
    return Coordinate(latitudeDegrees: latitude, longitudeDegrees: turned)
  }

  /// A polygon of GeoJSON, its rings closed: the border counter-clockwise on the map, the holes clockwise.
  public var json: JSONValue {
    ["type": "Polygon", "coordinates": .array(([exterior] + holes).map(Self.closed))]
  }

  private static func closed(_ ring: [Coordinate]) -> JSONValue {
    .array(
      (ring + ring.prefix(1)).map { [.number($0.longitudeDegrees), .number($0.latitudeDegrees)] })
  }
}
