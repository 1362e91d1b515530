import Care
public import Moments
import Texts

/// What is heard: one sound at a time, in order, stopped when it is answered.
extension ReminderEngine {
  private var speech: RoomSpeech { RoomSpeech(courses: courses, household: household) }

  /// Says what waits, if nothing of the routine sounds.
  mutating func settleRoom(_ step: inout Step) {
    if let action = room.settle(speech, at: step.now) { step.outcome.actions.append(action) }
  }

  mutating func take(_ report: SoundReport, _ step: inout Step) {
    let action = room.take(report, speech, at: step.now.tick)
    if let action { step.outcome.actions.append(action) }
  }

  /// A real alarm has the room for itself.
  mutating func makeWay(_ step: inout Step) {
    if let sound = room.makeWay(at: step.now.tick) {
      step.outcome.actions.append(.stopSound(sound))
    }
  }

  // MARK: A press

  /// Whether a press answers a reminder now, so that it means nothing else.
  public func isAnswerable(at now: Moment) -> Bool { !heardNow(at: now).isEmpty }

  /// What a press answers now.
  func heardNow(at now: Moment) -> [RoutineItemID] {
    room.answerable(in: courses, at: now.tick)
  }

  /// Answers what was heard, and says what was answered.
  mutating func answerHeard(isDone: Bool, by person: String, _ step: inout Step) {
    let ids = heardNow(at: step.now)
    let items = ids.compactMap { courses[$0]?.item }
    guard let resident = items.first?.resident else { return }
    room.queueRest()
    let words = household.sentences(of: resident)
    if isDone {
      for id in ids { try? answer(id, slot: nil, .done, by: person, &step) }
      return confirm([words.praise, words.noted(items)], &step)
    }
    var declined: [RoutineItem] = []
    var putOff: [RoutineItem] = []
    var refused: [RoutineItem] = []
    for item in items {
      do throws(CommandReply.Refusal) {
        try answer(item.id, slot: nil, .notNow, by: person, &step)
        if item.isCritical { putOff.append(item) } else { declined.append(item) }
      } catch { refused.append(item) }
    }
    var sentences: [Sentence] = []
    if !declined.isEmpty { sentences.append(words.declined(declined)) }
    if let first = putOff.first.flatMap({ courses[$0.id] }) {
      sentences.append(
        words.putOff(putOff, minutes: household.timing(of: first.item).snoozeMinutes))
    }
    if !refused.isEmpty { sentences.append(words.notAgain(refused)) }
    confirm(sentences, &step)
  }

  private mutating func confirm(_ sentences: [Sentence], _ step: inout Step) {
    step.outcome.actions += room.confirm(sentences, at: step.now.tick)
  }
}
