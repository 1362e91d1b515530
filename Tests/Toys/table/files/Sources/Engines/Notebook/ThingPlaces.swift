public import Care
public import JSON
import Texts

/// Where a thing usually lies, so that whoever looks for it can be told.
public struct ThingPlace: Hashable, Sendable {
  /// Whose it is.
  public var resident: ResidentID
  /// The thing, as they call it.
  public var thing: String
  /// Where it lies.
  public var place: String

  /// A place from its parts.
  public init(resident: ResidentID, thing: String, place: String) {
    self.resident = resident
    self.thing = thing
    self.place = place
  }
}

extension Table {
  /// Where things lie; one row for each thing of a resident.
  public static let thingPlace = Table(
    "thing_place", key: [.text("resident"), .text("thing")], [.text("place")],
    of: .resident("resident")
  ) { Message(verbatim: $0.label) }
}

extension ThingPlace: ReadableRow {
  /// A row of ``Care/Table/thingPlace``.
  public var columnValues: [ColumnValue] {
    [.text(resident.rawValue), .text(thing), .text(place)]
  }

  /// The place as an object.
  public var json: JSONValue {
    ["resident": .string(resident.rawValue), "thing": .string(thing), "place": .string(place)]
  }

  /// Reads a row of ``Care/Table/thingPlace``.
  public init?(_ row: some ColumnReader) {
    self.init(resident: ResidentID(row.text(0)), thing: row.text(1), place: row.text(2))
  }
}

extension StateChange {
  /// Say where a thing lies.
  public static func putThingPlace(_ place: ThingPlace) -> StateChange {
    .put(place, in: .thingPlace)
  }

  /// Forget where a thing lies.
  public static func removeThingPlace(_ thing: String, of resident: ResidentID) -> StateChange {
    .remove(resident.rawValue, thing, from: .thingPlace)
  }
}
