import Bytes
public import Care
import Glibc
public import Moments

/// How many different Bluetooth devices were around in some minutes.
public struct CrowdCount: Hashable, Sendable {
  /// When counting began.
  public var began: Moment
  /// When it ended.
  public var ended: Moment
  /// About how many addresses were heard.
  public var count: Int
  /// Whether there were more than can be counted; ``count`` is then the least number.
  public var isSaturated: Bool
}

/// Counts the devices around without being able to tell any of them again.
///
/// Each address is hashed with a salt that the caller draws at random for each window, and sets one bit in a map of 2 KiB:
/// neither the address nor its hash is kept, one bit stands for very many addresses, and map and salt are wiped when the
/// window ends. Nothing is stored; after a restart counting begins anew. The number follows from how many bits are still
/// clear, within about 2 % up to 2,000 devices. Phones change their address every 15 minutes or so, so that one may count
/// twice in a window in which it does.
///
/// - Source: Whang, Vander-Zanden, Taylor, "A Linear-Time Probabilistic Counting Algorithm", ACM TODS 15 (1990).
public struct CrowdCounter: Hashable, Sendable {
  /// Seconds of a window.
  public static let windowSeconds: Int64 = 300
  /// Bits of the map.
  static let bitCount = 16_384
  /// The least length of a salt in bytes.
  public static let saltBytes = 16

  var bits = [UInt64](repeating: 0, count: bitCount / 64)
  private var salt: [UInt8] = []
  private var began: Moment?

  /// A counter that waits for its first salt.
  public init() {}

  /// When the window ends and ``roll(salt:at:)`` is due; nil before the first salt.
  public var nextWake: Tick? {
    began?.tick.advanced(byMilliseconds: Self.windowSeconds * 1000)
  }

  /// Notes an address; nothing happens before the first salt.
  public mutating func note(_ address: BluetoothAddress) {
    guard began != nil else { return }
    let kind: UInt8 = address.kind == .public ? 0 : 1
    let hash = SHA256.keyedHash(address.octets + [kind], key: salt)
    let place = hash.prefix(2).reduce(0) { $0 << 8 | Int($1) } % Self.bitCount
    bits[place / 64] |= 1 << UInt64(place % 64)
  }

  /// Ends the window, wipes it, and begins the next with a fresh salt.
  ///
  /// - Parameter salt: random bytes of the system, at least ``saltBytes``; with fewer, counting stops until the next.
  /// - Returns: the count; nil when no window was open.
  public mutating func roll(salt: [UInt8], at now: Moment) -> CrowdCount? {
    let counted = began.map { began in
      let clear = bits.reduce(0) { $0 + $1.nonzeroBitCount.distance(to: 64) }
      return CrowdCount(
        began: began, ended: now, count: Self.estimate(clear: clear), isSaturated: clear == 0)
    }
    bits = [UInt64](repeating: 0, count: Self.bitCount / 64)
    self.salt = salt.count >= Self.saltBytes ? salt : []
    began = self.salt.isEmpty ? nil : now
    return counted
  }

  private static func estimate(clear: Int) -> Int {
    let share = Double(max(1, clear)) / Double(bitCount)
    return Int((-Double(bitCount) * log(share)).rounded())
  }
}
