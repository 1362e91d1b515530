import BluetoothKeys
import Bytes
import Care

/// The other side of an encrypted BTHome frame, which Homeward itself never needs: it writes the check.
///
///     offset  0    1..3    4     (5..10)  5 or 11..  n-8..n-5  n-4..n-1
///     field   len  16d2fc  info  address  sealed     counter   check
///
/// - Source: bthome.io/encryption; RFC 3610 with a check of 4 bytes and a nonce of 13.
enum SealedFrame {
  /// Who sends the samples; the address that bthome.io publishes its example for.
  static let sender = BluetoothAddress(bits: 0x5448_E68F_80A5)
  private static let key = AES128Key("231d39c1d7cc1ab1aee224cd096db932")
  private static let cipher = MbedCipher()

  /// A whole structure with objects sealed under counter 1, in hexadecimal.
  static func text(info: UInt8, objects: [UInt8]) -> String {
    let address = info & 2 == 0 ? [] : sender?.octets ?? []
    let counter: [UInt8] = [1, 0, 0, 0]
    let frame = [0, 0x16, 0xD2, 0xFC, info] + address + objects + counter + [0, 0, 0, 0]
    // What is sealed twice is open, since a stream of bits is added.
    return Hexadecimal.text(withCheck(opened(frame) ?? frame))
  }

  /// The same structure with its length and its check put right, whatever else is in it.
  static func withCheck(_ bytes: [UInt8]) -> [UInt8] {
    guard let parts = Parts(bytes), let plain = added(parts.sealed, parts.nonce),
      let check = check(plain, parts.nonce)
    else { return bytes }
    var bytes = Array(bytes.dropLast(4)) + check
    bytes.replaceSubrange(0..<4, with: [UInt8(bytes.count - 1), 0x16, 0xD2, 0xFC])
    return bytes
  }

  private static func opened(_ bytes: [UInt8]) -> [UInt8]? {
    guard let parts = Parts(bytes), let other = added(parts.sealed, parts.nonce) else { return nil }
    return Array(bytes.prefix(parts.start)) + other + bytes.suffix(8)
  }

  private struct Parts {
    var start: Int
    var sealed: [UInt8]
    var nonce: [UInt8]

    init?(_ bytes: [UInt8]) {
      guard (13..<256).contains(bytes.count), let sender else { return nil }
      let hasAddress = bytes[4] & 2 != 0
      start = hasAddress ? 11 : 5
      guard bytes.count >= start + 8 else { return nil }
      let address = hasAddress ? Array(bytes[5..<11]) : sender.octets
      sealed = Array(bytes[start..<bytes.count - 8])
      nonce = address.reversed() + [0xD2, 0xFC, bytes[4]] + bytes.suffix(8).prefix(4)
    }
  }

  /// Bytes with the cipher's stream added to them.
  private static func added(_ bytes: [UInt8], _ nonce: [UInt8]) -> [UInt8]? {
    var result = bytes
    for start in stride(from: 0, to: bytes.count, by: 16) {
      guard let stream = stream(start / 16 + 1, nonce) else { return nil }
      for place in start..<min(start + 16, bytes.count) { result[place] ^= stream[place - start] }
    }
    return result
  }

  private static func stream(_ number: Int, _ nonce: [UInt8]) -> [UInt8]? {
    key.flatMap { cipher.encrypt([1] + nonce + [0, UInt8(number)], key: $0) }
  }

  private static func check(_ plain: [UInt8], _ nonce: [UInt8]) -> [UInt8]? {
    guard let key, let first = stream(0, nonce) else { return nil }
    let padding = [UInt8](repeating: 0, count: (16 - plain.count % 16) % 16)
    let blocks = [9] + nonce + [0, UInt8(plain.count)] + plain + padding
    var sum = [UInt8](repeating: 0, count: 16)
    for start in stride(from: 0, to: blocks.count, by: 16) {
      for place in 0..<16 { sum[place] ^= blocks[start + place] }
      guard let next = cipher.encrypt(sum, key: key) else { return nil }
      sum = next
    }
    return zip(sum, first).prefix(4).map { $0 ^ $1 }
  }
}
