import Care
import Ports
import Texts

/// Says how Bluetooth does, and only when that changes.
struct HCIHealth {
  /// What is known of the way from the air to here.
  enum Condition: Hashable {
    case starting
    case noProgram(path: String)
    case closedSocket(path: String)
    case silentProgram
    case adapter(HCIState, name: String)
    case brokenLines(Int)
  }

  private var told: HealthReport?

  /// The report to hand in when it is another than before.
  mutating func become(_ condition: Condition) -> HealthReport? {
    let report = Self.report(of: condition)
    guard report != told else { return nil }
    told = report
    return report
  }

  private static func report(of condition: Condition) -> HealthReport {
    func report(_ state: HealthState, _ code: String, _ detail: Message) -> HealthReport {
      HealthReport(component: ComponentID("bluetooth"), state: state, code: code, detail: detail)
    }
    switch condition {
    case .starting: return report(.starting, "starting", Message("Bluetooth is being started."))
    case .noProgram(let path):
      return report(
        .failed, "no-homeward-hci",
        Message(
          "homeward-hci is not running (nobody answers on {path}). Install the package homeward-hci, then try: systemctl enable --now homeward-hci",
          ["path": path]))
    case .closedSocket(let path):
      return report(
        .failed, "socket-forbidden",
        Message(
          "Homeward may not listen on {path}. Does homeward-hci run with the group homeward?",
          ["path": path]))
    case .silentProgram:
      return report(
        .failed, "silent-homeward-hci",
        Message(
          "homeward-hci runs but says nothing. Try: systemctl restart homeward-hci"))
    case .brokenLines(let count):
      return report(
        .degraded, "broken-lines",
        Message(
          "homeward-hci says what Homeward does not understand: {count} times so far. Install the same version of both.",
          ["count": count]))
    case .adapter(.listening, _): return report(.working, "", Message("Bluetooth listens."))
    case .adapter(let adapter, let name):
      let state: HealthState =
        switch adapter {
        case .starting: .starting
        case .refusing: .degraded
        case .absent, .noBluetooth, .down, .blocked, .forbidden, .hung, .listening: .failed
        }
      return report(state, code(adapter), words(adapter, name))
    }
  }

  private static func code(_ state: HCIState) -> String {
    switch state {
    case .starting: "starting"
    case .absent: "no-adapter"
    case .noBluetooth: "no-bluetooth"
    case .listening, .down, .blocked, .forbidden, .refusing, .hung: "adapter-\(state.rawValue)"
    }
  }

  private static func words(_ state: HCIState, _ name: String) -> Message {
    switch state {
    case .starting, .listening:
      Message("The Bluetooth adapter {name} is being switched on.", ["name": name])
    case .absent:
      Message(
        "The Bluetooth adapter {names} is missing. Plug it in, or name another in the configuration.",
        ["names": name])
    case .noBluetooth:
      Message("This machine has no Bluetooth. Plug in an adapter.")
    case .down:
      Message(
        "The Bluetooth adapter {name} is off. If that lasts, try: systemctl restart homeward-hci",
        ["name": name])
    case .blocked:
      Message(
        "The Bluetooth adapter {name} is kept off by the system's radio switch. Try: rfkill unblock bluetooth",
        ["name": name])
    case .forbidden:
      Message(
        "The system does not let homeward-hci use the Bluetooth adapter {name}. Install the package homeward-hci again.",
        ["name": name])
    case .refusing:
      Message(
        "The Bluetooth adapter {name} refuses to listen and is tried again. If that lasts, see: journalctl -u homeward-hci",
        ["name": name])
    case .hung:
      Message(
        "The Bluetooth adapter {name} does not answer and is tried again. If that lasts, unplug it and plug it in again, or restart the gateway.",
        ["name": name])
    }
  }
}
