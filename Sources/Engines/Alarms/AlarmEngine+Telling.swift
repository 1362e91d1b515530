import Care
import JSON
import Texts

/// What is handed over anew after a start, and what is told of what plugins report.
extension AlarmEngine {
  /// After a start the same attempts are handed over again: whoever sent one already does not send it twice.
  mutating func resume(_ step: inout Step) {
    register.state.resume(&step)
    step.act(lamp.showAnew(state.alarms))
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
}
