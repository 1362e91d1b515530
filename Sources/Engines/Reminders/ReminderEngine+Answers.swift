import Care
import JSON
import Moments
import Texts

/// What people answer: done, not now, left out, later.
extension ReminderEngine {
  mutating func answer(
    _ id: RoutineItemID, slot: String?, _ answer: RoutineRequest.Answer, by person: String,
    _ step: inout Step
  ) throws(CommandReply.Refusal) {
    let rules = AnswerRules(course: try course(id), household: household, now: step.now)
    let checked = try rules.check(answer, slot: slot)
    change(id, &step) { $0.take(checked, by: person, &$1) }
    step.outcome.reply = courses[id].map { reply($0, at: step.now) } ?? .object([])
  }

  /// The answer to an answer: what it was about, what became of it, and what is due next.
  private func reply(_ course: Course, at now: Moment) -> JSONValue {
    let latest = course.open?.occurrence ?? course.closed.newest
    let next = course.trustedNext(at: now)
    let isEarly = latest.map { $0.isAhead(at: now) } ?? false
    return .object([
      "item": .string(course.id.rawValue), "slot": latest.map { .string($0.slot) },
      "state": latest.map { .string($0.state.rawValue) },
      "due": latest.map { .string($0.due.iso8601) }, "isEarly": isEarly ? true : nil,
      "nextDue": next.map { .string($0.instant.iso8601) },
    ])
  }

  // MARK: Shared

  func refusal(_ code: CommandReply.Refusal.Code, _ message: Message) -> CommandReply.Refusal {
    CommandReply.Refusal(code, message)
  }

  func course(_ id: RoutineItemID) throws(CommandReply.Refusal) -> Course {
    guard let course = courses[id] else {
      throw refusal(
        .unknownTarget,
        Message(
          "There is no item \"{id}\". List them with: homeward routine list",
          ["id": String(id.rawValue.prefix(64))]))
    }
    return course
  }
}
