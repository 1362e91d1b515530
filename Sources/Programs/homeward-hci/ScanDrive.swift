// SPDX-License-Identifier: GPL-2.0-or-later

/// Brings a controller to listen: one command after another, each when the one before it was answered.
///
/// The commands of Bluetooth 5 are used where the controller has them: one that got any of these refuses those of
/// Bluetooth 4, and the kernel gives it some when it is switched on.
struct ScanDrive {
  /// What follows from an answer.
  enum Outcome: Hashable {
    /// Send this.
    case send(HCICommand)
    /// It listens.
    case listening
    /// It does not want to.
    case refused(HCICommand, status: UInt8)
    /// Somebody else has changed what it does: begin anew.
    case disturbed
    /// Nothing.
    case nothing
  }

  private static let disallowed: UInt8 = 0x0C

  /// The command whose answer is awaited.
  private(set) var awaited: HCICommand?
  /// Whether it listens, as far as it said.
  private(set) var isListening = false
  private var isExtended = false
  private var hasOtherWords = false
  private var hasChanged = false

  /// The first command.
  mutating func begin() -> HCICommand {
    self = ScanDrive()
    return send(.readSupportedCommands)
  }

  /// The command that ends it.
  mutating func end() -> HCICommand {
    isListening = false
    return send(.setScanEnable(false, isExtended: isExtended))
  }

  /// Takes the end of a command, be it ours or another's.
  mutating func take(opcode: UInt16, status: UInt8, answer: [UInt8]) -> Outcome {
    guard let command = awaited, command.opcode == opcode else { return takeForeign(opcode) }
    awaited = nil
    switch command {
    case .readSupportedCommands:
      // Octet 37 has the extended commands, octet 26 the others; one that does not say is asked in the old words.
      guard status == 0, answer.count >= 38, answer[37] & 0x60 == 0x60 else {
        return .send(send(.setScanEnable(false, isExtended: false)))
      }
      hasOtherWords = answer[26] & 0x0C == 0x0C
      return .send(send(.readFeatures))
    case .readFeatures:
      // Bit 12: LE Extended Advertising.
      isExtended = status == 0 && answer.count >= 2 && answer[1] & 0x10 != 0
      hasOtherWords = hasOtherWords || !isExtended
      return .send(send(.setScanEnable(false, isExtended: isExtended)))
    case .setScanEnable(false, _):
      // One that did not listen may refuse to end it.
      return .send(send(.setScanParameters(isExtended: isExtended)))
    case .setScanParameters:
      guard status == 0 else { return refused(command, status) }
      return .send(send(.setScanEnable(true, isExtended: isExtended)))
    case .setScanEnable(true, _):
      guard status == 0 else { return refused(command, status) }
      isListening = true
      return .listening
    }
  }

  private mutating func send(_ command: HCICommand) -> HCICommand {
    awaited = command
    return command
  }

  /// One that was spoken to in the other words before wants no others: once, they are tried.
  private mutating func refused(_ command: HCICommand, _ status: UInt8) -> Outcome {
    guard status == Self.disallowed, hasOtherWords, !hasChanged else {
      return .refused(command, status: status)
    }
    hasChanged = true
    isExtended.toggle()
    return .send(send(.setScanEnable(false, isExtended: isExtended)))
  }

  private mutating func takeForeign(_ opcode: UInt16) -> Outcome {
    let disturbing = [
      HCIEvent.reset, HCICommand.setScanEnable(false, isExtended: false).opcode,
      HCICommand.setScanEnable(false, isExtended: true).opcode,
    ]
    guard disturbing.contains(opcode), isListening else { return .nothing }
    isListening = false
    return .disturbed
  }
}
