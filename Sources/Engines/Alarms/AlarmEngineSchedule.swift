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
      let local = house.localTime(of: id, in: step.world)
    else {
      return
    }
    guard let last = state.care[id]?.lastTestDay else {
      // The month begins with the first day known, not with a test.
      state.care[id, default: CareState()].lastTestDay = local.daysSinceEpoch
      return
    }
    guard TestCalendar.isDue(last, TestCalendar.monthDays, local), !state.isInDanger(id) else {
      return
    }
    state.care[id, default: CareState()].lastTestDay = local.daysSinceEpoch
    guard house.hasWay(toldOf: id) else { return }
    raise(Finding(testOf: id, by: .schedule, in: house), &step)
  }

  private mutating func testSound(_ step: inout Step) {
    guard let id = house.residents.keys.min(), house.alarmSettings(of: id).selfTest,
      let local = house.localTime(of: id, in: step.world)
    else { return }
    guard let last = state.selfTest.lastDay else {
      state.selfTest.lastDay = local.daysSinceEpoch
      return
    }
    let isBusy = state.alarms.contains { $0.isOpen && !$0.isDuress && $0.kind != .test }
    guard TestCalendar.isDue(last, TestCalendar.weekDays, local), !isBusy else { return }
    state.selfTest.lastDay = local.daysSinceEpoch
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

  /// Tells the guardians, each week anew, that no way to any of them has proved to work; ends when one has.
  ///
  /// Such a notice that gets through is a proof itself. Where nobody can be reached there is nobody to tell: that is a
  /// fault of its own.
  private mutating func tellUnproven(_ id: ResidentID, _ step: inout Step) {
    guard let local = house.localTime(of: id, in: step.world) else { return }
    let reach = GuardianReach(in: house, by: carriers, state.ways, at: step.now)[id]
    guard reach.isKnown else { return }
    if reach.isFresh { state.care[id]?.lastUnprovenDay = nil }
    // Whatever was never told is due at the next fit hour.
    let last = state.care[id]?.lastUnprovenDay ?? local.daysSinceEpoch - TestCalendar.weekDays
    guard !reach.isFresh, reach.isReachable, TestCalendar.isDue(last, TestCalendar.weekDays, local),
      !state.isInDanger(id)
    else { return }
    state.care[id, default: CareState()].lastUnprovenDay = local.daysSinceEpoch
    tell(unproven: reach, &step)
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
