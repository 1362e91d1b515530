import Bytes
import Testing

@Suite("SHA-256")
struct SHA256Tests {
  /// - Source: FIPS 180-4's examples, published by NIST as "SHA256.pdf" and "SHA2_Additional.pdf".
  @Test(
    "The standard's examples have their hashes",
    arguments: [
      ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
      ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
      (
        "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
        "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
      ),
      (
        "abcdefghbcdefghicdefghijdefghijkefghijklfghijklmghijklmn"
          + "hijklmnoijklmnopjklmnopqklmnopqrlmnopqrsmnopqrstnopqrstu",
        "cf5b16a778af8380036ce59e7b0492370b249b11e8f07a51afac45037afee9d1"
      ),
    ])
  func examples(message: String, expected: String) {
    #expect(Hexadecimal.text(SHA256.hash(Array(message.utf8))) == expected)
  }

  /// - Source: FIPS 180-2, appendix B.3.
  @Test("A million letters have the hash that the standard says")
  func long() {
    #expect(
      Hexadecimal.text(SHA256.hash([UInt8](repeating: 0x61, count: 1_000_000)))
        == "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0")
  }

  /// The hash of the hashes of all of them, as Python's hashlib has it.
  @Test("Messages that end anywhere in a block have the hashes that another program gives them")
  func lengths() {
    let hashes = (0..<200).flatMap { length in
      SHA256.hash((0..<length).map { UInt8(truncatingIfNeeded: $0 * 7 + length) })
    }
    #expect(
      Hexadecimal.text(SHA256.hash(hashes))
        == "8c7c9ff69da76fc28823a1cb97268672663e628e1ea955868b16db46bab0545d")
  }

  /// - Source: RFC 4231, test cases 1, 2, 6 and 7.
  @Test(
    "The keyed hash is that of its standard",
    arguments: [
      (
        [UInt8](repeating: 0x0B, count: 20), "Hi There",
        "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7"
      ),
      (
        Array("Jefe".utf8), "what do ya want for nothing?",
        "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843"
      ),
      (
        Array(repeating: 0xAA, count: 131),
        "Test Using Larger Than Block-Size Key - Hash Key First",
        "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54"
      ),
      (
        Array(repeating: 0xAA, count: 131),
        "This is a test using a larger than block-size key and a larger than block-size data. "
          + "The key needs to be hashed before being used by the HMAC algorithm.",
        "9b09ffa71b942fcb27635fbcd5b0e944bfdc63644f0713938a7f51535c3a35e2"
      ),
    ])
  func keyed(key: [UInt8], message: String, expected: String) {
    #expect(Hexadecimal.text(SHA256.keyedHash(Array(message.utf8), key: key)) == expected)
  }

  /// The hash of the hashes of all of them, as Python's hmac has it.
  @Test("Keys up to a block, of one and longer, are taken as another program takes them")
  func keys() {
    let hashes = (0..<140).flatMap { length in
      SHA256.keyedHash(
        Array("message".utf8),
        key: (0..<length).map { UInt8(truncatingIfNeeded: $0 * 11 + length) })
    }
    #expect(
      Hexadecimal.text(SHA256.hash(hashes))
        == "87245a3a9ba72cde864c4d2042a6a2f88bf5d17dd3f07fcf36a577841789c26a")
  }
}
