public import Advertisements
public import Bytes
import CMbedCrypto

/// Computes with Mbed TLS what keys are needed for in advertisements.
///
/// - Source: FIPS 197 (AES); RFC 3610 (CCM).
public struct MbedCipher: AdvertisementCipher {
  /// A cipher; it keeps nothing.
  public init() {}

  /// One block of 16 bytes, encrypted with AES.
  public func encrypt(_ block: [UInt8], key: AES128Key) -> [UInt8]? {
    guard block.count == 16 else { return nil }
    var encrypted = [UInt8](repeating: 0, count: 16)
    return homeward_aes_block(key.bytes, block, &encrypted) == 1 ? encrypted : nil
  }

  /// What was encrypted with AES in CCM mode; nil when the check does not fit, or a length is none of CCM's.
  public func unseal(
    _ cipherText: [UInt8], check: [UInt8], nonce: [UInt8], key: AES128Key
  ) -> [UInt8]? {
    guard cipherText.count <= 0xFFFF else { return nil }
    var plain = [UInt8](repeating: 0, count: cipherText.count)
    let isOpen = homeward_ccm_open(
      key.bytes, nonce, nonce.count, cipherText, cipherText.count, check, check.count, &plain)
    return isOpen == 1 ? plain : nil
  }
}
