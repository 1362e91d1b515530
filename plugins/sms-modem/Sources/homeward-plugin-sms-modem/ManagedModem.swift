import DBus
import PluginKit
import PluginProtocol
import ShortMessage

/// A modem as ModemManager shows it.
///
/// - Source: the D-Bus interfaces of ModemManager 1.20, `Modem`, `Modem.Messaging`, `Modem.Modem3gpp`; its enumerations
///   `MMModemState`, `MMModemLock`, `MMModemStateFailedReason`, `MMModem3gppRegistrationState`.
struct ManagedModem: Hashable {
  /// `MMModemState`, as far as it matters.
  enum State: Int64 {
    case failed = -1
    case unknown = 0
    case initializing = 1
    case locked = 2
    case disabled = 3
    case disabling = 4
    case enabling = 5
    case enabled = 6
    case searching = 7
    case registered = 8
    case disconnecting = 9
    case connecting = 10
    case connected = 11
  }

  /// What a card wants.
  enum Lock: Hashable {
    case none
    case pin
    case other
  }

  var path: String
  var state: State
  var lock: Lock
  var failedReason: Int64
  var card: String
  /// Everything that people may call it by.
  var names: Set<String>
  var canDoMessages: Bool
  var messages: [String]
  var network: NetworkState

  static let interface = "org.freedesktop.ModemManager1.Modem"

  /// Reads one object; nil when it is no modem.
  init?(path: String, interfaces: BusValue) {
    guard let modem = interfaces[Self.interface] else { return nil }
    self.path = path
    state = modem["State"]?.integer.flatMap { State(rawValue: $0) } ?? .unknown
    failedReason = modem["StateFailedReason"]?.integer ?? 0
    card = modem["Sim"]?.text ?? "/"
    switch modem["UnlockRequired"]?.integer ?? 0 {
    case 2: lock = .pin
    // 3 and 5 are the second PIN and its PUK, which messages do not need.
    case 0, 1, 3, 5: lock = .none
    default: lock = .other
    }
    let port = modem["PrimaryPort"]?.text
    names = Set(
      [
        modem["Device"]?.text, modem["Physdev"]?.text, modem["EquipmentIdentifier"]?.text, port,
        port.map { "/dev/\($0)" }, path,
      ].compactMap { $0 })
    let messaging = interfaces["\(Self.interface).Messaging"]
    canDoMessages = messaging != nil
    messages = messaging?["Messages"]?.list.compactMap(\.text) ?? []
    let signal = modem["SignalQuality"]?[0]?.integer
    network = NetworkState(
      registration: Self.registration(interfaces["\(Self.interface).Modem3gpp"], state),
      signal: signal.flatMap { (1...100).contains($0) ? Int($0 * 31 / 100) : nil })
  }

  private static func registration(
    _ interface: BusValue?, _ state: State
  ) -> NetworkState.Registration {
    switch interface?["RegistrationState"]?.integer {
    case 1, 5, 6, 7, 9, 10: .registered
    case 0, 2, 8: .searching
    case 3: .denied
    // Modems of other kinds of networks do not have the interface.
    default: state.rawValue >= State.registered.rawValue ? .registered : .unknown
    }
  }

  /// Whether it is switched on.
  var isEnabled: Bool { state.rawValue >= State.enabled.rawValue }

  /// Whether it does messages, or may when it is unlocked or ready; only then it has the interface.
  func isHopeful(hasPort: Bool) -> Bool {
    switch state {
    case .locked, .initializing: true
    // Then the port is the better hope, where there is one.
    case .failed: !hasPort
    default: canDoMessages
    }
  }

  /// Why it failed, for people.
  var failure: String {
    switch failedReason {
    case 2: gettext("there is no SIM card in the modem; put it in")
    case 3: gettext("the SIM card fails; take it out, put it in again, or try it in a phone")
    case 4:
      gettext(
        "ModemManager cannot find out what the modem can do; pull its plug and put it in again")
    default: gettext("the modem fails; pull its plug and put it in again")
    }
  }

  /// The modems among all objects of ModemManager, the most capable first.
  ///
  /// - Parameter name: what the owner called the wanted one; nil for any.
  static func all(in objects: BusValue, named name: String?) -> [ManagedModem] {
    objects.map.compactMap { ManagedModem(path: $0.key, interfaces: $0.value) }
      .filter { modem in name.map { modem.names.contains($0) } ?? true }
      .sorted {
        let (left, right) = ($0.canDoMessages ? 0 : 1, $1.canDoMessages ? 0 : 1)
        return (left, -$0.state.rawValue, $0.path) < (right, -$1.state.rawValue, $1.path)
      }
  }
}
