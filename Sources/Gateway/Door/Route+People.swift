import Care
import JSON

extension Route {
  /// Everybody looked after.
  ///
  /// - Result: `[resident + {tracking: {isOn, outside, isMoving, position?: {latitude, longitude, accuracyMeters?, time,
  ///   …}, zones: [{zone, zoneName, presence, isHome, since?}], leftHomeAt?, positionUnknown?, …} or null,
  ///   isReceiverMissing?: true}]`; `presence` is `inside`, `outside`, `uncertain` or `unknown`; `isReceiverMissing` is there
  ///   where `gpsSource` is not configured.
  public static let residentsList = Route(
    "residents.list", needs: [.position], of: .residents,
    gives: .list(
      Resident.shape.with(
        [
          Member("tracking", .either([tracking, .null])),
          Member("isReceiverMissing", .flag).optional,
        ], as: "ResidentNow")), isUrgent: true)
  /// Guardians of all, or `{resident?}`.
  ///
  /// - Result: `[guardian]`.
  public static let guardiansList = Route(
    "guardians.list", [.text("resident").optional], needs: [.contacts], of: .residents,
    gives: .list(Guardian.shape), isUrgent: true)

  /// Where somebody was last known to be.
  static let position = JSONShape.object(
    name: "Position",
    [
      Member("latitude", .number), Member("longitude", .number),
      Member("accuracyMeters", .number).optional, Member("time", .time),
    ])

  private static let tracking = JSONShape.object(
    name: "Tracking",
    [
      Member("isOn", .flag), Member("outside", .flag).optional,
      Member("isMoving", .flag).optional,
      Member("position", position).optional,
      Member(
        "zones",
        .list(
          .object([
            Member("zone", .text), Member("zoneName", .text).optional,
            Member("presence", .words(["inside", "outside", "uncertain", "unknown"])),
            Member("isHome", .flag), Member("since", .time).optional,
          ]))
      ).optional,
    ])

  static let peopleRoutes: [Route] = [.residentsList, .guardiansList]
}
