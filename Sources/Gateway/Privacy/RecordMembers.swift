import Care

/// The members of the records that commands change, with what each tells; they stand in events and in answers.
///
/// What is not listed leaves towards no plugin.
enum RecordMembers {
  /// The members of a record of a kind, the first word of an action such as `zone.put`; nil for one that is not known.
  static func of(_ kind: String) -> [String: Disclosure]? { records[kind] }

  private static let records: [String: [String: Disclosure]] = [
    "resident": .plain(["id", "name", "timeZone", "gpsSource"]),
    "zone": .plain(["id", "resident", "isHome", "alarmOnLeaving", "hours"]) + .places(["name"])
      + .exact(["center", "radiusMeters", "border", "exitMarginMeters"]),
    "absence": .plain([
      "id", "resident", "days", "on", "from", "until", "graceMinutes", "zone",
    ]) + .places(["name"]),
    "bookmark": .plain(["id", "resident"]) + .places(["name"]) + .exact(["address"])
      + ["coordinate": .members(.position)],
    "guardian": .plain([
      "id", "resident", "tier", "isCaregiver", "withoutChannels", "language",
    ]) + .contacts(["name", "phone", "email"]) + ["push": .never],
    "setting": .plain(["name"]) + ["value": .settingValue],
    "tag": .plain([
      "id", "resident", "kind", "zone", "awaySeconds", "silentHours", "isTakenAlong",
      "calibration",
    ]) + .places(["name", "room"]),
    "meter": .plain(["address", "resident"]) + .places(["name"]),
    "note": .plain(["id", "resident", "kind", "time", "pictures", "changedAt", "revision"])
      + .contacts(["author"]) + .notes(["title", "text", "tags"]),
    "routine": .plain([
      "id", "resident", "kind", "isOn", "isCritical", "schedule", "timing", "picture", "source",
      "event", "revision",
    ]) + .health(["title", "details", "dose", "recording", "stock"]) + .places(["place"]),
    "glucose": .plain([
      "id", "resident", "time", "receivedAt", "source", "origin", "timeDoubts", "sensor",
      "sample", "meterTime", "revision",
    ]) + .health(["level", "unit", "tag"]),
  ]
}
