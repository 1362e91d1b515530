import CivilTime
public import JSON
import Recurrence

// What the records of the house look like in JSON, for whoever sends or reads them. That they are read as it stands here is
// tested with each command.

extension Coordinate {
  /// What it looks like in JSON.
  public static let shape = JSONShape.object(
    name: "Coordinate", members)

  /// Its members, for objects that have more.
  static let members = [
    Member("latitude", .number(-90...90)), Member("longitude", .number(-180...180)),
  ]
}

extension Resident {
  /// What it looks like in JSON.
  public static let shape = JSONShape.object(
    name: "Resident",
    [
      Member("id", .text), Member("name", .text), Member("timeZone", .timeZone),
      Member("gpsSource", .text).optional,
    ])
}

extension DailyHours {
  /// What they look like in JSON.
  public static let shape = JSONShape.text(
    JSONShape.Writing(
      pattern: "^[0-9]{2}:[0-9]{2}-[0-9]{2}:[0-9]{2}$", example: "22:00-07:00"))
}

extension BluetoothAddress {
  /// What it looks like in JSON, with `/random` behind one that the device drew.
  public static let shape = JSONShape.text(
    JSONShape.Writing(
      pattern: "^([0-9A-Fa-f]{2}:){5}[0-9A-Fa-f]{2}(/random|/public)?$",
      example: "C0:11:22:33:44:55/random"))
}

extension Guardian {
  /// What it looks like in JSON.
  public static let shape = JSONShape.object(
    name: "Guardian",
    [
      Member("id", .text), Member("resident", .text), Member("name", .text),
      Member("phone", .text).optional, Member("email", .text).optional,
      Member("push", .text).optional,
      Member("withoutChannels", .list(.words(of: Channel.self))).optional,
      Member("tier", .whole(1...3)).optional, Member("isCaregiver", .flag).optional,
      Member("language", .text).optional,
    ])
}

extension Polygon {
  /// What it looks like in JSON: GeoJSON.
  public static let shape = JSONShape.object(
    name: "Polygon",
    [
      Member("type", .words(["Polygon"])),
      Member("coordinates", .list(.list(.list(.number)))),
    ])
}

extension SafeZone {
  /// What it looks like in JSON: a circle, or a polygon with its `border`.
  public static let shape = JSONShape.object(
    name: "SafeZone",
    [
      Member("id", .text), Member("resident", .text), Member("name", .text),
      Member("center", Coordinate.shape).optional, Member("radiusMeters", .number).optional,
      Member("border", Polygon.shape).optional, Member("exitMarginMeters", .number).optional,
      Member("isHome", .flag).optional, Member("alarmOnLeaving", .flag).optional,
      Member("hours", DailyHours.shape).optional,
    ])
}

extension Bookmark {
  /// What it looks like in JSON.
  public static let shape = JSONShape.object(
    name: "Bookmark",
    [
      Member("id", .text), Member("resident", .text), Member("name", .text),
      Member("address", .text).optional, Member("coordinate", Coordinate.shape),
    ])
}

extension Absence {
  /// What it looks like in JSON: on one day, or on days of each week.
  public static let shape = JSONShape.object(
    name: "Absence",
    [
      Member("id", .text), Member("resident", .text), Member("name", .text),
      Member("days", .list(.words(Weekday.allCases.map(\.iCalendarWord)))).optional,
      Member("on", .date).optional, Member("from", .timeOfDay), Member("until", .timeOfDay),
      Member("graceMinutes", .whole).optional, Member("zone", .text).optional,
    ])
}

extension RoutineItem {
  /// What it looks like in JSON.
  public static let shape = JSONShape.object(
    name: "RoutineItem",
    [
      Member("id", .text), Member("resident", .text),
      Member("kind", .words(of: Kind.self)).optional, Member("title", .text),
      Member("details", .text).optional, Member("place", .text).optional,
      Member("dose", .text).optional, Member("isOn", .flag).optional,
      Member("isCritical", .flag).optional, Member("schedule", Schedule.shape),
      Member("timing", ReminderTiming.shape).optional, Member("stock", Stock.shape).optional,
      Member("recording", .text).optional, Member("picture", .text).optional,
      Member("source", .text).optional, Member("event", .text).optional,
      Member("revision", .whole).optional,
    ])
}

extension Stock {
  /// What it looks like in JSON.
  public static let shape = JSONShape.object(
    name: "Stock",
    [
      Member("units", .number), Member("unitsPerDose", .number).optional,
      Member("warnDays", .whole).optional,
    ])
}

extension ReminderTiming {
  /// What it looks like in JSON.
  public static let shape = JSONShape.object(
    name: "ReminderTiming",
    names.map { Member($0, .whole).optional } + [
      Member("quietHours", .text).optional,
      Member("inQuietHours", .words(of: QuietPolicy.self)).optional,
    ])
}

extension Occurrence {
  /// What it looks like in JSON.
  public static let shape = JSONShape.object(
    name: "Occurrence",
    [
      Member("item", .text), Member("resident", .text), Member("slot", .text),
      Member("due", .time), Member("state", .words(of: State.self)), Member("prompts", .whole),
      Member("snoozes", .whole), Member("isTold", .flag), Member("changedAt", .time),
      Member("by", .text), Member("reason", .text), Member("isLate", .flag),
    ])
}

extension Note {
  /// What it looks like in JSON.
  public static let shape = JSONShape.object(
    name: "Note",
    [
      Member("id", .text), Member("resident", .text), Member("kind", .words(of: Kind.self)),
      Member("title", .text).optional, Member("text", .text).optional,
      Member("tags", .texts).optional, Member("time", .time),
      Member("pictures", .texts).optional, Member("author", .text).optional,
      Member("changedAt", .time), Member("revision", .whole).optional,
    ])
}

extension Picture {
  /// What it looks like in JSON.
  public static let shape = JSONShape.object(
    name: "Picture",
    [
      Member("id", .text), Member("resident", .text), Member("mediaType", .text),
      Member("bytes", .whole), Member("width", .whole), Member("height", .whole),
    ])
}

extension ChatMessage {
  /// What it looks like in JSON.
  public static let shape = JSONShape.object(
    name: "Message",
    [
      Member("id", .text), Member("resident", .text),
      Member("direction", .words(of: Direction.self)), Member("sender", .text),
      Member("text", .text), Member("recording", .text).optional,
      Member("recordingSeconds", .whole).optional, Member("sentAt", .time),
      Member("spokenAt", .time).optional, Member("readAt", .time).optional,
      Member("readBy", .text).optional,
    ])
}

extension Recording {
  /// What it looks like in JSON.
  public static let shape = JSONShape.object(
    name: "Recording",
    [
      Member("id", .text), Member("resident", .text), Member("bytes", .whole),
      Member("milliseconds", .whole), Member("keptAt", .time), Member("isSent", .flag).optional,
    ])
}

extension Tag {
  /// What it looks like in JSON.
  public static let shape = JSONShape.object(
    name: "Tag",
    [
      Member("id", .text), Member("resident", .text), Member("name", .text),
      Member("kind", .words(of: Kind.self)), Member("zone", .text).optional,
      Member("room", .text).optional, Member("awaySeconds", .whole(10...3600)).optional,
      Member("silentHours", .whole(1...8760)).optional, Member("isTakenAlong", .flag).optional,
      Member("calibration", TagThresholds.shape).optional,
    ])
}

extension TagThresholds {
  /// What it looks like in JSON: smoothed strengths in dBm, `roomLeave` < `roomEnter` ≤ `nearLeave` < `nearEnter`.
  public static let shape = JSONShape.object(
    name: "TagThresholds",
    [
      Member("nearEnter", .number), Member("nearLeave", .number), Member("roomEnter", .number),
      Member("roomLeave", .number),
    ])
}

extension TagIdentity {
  /// What it looks like in JSON.
  public static let shape = JSONShape.text(
    JSONShape.Writing(
      pattern: "^(address|ibeacon|eddystone|altbeacon|irk|bthome):.+$",
      example: "address:C0:11:22:33:44:55/random"))
}

extension GlucoseMeter {
  /// What it looks like in JSON.
  public static let shape = JSONShape.object(
    name: "GlucoseMeter",
    [
      Member("address", BluetoothAddress.shape), Member("resident", .text), Member("name", .text),
    ])
}

extension LocationRecord {
  /// What it looks like in JSON.
  public static let shape = JSONShape.object(
    name: "LocationRecord",
    [
      Member("resident", .text), Member("time", .time), Member("timeQuality", .text),
      Member("latitude", .number), Member("longitude", .number),
      Member("accuracyMeters", .number).optional, Member("minutesAtLocation", .whole),
      Member("reason", .words(of: RecordReason.self)),
    ])
}
