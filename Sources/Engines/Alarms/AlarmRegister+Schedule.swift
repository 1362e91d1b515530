import Care
import JSON
import Moments
import Texts

/// What comes round by the calendar.
extension AlarmRegister {
  /// Does what comes round by local time, as far as that is known.
  mutating func runSchedule(until limit: Tick, _ step: inout Step) {
    guard limit == step.now.tick, step.world.knowsLocalTime else { return }
    for id in step.house.residents.keys.sorted() {
      testMonthly(id, &step)
      tellUnproven(id, &step)
    }
    testSound(&step)
  }

  private mutating func testMonthly(_ id: ResidentID, _ step: inout Step) {
    guard step.house.alarmSettings(of: id).monthlyTest,
      let local = step.house.localTime(of: id, in: step.world),
      state.takeMonthlyTest(of: id, local), step.house.hasWay(toldOf: id)
    else { return }
    raise(Finding(testOf: id, by: .schedule, in: step.house), &step)
  }

  private mutating func testSound(_ step: inout Step) {
    guard let id = step.house.residents.keys.min(), step.house.alarmSettings(of: id).selfTest,
      let local = step.house.localTime(of: id, in: step.world), state.takeSoundTest(local)
    else { return }
    let isHeard = !step.house.alarmSettings(of: id).isSilent
    if isHeard {
      step.act(
        .play(
          SoundRequest(
            id: "self-test", priority: .chime, parts: [.pattern("self-test")])))
    }
    step.outcome.events.append(
      EventDraft(
        type: .alarmTested, lane: .alarm, resident: nil,
        facts: [
          "test": "sound", "isHeard": .bool(isHeard),
          "explanation": .string(
            gettext("The weekly test of the sound in the room was run.", in: step.world.language)),
        ]))
  }

  private mutating func tellUnproven(_ id: ResidentID, _ step: inout Step) {
    guard let local = step.house.localTime(of: id, in: step.world) else { return }
    let reach = GuardianReach(in: step.house, by: carriers, state.ways, at: step.now)[id]
    if state.takeUnproven(reach, local) { tell(unproven: reach, &step) }
  }

  // MARK: A week without proof

  /// Tells whoever can be reached, by each quiet way, that no way has proved to work.
  private mutating func tell(unproven reach: Reach, _ step: inout Step) {
    let notice = newIdentifier(at: step.now)
    step.outcome.events.append(
      EventDraft(
        type: .alarmTested, lane: .alarm, resident: reach.resident,
        facts: [
          "test": "guardians", "isProven": false,
          "explanation": .string(
            reach.explanation.text(in: step.house.alarmLanguage(of: reach.resident))),
        ], id: EventID(notice)))
    for message in reach.messages(AlarmID(notice), in: step.house) {
      noteTold(message)
      step.act(.notify(message))
    }
  }
}
