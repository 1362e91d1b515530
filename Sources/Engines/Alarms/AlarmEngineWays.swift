import Care
import JSON
import Moments
import Texts

/// By which ways guardians can be told: what plugins offer, and what has proved to work.
extension AlarmEngine {
  /// Takes what plugins offer now; what waited for a way that did not exist goes out when it does.
  mutating func take(_ report: WaysReport, _ step: inout Step) {
    carriers.take(report)
    for index in state.alarms.indices {
      state.alarms[index].messages.takeUp(by: carriers, at: step.now)
    }
    settleWays(at: step.now)
  }

  /// Forgets what is known of ways that are gone, and begins to know those that are new.
  mutating func settleWays(at now: Moment) {
    state.ways.settle(in: house, begins: carriers.isKnown, at: now)
  }

  // MARK: A week without proof

  /// Tells whoever can be reached, by each quiet way, that no way has proved to work.
  mutating func tell(unproven reach: Reach, _ step: inout Step) {
    let notice = identifiers.next(at: step.now.utc)
    step.outcome.events.append(
      EventDraft(
        type: .alarmTested, lane: .alarm, resident: reach.resident,
        facts: [
          "test": "guardians", "isProven": false,
          "explanation": .string(
            reach.explanation.text(in: house.alarmLanguage(of: reach.resident))),
        ], id: EventID(notice)))
    for message in reach.messages(AlarmID(notice), in: house) {
      toldNews.note(message, by: carriers.asked(for: message.channel))
      step.act(.notify(message))
    }
  }
}
