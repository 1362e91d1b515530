import Care

/// Alarms about safe zones.
extension AlarmRegister {
  mutating func take(_ news: ZoneNews, of resident: ResidentID, _ step: inout Step) {
    for verdict in zoneCauses(of: resident).verdicts(on: news) {
      carryOut(verdict, resident, &step)
    }
  }

  mutating func take(_ news: AbsenceNews, of resident: ResidentID, _ step: inout Step) {
    let verdict = zoneCauses(of: resident).verdict(on: news, in: step.house)
    if let verdict { carryOut(verdict, resident, &step) }
  }

  private func zoneCauses(of resident: ResidentID) -> ZoneCauses {
    let known = state.openAlarm(.zone, resident).map { state.alarms[$0].causes } ?? []
    return ZoneCauses(known, of: resident)
  }

  private mutating func carryOut(
    _ verdict: ZoneCauses.Verdict, _ resident: ResidentID, _ step: inout Step
  ) {
    switch verdict {
    case .found(let finding, let others):
      find(finding, &step)
      if let index = state.openAlarm(.zone, resident) { state.alarms[index].causes += others }
    case .over(let causes, let closing):
      state.relieve(.zone, resident, of: causes, &step, closing: closing)
    }
  }
}
