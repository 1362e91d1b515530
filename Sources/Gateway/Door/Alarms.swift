import Care
import JSON

extension Route {
  /// Alarms that are open, the most urgent first.
  ///
  /// - Result: `[{alarm, tag, kind, stage, resident, residentName, raisedAt, acknowledgedBy: [guardian], explanation}]`; `kind` and
  ///   `stage` are words of `AlarmKind` and `AlarmStage`.
  public static let alarmsList = Route(
    "alarms.list", needs: [.alarms], of: .residents,
    gives: .list(
      .object(
        name: "OpenAlarm",
        [
          Member("alarm", .text), Member("tag", .text), Member("kind", .words(of: AlarmKind.self)),
          Member("stage", .words(of: AlarmStage.self)), Member("resident", .text).optional,
          Member("residentName", .text).optional, Member("raisedAt", .time),
          Member("acknowledgedBy", .texts).optional, Member("explanation", .anything).optional,
        ])), isUrgent: true)

  static let alarmRoutes: [Route] = [.alarmsList]
}
