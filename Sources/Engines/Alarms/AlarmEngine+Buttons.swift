import Care
import Moments
import Texts

/// What hands mean by what they do with buttons.
extension AlarmEngine {
  /// Takes a press; nil where it means nothing to alarms now.
  mutating func take(_ press: Press, in world: World) -> Outcome? {
    switch press.meaning {
    case .state: return act(in: world) { $0.note(press.report, press.resident, &$1) }
    case .help: return callForHelp(press, in: world)
    case .yes: return state.isSounding ? ask(.silence, by: press, in: world) : nil
    case .no: return callOff(press, in: world)
    case .command(.acknowledge):
      guard let caregiver = press.binding.caregiver else { return nil }
      return ask(.acknowledge(alarm: nil, by: caregiver.rawValue), by: press, in: world)
    case .command(.photograph):
      guard let resident = press.resident else { return nil }
      return ask(.photograph(resident: resident), by: press, in: world)
    case .command(.sos), .command(.fakeCall), .command(.takeHome), .command(.assist),
      .command(.none):
      return nil
    }
  }

  /// A request by a button; one that does not fit the moment changes nothing.
  private mutating func ask(
    _ request: AlarmRequest, by press: Press, in world: World
  ) -> Outcome {
    let asker = Asker(principal: press.principal, sent: world.now.tick)
    return (try? answer(request, by: asker, proof: nil, in: world)) ?? Outcome()
  }

  // MARK: Help

  /// Raises an SOS for whoever a button belongs to; for somebody where nobody knows who that is.
  private mutating func callForHelp(_ press: Press, in world: World) -> Outcome {
    if let owner = press.owner {
      let request = AlarmRequest.raise(resident: owner, kind: .sos, trigger: .button, text: "")
      return ask(request, by: press, in: world)
    }
    let button = press.binding.button
    let finding = Finding(held: button, in: house)
    var outcome = act(in: world) { _ = $0.register.raise(finding, &$1) }
    outcome.signals.append(.calledForNobody(button))
    return outcome
  }

  /// Two presses in a pre-alarm: the resident's own, or that of a call for help that might be anybody's.
  private mutating func callOff(_ press: Press, in world: World) -> Outcome? {
    if let resident = press.resident, state.isInPrealarm(resident) {
      return ask(.cancel(resident: resident, pin: nil, message: nil), by: press, in: world)
    }
    guard state.isSomebodyInNeed else { return nil }
    return act(in: world) { $0.register.state.cancelSomebodys(&$1) }
  }

  /// A button that is stuck cannot call for help: a fault, until it comes loose.
  private mutating func note(
    _ report: ButtonReport, _ resident: ResidentID?, _ step: inout Step
  ) {
    let cause = "part:button/\(report.button)"
    switch report.gesture {
    case .down: lamp.press(at: step.now.tick)
    case .stuck:
      lamp.release()
      noteStuck(report, resident, cause, &step)
    case .loose:
      register.state.settle(
        Signal.Settlement(resident: resident, kind: .fault, causes: [cause], reason: .works), &step)
    case .press, .double, .triple, .hold: lamp.release()
    }
  }

  private mutating func noteStuck(
    _ report: ButtonReport, _ resident: ResidentID?, _ cause: String, _ step: inout Step
  ) {
    guard house.alarmSettings(of: resident).fault.isEnabled else { return }
    register.raise(Finding(stuck: report.button, of: resident, cause: cause, in: house), &step)
  }
}
