public import Bytes
public import Care
public import JSON

/// Something with a name or an address, as it was found.
public struct FoundPlace: Hashable, Sendable {
  /// What it is: `address`, `street`, or the key under which OpenStreetMap has it, such as `place`, `shop` or `amenity`.
  public var kind: String
  /// What of that kind, such as `town` or `pharmacy`; empty for addresses and streets.
  public var detail: String
  /// Its name; empty for a mere address.
  public var name: String
  /// Its street, possibly empty.
  public var street: String
  /// Its house number, possibly empty.
  public var number: String
  /// Its postal code, possibly empty.
  public var postcode: String
  /// Its town, possibly empty.
  public var city: String
  /// Where it is.
  public var coordinate: Coordinate
  /// Whether the house number is not on the map, and the place lies between its neighbours, or somewhere in the street.
  public var isApproximate = false
  /// Whether it is not what was asked for, but may have been meant.
  public var isSuggestion = false

  /// The address on one line, where its parts are not known.
  private var writtenAddress: String?

  /// A place from its parts.
  public init(
    kind: String, detail: String = "", name: String = "", street: String = "", number: String = "",
    postcode: String = "", city: String = "", coordinate: Coordinate
  ) {
    self.kind = kind
    self.detail = detail
    self.name = name
    self.street = street
    self.number = number
    self.postcode = postcode
    self.city = city
    self.coordinate = coordinate
  }

  /// A place as ``json`` tells it.
  ///
  /// - Throws: What is missing or does not fit.
  public init(json: JSONValue) throws(DecodeError) {
    let reader = try JSONReader(json)
    let shown = try reader.string("name")
    self.init(
      kind: try reader.string("kind"), detail: try reader.optionalString("detail") ?? "",
      name: shown,
      coordinate: try Coordinate(json: json))
    writtenAddress = try reader.string("address")
    isApproximate = reader.optional("approximate") == true
    isSuggestion = reader.optional("suggestion") == true
  }

  /// Street and number, postal code and town, on one line.
  public var address: String {
    if let writtenAddress { return writtenAddress }
    let house = [street, number].filter { !$0.isEmpty }.joined(separator: " ")
    let town = [postcode, city].filter { !$0.isEmpty }.joined(separator: " ")
    return [house, town].filter { !$0.isEmpty }.joined(separator: ", ")
  }

  /// What people call it: its name, or its street and number.
  public var title: String {
    name.isEmpty ? [street, number].filter { !$0.isEmpty }.joined(separator: " ") : name
  }

  /// `{name, address, latitude, longitude, kind, detail?, approximate?, suggestion?}`.
  public var json: JSONValue {
    .object([
      "name": .string(title), "address": .string(address),
      "latitude": .number(coordinate.latitudeDegrees),
      "longitude": .number(coordinate.longitudeDegrees), "kind": .string(kind),
      "detail": detail.isEmpty ? nil : .string(detail), "approximate": isApproximate ? true : nil,
      "suggestion": isSuggestion ? true : nil,
    ])
  }
}
