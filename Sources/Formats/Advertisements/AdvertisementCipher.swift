public import Bytes
public import Care

/// Who computes what keys are needed for; the codecs themselves know no cipher.
public protocol AdvertisementCipher: Sendable {
  /// One block of 16 bytes, encrypted with AES.
  ///
  /// - Returns: 16 bytes; nil when the block has another length.
  func encrypt(_ block: [UInt8], key: AES128Key) -> [UInt8]?

  /// What was encrypted with AES in CCM mode, without further data.
  ///
  /// - Parameters:
  ///   - cipherText: what is encrypted.
  ///   - check: the check that was sent with it, 4 through 16 bytes.
  ///   - nonce: 7 through 13 bytes that no other message with this key has.
  ///   - key: the key.
  /// - Returns: as many bytes as went in; nil when the check does not fit.
  func unseal(_ cipherText: [UInt8], check: [UInt8], nonce: [UInt8], key: AES128Key) -> [UInt8]?
}

extension BluetoothAddress {
  /// Whether a device with this identity resolving key made this address.
  ///
  ///     bits    47.46  45.........24  23......0
  ///     field   01     random         hash
  ///
  /// The hash is the lowest 24 bits of the random half encrypted. One foreign address in 16 million fits by chance.
  ///
  /// - Source: Bluetooth Core Specification 5.4, volume 3, part H, section 2.2.2; volume 6, part B, section 1.3.2.3.
  public func isResolved(by key: AES128Key, with cipher: some AdvertisementCipher) -> Bool {
    guard randomKind == .resolvablePrivate else { return false }
    let random = (3..<6).reversed().map { UInt8(truncatingIfNeeded: bits >> (8 * $0)) }
    let block = [UInt8](repeating: 0, count: 13) + random
    guard let encrypted = cipher.encrypt(block, key: key) else { return false }
    return encrypted.suffix(3).bigEndian == bits & 0xFF_FFFF
  }
}
