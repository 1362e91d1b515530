// SPDX-License-Identifier: GPL-2.0-or-later
import Care
import JSON

/// How the adapter does.
enum RadioState: Hashable, Sendable {
  /// It is being made to listen.
  case starting
  /// It listens; this is its own address.
  case listening(BluetoothAddress?)
  /// There is none of that name.
  case absent
  /// The kernel knows no Bluetooth at all.
  case noBluetooth
  /// It is off.
  case down
  /// The system's radio switch keeps it off.
  case blocked
  /// This program may not use it.
  case forbidden
  /// It does not want to, for the reason given.
  case refusing(String)
  /// It does not answer.
  case hung

  /// The state's name on the socket.
  var word: String {
    switch self {
    case .starting: "starting"
    case .listening: "listening"
    case .absent: "absent"
    case .noBluetooth: "no-bluetooth"
    case .down: "down"
    case .blocked: "blocked"
    case .forbidden: "forbidden"
    case .refusing: "refusing"
    case .hung: "hung"
    }
  }

  /// What is wrong, and what to do; nil when nothing is.
  func reason(_ adapter: String) -> String? {
    switch self {
    case .starting, .listening: nil
    case .absent: "There is no adapter \(adapter). Plug one in, or name another."
    case .noBluetooth: "This kernel has no Bluetooth. Plug an adapter in, or load the module."
    case .down: "The adapter \(adapter) is off. Try: hciconfig \(adapter) up"
    case .blocked:
      "The radio switch keeps the adapter \(adapter) off. Try: rfkill unblock bluetooth"
    case .forbidden: "This program may not use the adapter \(adapter): it needs CAP_NET_RAW."
    case .refusing(let why): why
    case .hung: "The adapter \(adapter) does not answer. It is tried again."
    }
  }

  /// The line that says so.
  func json(_ adapter: String) -> JSONValue {
    var address: BluetoothAddress?
    if case .listening(let own) = self { address = own }
    return .object([
      "state": .string(word), "adapter": .string(adapter),
      "address": address.map { .string($0.text) }, "why": reason(adapter).map { .string($0) },
    ])
  }
}
