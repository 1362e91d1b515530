import Care

extension Route {
  /// Everybody looked after.
  ///
  /// - Result: `[resident + {tracking: {isOn, outside, isMoving, position?: {latitude, longitude, accuracyMeters?, time,
  ///   …}, zones: [{zone, zoneName, presence, isHome, since?}], leftHomeAt?, positionUnknown?, …} or null,
  ///   isReceiverMissing?: true}]`; `presence` is `inside`, `outside`, `uncertain` or `unknown`; `isReceiverMissing` is there
  ///   where `gpsSource` is not configured.
  public static let residentsList = Route(
    "residents.list", needs: [.position], of: .residents, isUrgent: true)
  /// Guardians of all, or `{resident?}`.
  ///
  /// - Result: `[guardian]`.
  public static let guardiansList = Route(
    "guardians.list", [.text("resident").optional], needs: [.contacts], of: .residents,
    isUrgent: true)

  static let peopleRoutes: [Route] = [.residentsList, .guardiansList]
}
