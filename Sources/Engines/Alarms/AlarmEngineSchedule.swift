import Care
import JSON
import Moments
import Texts

/// What comes round by the calendar: tests; and when the engine next wants to be woken.
extension AlarmEngine {
  // MARK: Tests

  mutating func test(_ id: ResidentID, _ step: inout Step) throws(CommandReply.Refusal) {
    guard house.hasWay(toldOf: id) else {
      throw CommandReply.Refusal(
        .conflict,
        Message(
          "{name} has no guardian to test with; add one: homeward guardians add.",
          ["name": house.name(of: id)]))
    }
    if let day = day(of: id, step.world) {
      state.care[id, default: CareState()].lastTestDay = day
    }
    let index = raise(Finding(testOf: id, by: .commandLine, in: house), &step)
    let alarm = state.alarms[index]
    step.outcome.reply = ["alarm": .string(alarm.id.rawValue), "tag": .string(alarm.tag)]
  }

  // MARK: The calendar

  mutating func runSchedule(until limit: Tick, _ step: inout Step) {
    guard limit == step.now.tick, step.world.knowsLocalTime else { return }
    for id in house.residents.keys.sorted() {
      testMonthly(id, &step)
      tellUnproven(id, &step)
    }
    testSound(&step)
  }

  /// The resident's date as days since 1970; nil while no clock is trusted.
  private func day(of id: ResidentID, _ world: World) -> Int64? {
    house.localTime(of: id, in: world)?.daysSinceEpoch
  }

  private mutating func testMonthly(_ id: ResidentID, _ step: inout Step) {
    guard house.alarmSettings(of: id).monthlyTest,
      let local = house.localTime(of: id, in: step.world),
      state.takeMonthlyTest(of: id, local), house.hasWay(toldOf: id)
    else { return }
    raise(Finding(testOf: id, by: .schedule, in: house), &step)
  }

  private mutating func testSound(_ step: inout Step) {
    guard let id = house.residents.keys.min(), house.alarmSettings(of: id).selfTest,
      let local = house.localTime(of: id, in: step.world), state.takeSoundTest(local)
    else { return }
    let isHeard = !house.alarmSettings(of: id).isSilent
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
    guard let local = house.localTime(of: id, in: step.world) else { return }
    let reach = GuardianReach(in: house, by: carriers, state.ways, at: step.now)[id]
    if state.takeUnproven(reach, local) { tell(unproven: reach, &step) }
  }

  // MARK: Waking

  /// When something is due next.
  var deadline: Tick? {
    let own = state.alarms.map {
      AlarmDeadlines($0, in: house).next(isHeld: localWake.holds($0))
    }
    return ([localWake.tick, lamp.deadline] + own).compactMap { $0 }.min()
  }
}
