public import Bytes
public import JSON

/// Where a resident lived, or the middle of their home was, before it was moved: events of then are still to be told.
public struct PastHome: Hashable, Sendable {
  /// Homes nearer to each other than this, in metres, are one home.
  public static let nearMeters = 150.0

  /// The zone that it was.
  public var zone: ZoneID
  /// Which home of that zone it was, from 0.
  public var generation: Int64
  /// Its middle.
  public var center: Coordinate
  /// How far from the middle positions have to be hidden.
  public var reachMeters: Double

  /// A home from its parts.
  public init(zone: ZoneID, generation: Int64, center: Coordinate, reachMeters: Double) {
    self.zone = zone
    self.generation = generation
    self.center = center
    self.reachMeters = reachMeters
  }

  /// What names the home for ever; that of a zone that was never moved is the zone's id.
  public var key: String {
    generation == 0 ? zone.rawValue : "\(zone.rawValue)#\(generation)"
  }

  /// Which home of a zone comes after those that are known.
  public static func nextGeneration(of zone: ZoneID, after past: [PastHome]) -> Int64 {
    past.filter { $0.zone == zone }.map(\.generation).max().map { $0 + 1 } ?? 0
  }
}

extension PastHome: JSONCodable {
  /// Reads a home as engine rows hold it.
  public init(json: JSONValue) throws(DecodeError) {
    let reader = try JSONReader(json)
    self.init(
      zone: ZoneID(try reader.string("zone")), generation: try reader.count("generation"),
      center: try Coordinate(json: reader.required("center")),
      reachMeters: try reader.double("reachMeters"))
  }

  /// The home as engine rows hold it.
  public var json: JSONValue {
    [
      "zone": .string(zone.rawValue), "generation": .integer(generation), "center": center.json,
      "reachMeters": .number(reachMeters),
    ]
  }
}
