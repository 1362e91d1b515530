import Care
import JSON
import Recurrence
import Texts

/// Residents who moved to another zone, and were asked what becomes of their routine.
struct ZoneQuestions: Sendable {
  static let rowName = "zone"

  /// The zone that each resident lived by when somebody last changed them, so that a move is noticed.
  private var homes: [ResidentID: String]
  /// The zone before, of residents who were asked.
  private var origins: [ResidentID: String]

  init(_ origins: [ResidentID: String], in household: Household) {
    homes = household.residents.mapValues(\.timeZone)
    self.origins = origins
  }

  /// The rows to store.
  var rows: [EngineRow] {
    origins.sorted { $0.key < $1.key }.map { Self.row($0.key, $0.value) }
  }

  /// The zone that a resident's routine goes by still; nil where nobody asked.
  func origin(of resident: ResidentID) -> String? { origins[resident] }

  /// Takes where a resident lives now; answers the zone before, where it was another.
  mutating func noticeMove(of resident: Resident) -> String? {
    let old = homes.updateValue(resident.timeZone, forKey: resident.id)
    return old == resident.timeZone ? nil : old
  }

  /// Asks a resident who moved from a zone, where items are pinned to the zone they go by; nobody is asked who is back.
  mutating func ask(
    _ resident: Resident, from old: String, about courses: Courses, _ step: inout Step
  ) {
    let origin = origins[resident.id] ?? old
    if origin == resident.timeZone { return end(resident.id, &step) }
    let pinned = courses.ids(of: resident.id).filter {
      courses[$0]?.item.schedule.timeZone == origin
    }
    guard !pinned.isEmpty else { return }
    origins[resident.id] = origin
    step.outcome.changes.append(.putEngineRow(Self.row(resident.id, origin)))
    let words = Message(
      "{name} lives by the clock of {new} now. The routine goes on by that of {old} until somebody says: homeward routine zone keep, or: homeward routine zone move",
      ["name": resident.name, "new": resident.timeZone, "old": origin])
    step.outcome.events.append(
      EventDraft(
        type: .routineZoneAsked, lane: .record, resident: resident.id,
        facts: [
          "from": .string(origin), "to": .string(resident.timeZone),
          "items": .integer(Int64(pinned.count)),
          "explanation": step.household.say(words, to: resident.id),
        ]))
  }

  /// The question is answered, or needs no answer any more.
  mutating func end(_ id: ResidentID, _ step: inout Step) {
    guard origins.removeValue(forKey: id) != nil else { return }
    step.outcome.changes.append(
      .removeEngineRow(engine: Course.engine, subject: id.rawValue, name: Self.rowName))
  }

  /// Forgets a resident who is erased; the store forgets the rest.
  mutating func forget(_ id: ResidentID) {
    homes[id] = nil
    origins[id] = nil
  }

  private static func row(_ resident: ResidentID, _ zone: String) -> EngineRow {
    EngineRow(
      engine: Course.engine, subject: resident.rawValue, name: rowName,
      content: ["from": .string(zone)])
  }
}
