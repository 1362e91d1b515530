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
    let rules = AnswerRules(
      course: try courses.existing(id), household: household, now: step.now)
    let checked = try rules.check(answer, slot: slot)
    change(id, &step) { $0.take(checked, by: person, &$1) }
    step.outcome.reply = view(id, at: step.now)?.answerReply ?? .object([])
  }

  func view(_ id: RoutineItemID, at now: Moment) -> CourseView? {
    courses[id].map { CourseView(course: $0, household: household, now: now) }
  }
}
