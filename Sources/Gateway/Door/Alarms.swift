import Care

extension Route {
  /// Alarms that are open, the most urgent first.
  ///
  /// - Result: `[{alarm, tag, kind, stage, resident, residentName, raisedAt, acknowledgedBy: [guardian], explanation}]`; `kind` and
  ///   `stage` are words of `AlarmKind` and `AlarmStage`.
  public static let alarmsList = Route(
    "alarms.list", needs: [.alarms], of: .residents, isUrgent: true)

  static let alarmRoutes: [Route] = [.alarmsList]
}
