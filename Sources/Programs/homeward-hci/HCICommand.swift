// SPDX-License-Identifier: GPL-2.0-or-later

/// The commands that make a controller listen.
///
/// - Source: Bluetooth Core Specification 5.4, volume 4, part A, section 2, and part E, sections 7.4.2, 7.8.3, 7.8.10,
///   7.8.11, 7.8.64 and 7.8.65.
enum HCICommand: Hashable, Sendable {
  /// Which commands the controller knows.
  case readSupportedCommands
  /// What it can do of Bluetooth Low Energy.
  case readFeatures
  /// How to listen, in the words of Bluetooth 4 or in those of Bluetooth 5.
  case setScanParameters(isExtended: Bool)
  /// Whether to listen.
  case setScanEnable(Bool, isExtended: Bool)

  /// Without a pause: window and interval are both 60 ms, in units of 0.625 ms.
  private static let interval: [UInt8] = [0x60, 0x00]
  private static let passive: UInt8 = 0
  private static let publicAddress: UInt8 = 0
  private static let everybody: UInt8 = 0
  private static let onlyOneMegabit: UInt8 = 1
  private static let withDuplicates: UInt8 = 0
  private static let forEver: [UInt8] = [0, 0]
  private static let withoutPeriod: [UInt8] = [0, 0]

  /// The group in the upper six bits, the command in the lower ten.
  var opcode: UInt16 {
    switch self {
    case .readSupportedCommands: 0x1002
    case .readFeatures: 0x2003
    case .setScanParameters(isExtended: false): 0x200B
    case .setScanEnable(_, isExtended: false): 0x200C
    case .setScanParameters(isExtended: true): 0x2041
    case .setScanEnable(_, isExtended: true): 0x2042
    }
  }

  private var parameters: [UInt8] {
    switch self {
    case .readSupportedCommands, .readFeatures: []
    case .setScanParameters(isExtended: false):
      [Self.passive] + Self.interval + Self.interval + [Self.publicAddress, Self.everybody]
    case .setScanParameters(isExtended: true):
      [Self.publicAddress, Self.everybody, Self.onlyOneMegabit, Self.passive] + Self.interval
        + Self.interval
    case .setScanEnable(let isOn, isExtended: false): [isOn ? 1 : 0, Self.withDuplicates]
    case .setScanEnable(let isOn, isExtended: true):
      [isOn ? 1 : 0, Self.withDuplicates] + Self.forEver + Self.withoutPeriod
    }
  }

  /// The command as it is sent: `01`, the opcode, the length of what follows, and that.
  var packet: [UInt8] {
    let parameters = parameters
    return [0x01, UInt8(opcode & 0xFF), UInt8(opcode >> 8), UInt8(parameters.count)] + parameters
  }

  /// The command's name in the specification.
  var name: String {
    switch self {
    case .readSupportedCommands: "Read Local Supported Commands"
    case .readFeatures: "LE Read Local Supported Features"
    case .setScanParameters(isExtended: false): "LE Set Scan Parameters"
    case .setScanParameters(isExtended: true): "LE Set Extended Scan Parameters"
    case .setScanEnable(_, isExtended: false): "LE Set Scan Enable"
    case .setScanEnable(_, isExtended: true): "LE Set Extended Scan Enable"
    }
  }
}
