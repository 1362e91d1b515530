// SPDX-License-Identifier: GPL-2.0-or-later
import Advertisements

/// What a controller, or the kernel about its controllers, says.
///
/// - Source: Bluetooth Core Specification 5.4, volume 4, part E, sections 7.7.14, 7.7.15, 7.7.16 and 7.7.65; for what
///   the kernel says, BlueZ, `lib/hci.h`, `evt_stack_internal`.
enum HCIEvent: Hashable, Sendable {
  /// A command was carried out, or refused with a status other than 0; the rest is what it answers.
  case completed(opcode: UInt16, status: UInt8, answer: [UInt8])
  /// Advertisements were heard.
  case heard([AdvertisingReport])
  /// The controller broke down, and the kernel resets it.
  case brokeDown
  /// An adapter came, went, or was switched on or off.
  case adapterChanged
  /// Nothing that matters here.
  case other

  /// The command that sets a controller back to its beginnings.
  static let reset: UInt16 = 0x0C03

  private static let mark: UInt8 = 0x04

  /// Reads a packet; bytes that are no event, or only part of one, are nothing that matters.
  init(_ packet: [UInt8]) {
    self = .other
    guard packet.count >= 3, packet[0] == Self.mark, packet.count >= 3 + Int(packet[2]) else {
      return
    }
    let body = packet[3..<3 + Int(packet[2])]
    switch packet[1] {
    case 0x0E where body.count >= 4:
      self = .completed(
        opcode: Self.word(body, 1), status: body[body.startIndex + 3],
        answer: Array(body.dropFirst(4)))
    // A status of 0 says that the end of the command is still to come.
    case 0x0F where body.count >= 4 && body[body.startIndex] != 0:
      self = .completed(
        opcode: Self.word(body, 2), status: body[body.startIndex], answer: [])
    case 0x10: self = .brokeDown
    case 0x3E: self = .heard(AdvertisingEvent(packet[..<body.endIndex]).reports)
    case 0xFD: self = .adapterChanged
    default: return
    }
  }

  private static func word(_ body: ArraySlice<UInt8>, _ place: Int) -> UInt16 {
    UInt16(body[body.startIndex + place]) | UInt16(body[body.startIndex + place + 1]) << 8
  }
}
