import Testing

@testable import homeward_plugin_webhook

@Suite struct SignatureTests {
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
