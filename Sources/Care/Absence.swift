public import Bytes
public import CivilTime
public import JSON
public import Moments

/// A time for which a resident is expected somewhere outside of all safe zones, such as "at the day centre until four".
///
/// All times are of the clock on the wall where the resident lives, whatever zone that is by then.
public struct Absence: Hashable, Sendable {
  /// On which days it is.
  public enum Days: Hashable, Sendable {
    /// On one date; its time of day is midnight and says nothing.
    case once(CivilDateTime)
    /// On these days of every week; all seven for every day.
    case weekly(Set<Weekday>)
  }

  /// Stable identifier; lower-case letters, digits and hyphens.
  public var id: AbsenceID
  /// Who is expected to be away.
  public var resident: ResidentID
  /// What people call it, any script, 1 through 100 characters: "Day centre".
  public var name: String
  /// On which days it is.
  public var days: Days
  /// When it begins.
  public var from: TimeOfDay
  /// When the resident is expected back, later on the same day.
  public var until: TimeOfDay
  /// Minutes after ``until`` in which nobody worries yet, 0 through 240.
  public var graceMinutes: Int64
  /// The safe zone that the resident is in meanwhile, where there is one: coming into it is no coming home.
  public var zone: ZoneID?

  /// How long nobody worries unless somebody says otherwise, in minutes.
  public static let usualGraceMinutes: Int64 = 30

  /// An absence from its parts; the parts are checked by the command that brings them.
  public init(
    id: AbsenceID, resident: ResidentID, name: String, days: Days, from: TimeOfDay,
    until: TimeOfDay, graceMinutes: Int64 = Absence.usualGraceMinutes, zone: ZoneID? = nil
  ) {
    self.id = id
    self.resident = resident
    self.name = name
    self.days = days
    self.from = from
    self.until = until
    self.graceMinutes = graceMinutes
    self.zone = zone
  }
}

extension Absence: JSONCodable {
  /// Reads `{id, resident, name, from: "09:00", until: "16:00", days: ["MO", "WE"] or on: "2026-12-24", graceMinutes?,
  /// zone?}`.
  ///
  /// - Throws: ``DecodeError`` also for both or none of `days` and `on`.
  public init(json: JSONValue) throws(DecodeError) {
    let reader = try JSONReader(json)
    self.init(
      id: AbsenceID(try reader.string("id")),
      resident: ResidentID(try reader.string("resident")), name: try reader.string("name"),
      days: try Days(reader), from: try reader.timeOfDay("from"),
      until: try reader.timeOfDay("until"),
      graceMinutes: try reader.optionalInteger("graceMinutes") ?? Self.usualGraceMinutes,
      zone: try reader.optionalString("zone").map { ZoneID($0) })
  }

  /// The absence as an object.
  public var json: JSONValue {
    .object([
      "id": .string(id.rawValue), "resident": .string(resident.rawValue), "name": .string(name),
      "days": days.weekdays.map { .array($0.map { .string($0.iCalendarWord) }) },
      "on": days.date.map { .string(String($0.localText.prefix(10))) },
      "from": .string(from.text), "until": .string(until.text),
      "graceMinutes": .integer(graceMinutes), "zone": zone.map { .string($0.rawValue) },
    ])
  }
}

extension Absence.Days {
  /// The days of the week, Monday first; nil for a single date.
  public var weekdays: [Weekday]? {
    guard case .weekly(let days) = self else { return nil }
    return days.sorted()
  }

  /// The single date; nil for days of the week.
  public var date: CivilDateTime? {
    guard case .once(let date) = self else { return nil }
    return date
  }

  fileprivate init(_ reader: JSONReader) throws(DecodeError) {
    guard let text = try reader.optionalString("on") else {
      var days: Set<Weekday> = []
      for word in try reader.array("days") {
        guard let day = word.stringContent.flatMap(Weekday.init(iCalendarWord:)) else {
          throw reader.error(.unknownWord, "days")
        }
        days.insert(day)
      }
      guard !days.isEmpty else { throw reader.error(.missingField, "days") }
      self = .weekly(days)
      return
    }
    guard reader.optional("days") == nil else { throw reader.error(.outOfRange, "days") }
    guard text.utf8.count == 10, let date = try? CivilDateTime(localText: text + "T00:00") else {
      throw reader.error(.outOfRange, "on")
    }
    self = .once(date)
  }
}

extension JSONReader {
  fileprivate func timeOfDay(_ name: String) throws(DecodeError) -> TimeOfDay {
    guard let time = TimeOfDay(text: try string(name)) else { throw error(.outOfRange, name) }
    return time
  }
}

/// What people ask about planned absences.
public enum AbsenceRequest: Hashable, Sendable {
  /// Add an absence, or replace the one with the same id.
  case put(Absence)
  /// Remove an absence; who is out then is judged as if it had never been.
  case remove(AbsenceID)
}

extension AbsenceRequest {
  /// The request's word.
  public var action: String {
    switch self {
    case .put: "absence.put"
    case .remove: "absence.remove"
    }
  }

  /// The id of what the request acts on.
  public var target: String {
    switch self {
    case .put(let absence): absence.id.rawValue
    case .remove(let id): id.rawValue
    }
  }

  /// Reads a request whose `action` is one of ``action``; nil when it is none of them.
  static func read(_ action: String, _ reader: JSONReader) throws(DecodeError) -> AbsenceRequest? {
    switch action {
    case "absence.put": .put(try Absence(json: reader.required("absence")))
    case "absence.remove": .remove(AbsenceID(try reader.string("target")))
    default: nil
    }
  }

  /// The request as an object with `action`.
  var json: JSONValue {
    switch self {
    case .put(let absence): ["action": .string(action), "absence": absence.json]
    case .remove: ["action": .string(action), "target": .string(target)]
    }
  }
}

extension CommandRule {
  static let absenceRules = [
    CommandRule("absence.put", .changePlaces, [Member("absence", Absence.shape)]),
    CommandRule("absence.remove", .changePlaces, [.target]),
  ]
}
