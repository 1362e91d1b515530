public import Bytes
public import JSON

extension SafeZone: JSONCodable {
  /// Reads a zone; margin, home, the alarm on leaving and hours are optional.
  ///
  /// With a `border`, a polygon of GeoJSON, `center` and `radiusMeters` are those of a circle around it, and not read.
  public init(json: JSONValue) throws(DecodeError) {
    let reader = try JSONReader(json)
    self.init(
      id: ZoneID(try reader.string("id")), resident: ResidentID(try reader.string("resident")),
      name: try reader.string("name"), area: try Self.area(reader),
      exitMarginMeters: try reader.optionalDouble("exitMarginMeters") ?? 50,
      isHome: try reader.optionalBool("isHome") ?? false,
      alarmsOnLeaving: try reader.optionalBool("alarmOnLeaving") ?? false,
      hours: try Self.hours(reader))
  }

  private static func hours(_ reader: JSONReader) throws(DecodeError) -> DailyHours? {
    guard let text = try reader.optionalString("hours") else { return nil }
    guard let hours = DailyHours(text) else { throw reader.error(.unknownWord, "hours") }
    return hours
  }

  private static func area(_ reader: JSONReader) throws(DecodeError) -> Area {
    if let border = reader.optional("border") { return .polygon(try Polygon(json: border)) }
    return .circle(
      center: try Coordinate(json: reader.required("center")),
      radiusMeters: try reader.double("radiusMeters"))
  }

  /// The zone as an object.
  public var json: JSONValue {
    .object([
      "id": .string(id.rawValue), "resident": .string(resident.rawValue), "name": .string(name),
      "center": center.json, "radiusMeters": .number(radiusMeters), "border": polygon?.json,
      "exitMarginMeters": .number(exitMarginMeters), "isHome": .bool(isHome),
      "alarmOnLeaving": .bool(alarmsOnLeaving), "hours": (hours?.text).map(JSONValue.string),
    ])
  }
}
