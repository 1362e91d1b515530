// SPDX-License-Identifier: GPL-2.0-or-later
import Advertisements
import Care

/// Puts together what a controller reports in pieces: advertisements of Bluetooth 5 may be longer than an event.
struct Fragments {
  private struct Sender: Hashable {
    var address: BluetoothAddress
    var set: UInt8?
  }

  /// The longest chain of advertisements; Bluetooth Core Specification 5.4, volume 4, part E, section 7.8.54.
  private static let mostBytes = 1650
  /// Senders of which a piece is kept at the same time.
  private static let mostSenders = 32

  private var open: [Sender: [UInt8]] = [:]

  /// Takes a report; answers all the bytes that were sent, or nil while more follow.
  ///
  /// What a controller has lost the end of is whole up to there.
  mutating func take(_ report: AdvertisingReport, from address: BluetoothAddress) -> [UInt8]? {
    // Those of Bluetooth 4 come whole.
    guard !report.properties.contains(.legacy) else { return report.bytes }
    let sender = Sender(address: address, set: report.setID)
    let bytes = (open.removeValue(forKey: sender) ?? []) + report.bytes
    guard report.completeness == .moreFollows, bytes.count < Self.mostBytes else {
      return Array(bytes.prefix(Self.mostBytes))
    }
    if open.count >= Self.mostSenders { open = [:] }
    open[sender] = bytes
    return nil
  }
}
