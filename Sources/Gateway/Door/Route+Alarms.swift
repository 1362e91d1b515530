import Care
import JSON

extension Route {
  /// Alarms that are open, the most urgent first.
  ///
  /// - Result: `[{alarm, tag, kind, stage, resident, residentName, raisedAt, callsAt?, isSilent, acknowledgedBy:
  ///   [guardian], explanation}]`; `kind` and `stage` are words of `AlarmKind` and `AlarmStage`, `callsAt` is when helpers are
  ///   told of one in its pre-alarm, `isSilent` where nothing may be heard or seen of it in the room, and `explanation` is in
  ///   the language of whoever asks, else in the resident's.
  public static let alarmsList = Route(
    "alarms.list", needs: [.alarms], of: .residents,
    gives: .list(
      .object(
        name: "OpenAlarm",
        [
          Member("alarm", .text), Member("tag", .text), Member("kind", .words(of: AlarmKind.self)),
          Member("stage", .words(of: AlarmStage.self)), Member("resident", .text).optional,
          Member("residentName", .text).optional, Member("raisedAt", .time),
          Member("callsAt", .time).optional, Member("isSilent", .flag),
          Member("acknowledgedBy", .texts).optional,
          Member("explanation", .anything).optional,
        ])), isUrgent: true)

  /// The alarm that the link in a message opens, for the guardian who got the message; for nobody else, and not after it.
  ///
  /// - Result: `{alarm, tag, kind, raisedAt, residentName, timeZone, explanation, isDuress, acknowledgedByNames: [name],
  ///   isYours, isLocationRefused, position: {latitude, longitude, accuracyMeters?, time, …} or null}`; `isYours` when they took
  ///   charge, `isLocationRefused` when the resident does not agree to be located. Error 1001, kind `unknown-target`, for whoever
  ///   came by no link.
  public static let alarmLinked = Route(
    "alarm.linked", needs: [.alarms], of: .gateway,
    gives: .object(
      name: "LinkedAlarm",
      [
        Member("alarm", .text), Member("tag", .text), Member("kind", .words(of: AlarmKind.self)),
        Member("raisedAt", .time), Member("residentName", .text),
        Member("timeZone", .either([.timeZone, .null])), Member("explanation", .text),
        Member("isDuress", .flag), Member("acknowledgedByNames", .texts), Member("isYours", .flag),
        Member("isLocationRefused", .flag), Member("position", .either([Route.position, .null])),
      ]),
    isUrgent: true,
    answer: .plain([
      "alarm", "tag", "kind", "raisedAt", "timeZone", "isDuress", "isYours", "isLocationRefused",
    ])
      + .contacts(["residentName", "acknowledgedByNames", "explanation"])
      + ["position": .members(.position + .plain(["time", "timeQuality"]))])

  /// Part of the photograph that an event `alarm.photo` tells of: `{id, offset?}`.
  ///
  /// - Result: `{id, offset, data: Base64, isLast}`, of a JPEG file; error 1001, kind `unknown-target`, where there is none.
  public static let alarmPhotograph = Route(
    "alarm.photograph", [.text("id"), .whole("offset").optional], needs: [.alarms, .journal],
    of: .found,
    gives: .object(
      name: "Photograph",
      [
        Member("id", .text), Member("offset", .whole), Member("data", .text),
        Member("isLast", .flag),
      ]),
    answer: .plain(["id", "offset", "isLast"]) + .contacts(["data"]))

  static let alarmRoutes: [Route] = [.alarmsList, .alarmLinked, .alarmPhotograph]
}
