import Bytes
import Care
import JSON
import Moments

/// An absence with where it stands.
struct PlannedAbsence: Hashable, Sendable {
  /// One time that it is on.
  struct Visit: Hashable, Sendable {
    var window: AbsenceWindow
    /// Whether the resident has been away from home in it.
    var isAway = false
    /// Whether the resident came home since: going out again is no part of it.
    var isSpent = false
  }

  static let engine = "absences"

  var absence: Absence
  /// The time that it is on; nil while it is not.
  var visit: Visit?

  init(_ absence: Absence) { self.absence = absence }

  /// Whether it explains that the resident is out.
  var counts: Bool { visit.map { !$0.isSpent } ?? false }

  // MARK: As a row

  init(row: EngineRow) throws(DecodeError) {
    absence = try Absence(json: row.content)
    guard absence.id.rawValue == row.name, absence.resident.rawValue == row.subject else {
      throw DecodeError(.outOfRange, at: 0, field: "id")
    }
    guard let reader = try JSONReader(row.content).optionalObject("visit") else { return }
    visit = Visit(
      window: AbsenceWindow(
        from: try reader.timestamp("from"), until: try reader.timestamp("until"),
        limit: try reader.timestamp("limit")),
      isAway: try reader.bool("isAway"), isSpent: try reader.bool("isSpent"))
  }

  var row: EngineRow {
    var content = absence.json
    if let visit {
      content = content.setting(
        "visit",
        to: [
          "from": .string(visit.window.from.iso8601), "until": .string(visit.window.until.iso8601),
          "limit": .string(visit.window.limit.iso8601), "isAway": .bool(visit.isAway),
          "isSpent": .bool(visit.isSpent),
        ])
    }
    return EngineRow(
      engine: Self.engine, subject: absence.resident.rawValue, name: absence.id.rawValue,
      content: content)
  }
}
