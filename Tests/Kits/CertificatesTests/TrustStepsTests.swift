import Testing

@testable import Certificates

@Suite struct TrustStepsTests {
  @Test(
    "A browser's device is known by what it says of itself",
    arguments: [
      ("Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 Safari", .iOS),
      ("Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) FxiOS/127.0", .iOS),
      ("Mozilla/5.0 (Linux; Android 14; Pixel 8) Chrome/126.0 Mobile Safari/537.36", .android),
      ("Mozilla/5.0 (Android 14; Mobile; rv:127.0) Gecko/127.0 Firefox/127.0", .android),
      ("Mozilla/5.0 (Windows NT 10.0; Win64; x64) Chrome/126.0 Edg/126.0", .windows),
      ("Mozilla/5.0 (Windows NT 10.0; rv:127.0) Gecko/20100101 Firefox/127.0", .other),
      ("Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) Version/17.5 Safari/605.1.15", .macOS),
      ("Mozilla/5.0 (X11; CrOS x86_64) Chrome/126.0", .other), ("curl/8.5.0", nil), ("", nil),
    ] as [(String, TrustSteps.System?)])
  func systems(userAgent: String, expected: TrustSteps.System?) {
    #expect(TrustSteps.System(userAgent: userAgent) == expected)
  }

  @Test("Each kind of device has its steps, once")
  func all() {
    #expect(TrustSteps.all.map(\.system) == [.iOS, .android, .windows, .macOS, .other])
    #expect(TrustSteps.all.allSatisfy { !$0.steps.isEmpty })
  }

  @Test(
    "What is no certificate has no fingerprint",
    arguments: [
      "", "-----BEGIN CERTIFICATE-----\n-----END CERTIFICATE-----",
      "-----BEGIN CERTIFICATE-----\nYQ==\n",
      "-----BEGIN CERTIFICATE-----\n!\n-----END CERTIFICATE-----",
    ])
  func none(text: String) { #expect(CertificateFingerprint(pem: text) == nil) }

  @Test("A fingerprint stands in pairs, and the text around a certificate does not count")
  func grouped() {
    let pem = "CN=x\r\n-----BEGIN CERTIFICATE-----\r\nYW\r\nJj\r\n-----END CERTIFICATE-----\r\n"
    // The SHA-256 of "abc" in FIPS 180-4.
    #expect(CertificateFingerprint(pem: pem)?.grouped.hasPrefix("BA:78:16:BF:8F:01:CF:EA") == true)
    #expect(CertificateFingerprint(digest: "").grouped == "")
  }
}
