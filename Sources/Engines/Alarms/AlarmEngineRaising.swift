import Bytes
import Care
import JSON
import Moments
import Texts

/// How alarms begin, and how those that engines found end by themselves.
extension AlarmEngine {
  mutating func raise(
    _ id: ResidentID, _ kind: AlarmKind, _ trigger: AlarmTrigger, _ text: String,
    _ step: inout Step
  ) throws(CommandReply.Refusal) {
    let finding = try Finding(asked: kind, of: id, by: trigger, saying: text, in: house)
    if kind == .test { return try test(id, &step) }
    let raises = state.joined(kind, id).map { state.alarms[$0].raises }
    let alarm = state.alarms[raise(finding, &step)]
    step.outcome.reply = [
      "alarm": .string(alarm.id.rawValue), "tag": .string(alarm.tag),
      "stage": .string(alarm.stage.rawValue), "raises": .integer(alarm.raises),
      "isNew": .bool(raises == nil),
    ]
  }

  /// Raises an alarm or joins the open one of its kind; answers its place.
  @discardableResult
  mutating func raise(_ finding: Finding, _ step: inout Step) -> Int {
    if let index = state.joined(finding.kind, finding.resident) {
      state.alarms[index].join(finding, &step)
      return index
    }
    return begin(finding, &step)
  }

  private mutating func begin(_ finding: Finding, _ step: inout Step) -> Int {
    let id = AlarmID(identifiers.next(at: step.now.utc))
    let alarm = LiveAlarm(finding, id: id, tag: codes.tag(unlike: state.alarms), step)
    state.alarms.append(alarm)
    state.alarms.sort(by: LiveAlarm.isBefore)
    let index = state.place(of: id) ?? state.alarms.endIndex - 1
    lamp.release()
    alarm.tellRaised(at: state.position(of: index), &step)
    if AlarmDeadlines(alarm, in: house).prealarmSeconds == 0 { dispatch(index, &step) }
    return index
  }

  // MARK: What other engines find

  mutating func find(_ finding: Signal.Finding, _ step: inout Step) {
    guard house.alarmSettings(of: finding.resident).isRaised(finding.kind) else { return }
    raise(Finding(finding), &step)
  }
}
