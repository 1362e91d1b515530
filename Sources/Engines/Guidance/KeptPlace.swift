public import Bytes
public import Care
public import JSON
public import Moments

/// A place that a resident keeps, in an address book of their own: apart from the bookmarks, which caregivers make.
public struct KeptPlace: Hashable, Sendable {
  /// Its number in the book, as a text; never used twice while the place is there.
  public var id: String
  /// The name as people write it, any script, 1 through 200 characters.
  public var name: String
  /// The address that the map knows there; empty for none.
  public var address: String
  /// Where it is.
  public var coordinate: Coordinate
  /// When it was kept.
  public var kept: Timestamp

  /// Nobody keeps more.
  static let most = 200
  /// How the names of rows begin.
  static let rowPrefix = "place:"
}

extension KeptPlace: JSONCodable {
  /// Reads `{id, name, address, latitude, longitude, kept}`.
  public init(json: JSONValue) throws(DecodeError) {
    let reader = try JSONReader(json)
    id = try reader.string("id")
    name = try reader.string("name")
    address = try reader.optionalString("address") ?? ""
    coordinate = try Coordinate(json: json)
    kept = try reader.timestamp("kept")
  }

  /// The place as an object.
  public var json: JSONValue {
    coordinate.json.setting("id", to: .string(id)).setting("name", to: .string(name))
      .setting("address", to: .string(address)).setting("kept", to: .string(kept.iso8601))
  }

  /// The row as it is stored.
  func row(of resident: ResidentID) -> EngineRow {
    EngineRow(
      engine: Journey.engine, subject: resident.rawValue, name: Self.rowPrefix + id, content: json)
  }
}
