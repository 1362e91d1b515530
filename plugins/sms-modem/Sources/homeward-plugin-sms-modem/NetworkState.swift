import Care
import PluginKit
import PluginProtocol

/// What the modem says about the mobile network.
struct NetworkState: Hashable, Sendable {
  /// Whether the network takes messages from us.
  enum Registration: Hashable, Sendable {
    case unknown
    case registered
    case searching
    case denied
  }

  var registration = Registration.unknown
  /// 0 through 31 as `AT+CSQ` gives it; nil when not known.
  var signal: Int?

  /// Below this, −103 dBm, messages get lost.
  static let weakSignal = 6

  /// The state by the answer to `AT+CREG?`, `AT+CGREG?` or `AT+CEREG?`: `0,1` or `2,5,"0A1B","01C2D3E4",7`.
  static func registration(_ content: String) -> Registration {
    let numbers = ATParameters.split(content)
    let state = numbers.count > 1 ? Int(numbers[1]) : Int(numbers[0])
    switch state {
    // 6 and 7: home and roaming for messages only; 9 and 10: not preferred.
    case 1, 5, 6, 7, 9, 10: return .registered
    case 0, 2: return .searching
    case 3: return .denied
    default: return .unknown
    }
  }

  /// The signal by the answer to `AT+CSQ`: `21,99`.
  static func signal(_ content: String) -> Int? {
    Int(ATParameters.split(content)[0]).flatMap { (0...31).contains($0) ? $0 : nil }
  }

  /// The signal in dBm, for people.
  var decibels: Int? { signal.map { -113 + 2 * $0 } }
}

extension NetworkState {
  /// What is wrong with the network, for people; nil when nothing is.
  var health: PluginHealth? {
    switch registration {
    case .registered:
      guard let signal, signal < Self.weakSignal else { return nil }
      return PluginHealth(
        state: .degraded, code: "weak-signal",
        detail: gettext(
          "the signal is weak ({decibels} dBm); move the modem or its antenna",
          ["decibels": decibels ?? 0]))
    case .denied:
      return PluginHealth(
        state: .degraded, code: "denied",
        detail: gettext("the network refuses the card; check its contract and credit"))
    case .searching, .unknown:
      return PluginHealth(
        state: .degraded, code: "no-network",
        detail: gettext("there is no mobile network; messages wait for it. Check antenna and card"))
    }
  }
}
