import Care
import JSON
import Moments
import Texts

/// Where the person in danger is, for those who look for them.
extension AlarmEngine {
  /// Takes the position out of what other engines found; battery levels travel along.
  mutating func note(_ location: Signal.Location, of id: ResidentID, at now: Moment) {
    let known = state.care[id]?.position?.batteryPercent
    state.care[id, default: CareState()].position = KnownPosition(
      coordinate: location.coordinate, accuracyMeters: location.accuracyMeters,
      stamp: Stamp(now), batteryPercent: location.batteryPercent ?? known)
  }

  // MARK: Photographs

  mutating func photograph(
    _ id: ResidentID, _ step: inout Step
  ) throws(CommandReply.Refusal) {
    guard let index = state.openSOS(id) else {
      throw CommandReply.Refusal(
        .conflict,
        Message(
          "A photograph is taken only while an SOS of {name} is open.", ["name": house.name(of: id)]
        ))
    }
    step.act(.photograph(alarm: state.alarms[index].id, resident: id))
    step.outcome.reply = ["alarm": .string(state.alarms[index].id.rawValue), "requested": true]
  }

  mutating func note(_ report: PhotoReport, _ step: inout Step) {
    let place = state.alarms.firstIndex { $0.id == report.alarm && $0.isOpen }
    if let index = place { state.alarms[index].note(report, &step) }
  }

  /// Takes out what a resident refused; an alarm that wanted a photograph hears at once that there is none.
  mutating func withholdPhotographs(_ step: inout Step) {
    var refused: [PhotoReport] = []
    step.outcome.actions.removeAll { action in
      guard case .photograph(let alarm, let resident) = action,
        house.isRefused(.camera, by: resident)
      else { return false }
      let why = gettext("the resident refused the camera.", in: house.alarmLanguage(of: resident))
      refused.append(PhotoReport(alarm: alarm, path: nil, detail: why))
      return true
    }
    for report in refused { note(report, &step) }
  }
}
