public import Care
import Moments

extension Table {
  /// The location history (SB-8).
  public static let locationRecord = locations("location_record")

  /// The five-minute series (SD-1).
  public static let locationSample = locations("location_sample")

  /// The tables of where residents were.
  public static let locations: [Table] = [.locationRecord, .locationSample]

  /// Rows are numbered and only ever added, and have no checksum: no alarm depends on an old one.
  private static func locations(_ name: String) -> Table {
    Table(
      name, key: [],
      [
        .text("resident"), .integer("time"), .text("time_quality"), .real("latitude"),
        .real("longitude"), .real("accuracy_meters", isOptional: true),
        .integer("minutes_at_location"), .text("reason"),
      ],
      of: .resident("resident"), isChecked: false)
  }
}

extension LocationRecord: RowContent {
  /// A row of ``Care/Table/locationRecord`` or ``Care/Table/locationSample``.
  public var columnValues: [ColumnValue] {
    [
      .text(resident.rawValue), .time(time), .text(timeQuality.rawValue),
      .real(coordinate.latitudeDegrees), .real(coordinate.longitudeDegrees),
      .optional(accuracyMeters), .integer(Int64(minutesAtLocation)), .text(reason.rawValue),
    ]
  }
}

extension StateChange {
  /// Append to the location history (SB-8).
  public static func addLocationRecord(_ record: LocationRecord) -> StateChange {
    .put(record, in: .locationRecord)
  }

  /// Append to the five-minute series (SD-1).
  public static func addLocationSample(_ record: LocationRecord) -> StateChange {
    .put(record, in: .locationSample)
  }
}
