import Care
import Ports
import Texts

/// Says how Bluetooth does, and only when that changes.
struct BluetoothHealth {
  /// What is known of the way from the air to here.
  enum Condition: Hashable {
    case starting
    case noBus(path: String)
    case busRefuses(words: String)
    case noBluetoothd
    case silentBluetoothd
    case noAdapter(wanted: [String])
    case adapters([BluetoothAdapter], lasting: Set<String>)
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
    case .noBus(let path):
      return report(
        .failed, "no-bus",
        Message(
          "The system bus does not answer at {path}. Is it running? Try: systemctl status dbus",
          ["path": path]))
    case .busRefuses(let words):
      return report(
        .failed, "bus-refuses",
        Message("The system bus refuses what Bluetooth needs: {words}", ["words": words]))
    case .noBluetoothd:
      return report(
        .failed, "no-bluetoothd",
        Message("bluetoothd is not running. Try: systemctl start bluetooth"))
    case .silentBluetoothd:
      return report(
        .failed, "silent-bluetoothd",
        Message("bluetoothd runs but does not answer. Try: systemctl restart bluetooth"))
    case .noAdapter(let wanted):
      let names = wanted.joined(separator: ", ")
      return report(
        .failed, "no-adapter",
        wanted.isEmpty
          ? Message("There is no Bluetooth adapter. Plug one in.")
          : Message(
            "The Bluetooth adapter {names} is missing. Plug it in, or name another in the configuration.",
            ["names": names]))
    case .adapters(let adapters, let lasting): return Self.report(of: adapters, lasting, report)
    }
  }

  private static func report(
    of adapters: [BluetoothAdapter], _ lasting: Set<String>,
    _ report: (HealthState, String, Message) -> HealthReport
  ) -> HealthReport {
    let isListening = adapters.contains { $0.condition == .listening }
    guard let worst = adapters.max(by: { rank($0.condition) < rank($1.condition) }),
      worst.condition != .listening
    else { return report(.working, "", Message("Bluetooth listens.")) }
    let state: HealthState =
      switch worst.condition {
      case .starting: isListening ? .working : .starting
      case .listening: .working
      case .hung where !lasting.contains(worst.name), .refusing: .degraded
      case .hung, .blocked, .forbidden: isListening ? .degraded : .failed
      }
    guard state != .working else { return report(.working, "", Message("Bluetooth listens.")) }
    return report(
      state, state == .starting ? "starting" : "adapter-\(worst.condition.rawValue)", words(worst))
  }

  private static func rank(_ condition: BluetoothAdapter.Condition) -> Int {
    switch condition {
    case .listening: 0
    case .starting: 1
    case .refusing: 2
    case .hung: 3
    case .blocked: 4
    case .forbidden: 5
    }
  }

  private static func words(_ adapter: BluetoothAdapter) -> Message {
    switch adapter.condition {
    case .starting, .listening:
      Message("The Bluetooth adapter {name} is being switched on.", ["name": adapter.name])
    case .blocked:
      Message(
        "The Bluetooth adapter {name} is kept off by the system's radio switch. Try: rfkill unblock bluetooth",
        ["name": adapter.name])
    case .forbidden:
      Message(
        "The system does not let Homeward use the Bluetooth adapter {name}. See /etc/dbus-1/system.d/bluetooth.conf, or install the package bluez again.",
        ["name": adapter.name])
    case .refusing:
      Message(
        "The Bluetooth adapter {name} refuses to listen and is tried again. If that lasts, try: systemctl restart bluetooth",
        ["name": adapter.name])
    case .hung:
      Message(
        "The Bluetooth adapter {name} does not answer; it is switched off and on. If that lasts, unplug it and plug it in again, or restart the gateway.",
        ["name": adapter.name])
    }
  }
}
