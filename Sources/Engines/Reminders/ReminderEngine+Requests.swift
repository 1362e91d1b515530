import Care
import JSON
import Moments
import Recurrence
import Texts

/// What people and calendars ask of the routine.
extension ReminderEngine {
  mutating func carryOut(
    _ request: RoutineRequest, by person: String, _ step: inout Step
  ) throws(CommandReply.Refusal) {
    switch request {
    case .put(let item, let revision): try put(item, revision, by: person, &step)
    case .remove(let id, let revision): try remove(id, revision, by: person, &step)
    case .setOn(let id, let isOn): try switchItem(id, isOn, by: person, &step)
    case .answer(let id, let slot, let answer):
      try self.answer(id, slot: slot, answer, by: person, &step)
    case .restock(let id, let units): try restock(id, units, by: person, &step)
    case .replace(let resident, let source, let items):
      try replace(items, of: resident, from: source, by: person, &step)
    case .answerZone(let resident, let answer):
      try answerZone(answer, of: resident, by: person, &step)
    }
  }

  // MARK: One item

  private mutating func put(
    _ item: RoutineItem, _ revision: Int64?, by person: String, _ step: inout Step
  ) throws(CommandReply.Refusal) {
    place(try changeRules(step).put(item, revision), by: person, &step)
    step.outcome.reply = view(item.id, at: step.now)?.reply ?? .object([])
  }

  private mutating func remove(
    _ id: RoutineItemID, _ revision: Int64?, by person: String, _ step: inout Step
  ) throws(CommandReply.Refusal) {
    try changeRules(step).remove(id, revision)
    drop(id, by: person, &step)
    step.outcome.reply = ["removed": .string(id.rawValue)]
  }

  private mutating func switchItem(
    _ id: RoutineItemID, _ isOn: Bool, by person: String, _ step: inout Step
  ) throws(CommandReply.Refusal) {
    var item = try courses.existing(id).item
    if item.isOn != isOn {
      item.isOn = isOn
      place(item, by: person, &step)
    }
    step.outcome.reply = view(id, at: step.now)?.reply ?? .object([])
  }

  private mutating func restock(
    _ id: RoutineItemID, _ units: UnitCount, by person: String, _ step: inout Step
  ) throws(CommandReply.Refusal) {
    place(try changeRules(step).restock(id, units), by: person, &step)
    let days = courses[id]?.daysLeft(at: step.now.utc)
    step.outcome.reply = .object([
      "id": .string(id.rawValue), "units": units.json, "daysLeft": days.map { .integer($0) },
    ])
  }

  // MARK: An answer

  mutating func answer(
    _ id: RoutineItemID, slot: String?, _ answer: RoutineRequest.Answer, by person: String,
    _ step: inout Step
  ) throws(CommandReply.Refusal) {
    let rules = AnswerRules(
      course: try courses.existing(id), household: household, now: step.now)
    let checked = try rules.check(answer, slot: slot)
    change(id, &step) { $0.carryOut(checked, by: person, &$1) }
    step.outcome.reply = view(id, at: step.now)?.answerReply ?? .object([])
  }

  func view(_ id: RoutineItemID, at now: Moment) -> CourseView? {
    courses[id].map { CourseView(course: $0, household: household, now: now) }
  }

  // MARK: A calendar's items

  private mutating func replace(
    _ items: [RoutineItem], of resident: ResidentID, from source: String, by person: String,
    _ step: inout Step
  ) throws(CommandReply.Refusal) {
    let found = try CalendarImport(
      items, of: resident, from: source, over: courses, by: changeRules(step).items)
    for id in found.removed { drop(id, by: person, &step) }
    for item in found.changed { place(item, by: person, &step) }
    step.outcome.reply = found.reply
  }

  func changeRules(_ step: Step) -> ChangeRules {
    ChangeRules(courses, in: household, pictures: step.pictures)
  }

  // MARK: The resident's zone

  private mutating func answerZone(
    _ answer: RoutineRequest.ZoneAnswer, of id: ResidentID, by person: String, _ step: inout Step
  ) throws(CommandReply.Refusal) {
    guard let origin = zoneQuestions.origin(of: id), let zone = household.residents[id]?.timeZone
    else {
      throw CommandReply.Refusal(
        .conflict,
        Message(
          "The time zone of {name} has not changed; there is nothing to answer.",
          ["name": household.name(of: id)]))
    }
    var moved: Int64 = 0
    if answer == .move {
      guard household.timeZones[zone] != nil else { throw ItemRules.unknownZone(zone) }
      for item in courses.ids(of: id) {
        guard var wanted = courses[item]?.item, wanted.schedule.timeZone == origin else { continue }
        wanted.schedule = wanted.schedule.moved(to: zone)
        place(wanted, by: person, &step)
        moved += 1
      }
    }
    endZoneQuestion(of: id, &step)
    step.outcome.reply = ["answer": .string(answer.rawValue), "moved": .integer(moved)]
  }
}
