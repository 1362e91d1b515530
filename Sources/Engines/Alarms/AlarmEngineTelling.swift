import Care
import JSON
import Moments
import Texts

/// Who is told when, by which ways, and what became of it.
extension AlarmEngine {
  mutating func advance(until limit: Tick, _ step: inout Step) {
    runSchedule(until: limit, &step)
    state.advance(until: limit, by: carriers, &step)
    lamp.forgetPress(by: limit)
  }

  /// Has guardians told of an alarm.
  mutating func dispatch(_ index: Int, _ step: inout Step) {
    state.alarms[index].dispatch(by: carriers, at: state.position(of: index), &step)
  }

  /// After a start the same attempts are handed over again: whoever sent one already does not send it twice.
  mutating func resume(_ step: inout Step) {
    state.resume(&step)
    step.act(lamp.showAnew(state.alarms))
  }

  // MARK: What became of it

  /// Whether a report is of something that whoever reports was asked to do, and of which nothing final was heard yet.
  ///
  /// What the gateway says of itself always is.
  func isAwaited(_ report: DeliveryReport) -> Bool {
    report.plugin.isEmpty || state.subject(of: report, or: toldNews) != nil
  }

  /// That somebody said what became of a message.
  func reported(_ report: DeliveryReport) -> EventDraft {
    EventDraft(
      type: .deliveryReported, lane: .record, resident: nil,
      facts: report.json.setting(
        "explanation", to: .string(words(of: report).text(in: house.language))),
      isForGuardians: state.isConcealed(AlarmID(report.event.rawValue)))
  }

  private func words(of report: DeliveryReport) -> Message {
    let who = house.guardian(GuardianID(report.recipient))?.name ?? report.recipient
    return DeliveryWords.sentence(
      report.outcome, Guardian.Channel(rawValue: report.channel), to: who, reason: report.detail)
  }

  mutating func note(_ report: DeliveryReport, _ step: inout Step) {
    switch state.subject(of: report, or: toldNews) {
    case nil: return
    case .contact(let index):
      state.alarms[index].noteContact(report.outcome, report.detail, &step)
    case .news(let place):
      state.ways.learn(from: report, in: house, at: step.now)
      toldNews.take(report.outcome, at: place)
    case .message(let index, let place):
      state.ways.learn(from: report, in: house, at: step.now)
      state.alarms[index].note(report, of: place, &step)
    }
  }
}
