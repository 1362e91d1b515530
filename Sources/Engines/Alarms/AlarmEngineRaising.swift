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

  mutating func take(_ settlement: Signal.Settlement, _ step: inout Step) {
    for cause in settlement.causes {
      relieve(
        settlement.kind, settlement.resident, of: [cause], &step, closing: settlement.closing)
    }
  }

  /// Takes causes from the open alarm of a kind, and ends it when none is left.
  ///
  /// - Parameter closing: why it is over, from the alarm's label.
  mutating func relieve(
    _ kind: AlarmKind, _ resident: ResidentID?, of causes: Set<String>, _ step: inout Step,
    closing: (String) -> Closing
  ) {
    let open = state.alarms.firstIndex {
      $0.isOpen && $0.kind == kind && $0.resident == resident && !causes.isDisjoint(with: $0.causes)
    }
    guard let index = open else { return }
    state.alarms[index].causes.removeAll { causes.contains($0) }
    guard state.alarms[index].causes.isEmpty else { return }
    let words = closing(state.alarms[index].label)
    state.alarms[index].end(as: .resolved, words, by: "engine", &step)
  }

  /// Ends what is about residents who are not there any more, and forgets them.
  mutating func forgetErased(_ step: inout Step) {
    let gone = state.alarms.filter { $0.resident.map { house.residents[$0] == nil } ?? false }
    for alarm in gone where alarm.isOpen {
      if alarm.room.phase != .quiet { step.act(.stopSound(alarm.soundID)) }
      step.outcome.events.append(
        EventDraft(
          type: .alarmResolved, lane: .alarm, resident: nil,
          facts: [
            "alarm": .string(alarm.id.rawValue), "tag": .string(alarm.tag),
            "kind": .string(alarm.kind.rawValue), "stage": "resolved",
            "explanation": .string(
              gettext(
                "The resident was erased, and the alarm with them.", in: step.world.language)),
          ]))
    }
    state.alarms.removeAll { alarm in gone.contains { $0.id == alarm.id } }
    for id in state.care.keys.sorted() where house.residents[id] == nil { state.care[id] = nil }
  }
}
