import Bytes

/// A Bluetooth device address of 48 bits, with how it was assigned.
///
/// - Source: Bluetooth Core Specification 5.4, volume 6, part B, section 1.3.
public struct BluetoothAddress: Hashable, Sendable, Comparable {
  /// How an address was assigned.
  public enum Kind: String, Hashable, Sendable, CaseIterable {
    /// Registered with the IEEE: the device's for good.
    case `public`
    /// Drawn by the device; it may change at any time.
    case random
  }

  /// What the two highest bits of a random address say.
  public enum RandomKind: Hashable, Sendable {
    /// The same until the device is powered off.
    case `static`
    /// Changes; who knows the device's identity resolving key can tell whose it is.
    case resolvablePrivate
    /// Changes; nobody can tell whose it is.
    case nonResolvablePrivate
    /// Reserved for future use.
    case reserved
  }

  /// The address as a number below 2⁴⁸; its highest octet is written first.
  public let bits: UInt64
  /// How it was assigned.
  public let kind: Kind

  /// An address; nil above 48 bits.
  public init?(bits: UInt64, kind: Kind = .public) {
    guard bits < 1 << 48 else { return nil }
    self.bits = bits
    self.kind = kind
  }

  /// An address from six octets as they are sent: the lowest first; nil with another count.
  public init?(octets: some Collection<UInt8>, kind: Kind = .public) {
    guard octets.count == 6 else { return nil }
    var bits: UInt64 = 0
    for (place, octet) in octets.enumerated() { bits |= UInt64(octet) << (8 * place) }
    self.bits = bits
    self.kind = kind
  }

  /// An address as written, `C0:11:22:33:44:55`, in either case; nil when it is none.
  public init?(_ text: some StringProtocol, kind: Kind = .public) {
    let parts = text.split(separator: ":", omittingEmptySubsequences: false)
    guard parts.count == 6, parts.allSatisfy({ $0.utf8.count == 2 }),
      let octets = Hexadecimal.bytes(parts.joined())
    else { return nil }
    self.init(octets: octets.reversed(), kind: kind)
  }

  /// Six octets as they are sent: the lowest first.
  public var octets: [UInt8] { (0..<6).map { UInt8(truncatingIfNeeded: bits >> (8 * $0)) } }

  /// The address as written, in capitals: `C0:11:22:33:44:55`.
  public var text: String {
    octets.reversed().map { Hexadecimal.text([$0]).uppercased() }.joined(separator: ":")
  }

  /// What kind of random address it is; nil for a public one.
  public var randomKind: RandomKind? {
    guard kind == .random else { return nil }
    return switch bits >> 46 {
    case 0b11: .static
    case 0b01: .resolvablePrivate
    case 0b00: .nonResolvablePrivate
    default: .reserved
    }
  }

  /// Whether the device keeps this address, so that it may stand for the device.
  public var isLasting: Bool { kind == .public || randomKind == .static }

  /// By number, public before random.
  public static func < (one: Self, other: Self) -> Bool {
    (one.bits, one.kind == .public ? 0 : 1) < (other.bits, other.kind == .public ? 0 : 1)
  }
}

extension BluetoothAddress: CustomStringConvertible {
  /// The address as written.
  public var description: String { text }
}
