import Bytes

/// The SHA-256 of a certificate, by which people compare what a device shows with what the gateway has.
public struct CertificateFingerprint: Hashable, Sendable {
  /// The digest in pairs, as telephones show it, such as `81:F0:A3`.
  public let grouped: String

  /// From the digest in hexadecimal.
  public init(digest: String) {
    let letters = Array(digest.uppercased())
    grouped = stride(from: 0, to: letters.count, by: 2).map {
      String(letters[$0..<min($0 + 2, letters.count)])
    }.joined(separator: ":")
  }

  /// Of the first certificate in a PEM file (RFC 7468); nil where there is none.
  public init?(pem text: String) {
    let lines = text.split(whereSeparator: \.isNewline)
    guard let begin = lines.firstIndex(of: "-----BEGIN CERTIFICATE-----"),
      let end = lines[begin...].firstIndex(of: "-----END CERTIFICATE-----"),
      let bytes = Base64.decode(lines[(begin + 1)..<end].joined()), !bytes.isEmpty
    else { return nil }
    self.init(digest: Hexadecimal.text(SHA256.hash(bytes)))
  }
}
