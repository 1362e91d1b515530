import Bytes
import Testing

@testable import homeward_plugin_webhook

@Suite struct SignatureTests {
  private func hexadecimal(_ bytes: [UInt8]) -> String {
    bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
  }

  /// Source: FIPS 180-4's examples, published by NIST as "SHA256.pdf".
  @Test(arguments: [
    ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
    ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
    (
      "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
      "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
    ),
  ])
  func theStandardsExamplesHash(message: String, expected: String) {
    #expect(hexadecimal(SHA256.hash(Array(message.utf8))) == expected)
  }

  @Test func aMillionLettersHashAsTheStandardSays() {
    let message = [UInt8](repeating: UInt8(ascii: "a"), count: 1_000_000)
    #expect(
      hexadecimal(SHA256.hash(message))
        == "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0")
  }

  /// Source: RFC 4231, test cases 1, 2 and 6.
  @Test func theKeyedHashIsThatOfItsStandard() {
    let cases: [([UInt8], String, String)] = [
      (
        Array(repeating: 0x0B, count: 20), "Hi There",
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
    ]
    for (key, message, expected) in cases {
      #expect(hexadecimal(SHA256.keyedHash(Array(message.utf8), key: key)) == expected)
    }
  }

  @Test func secretsThatAreTooShortOrNoBase64AreNoSecrets() {
    for secret in ["", "short", "whsec_", "whsec_AAAA", "whsec_no base64 at all!!"] {
      #expect(WebhookSignature(secret: secret) == nil, "\(secret)")
    }
  }

  @Test func everyDamagedAnswerIsReadWithoutHarmAndClaimsNothingElse() throws {
    let whole = Array(
      #"{"acknowledge":{"alarm":"A7K2","guardian":"anna","token":"0123456789abcdef"}}"#.utf8)
    let claim = try #require(try GuardianTokens.claim(in: whole))
    let tokens = GuardianTokens(["anna": "0123456789abcdef"])
    #expect(tokens.permits(claim))
    for count in 0..<whole.count {
      #expect((try? GuardianTokens.claim(in: Array(whole.prefix(count)))) == .some(nil))
    }
    for index in whole.indices {
      for bit in 0..<8 {
        var damaged = whole
        damaged[index] ^= 1 << UInt8(bit)
        guard let other = try? GuardianTokens.claim(in: damaged) else { continue }
        let isSamePerson = other.guardian == "anna" && other.token == claim.token
        #expect(tokens.permits(other) == isSamePerson)
      }
    }
  }

  @Test func nobodyHasAnEmptyToken() {
    let tokens = GuardianTokens(["anna": "0123456789abcdef"])
    for (guardian, token) in [("joe", ""), ("", ""), ("anna", "")] {
      #expect(!tokens.permits(.init(alarm: "A7K2", guardian: guardian, token: token)))
    }
  }
}
