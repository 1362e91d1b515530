import Bytes
import Moments

/// The three headers by which a receiver knows that a request is ours, whole and of now.
///
/// - Source: Standard Webhooks 1.0.0, "Signature scheme".
struct WebhookSignature: Hashable, Sendable {
  private static let secretPrefix = "whsec_"

  private let key: [UInt8]

  /// A signer; a secret that starts with `whsec_` is Base64, any other is taken as its bytes.
  ///
  /// Returns nil when what follows `whsec_` is no Base64, or the key has fewer than 16 bytes.
  init?(secret: String) {
    if secret.hasPrefix(Self.secretPrefix) {
      guard let key = Base64.decode(secret.dropFirst(Self.secretPrefix.count)) else { return nil }
      self.key = key
    } else {
      key = Array(secret.utf8)
    }
    guard key.count >= 16 else { return nil }
  }

  /// Lines of the head for one request.
  func headers(id: String, at time: Timestamp, body: [UInt8]) -> [String] {
    let seconds = time.milliseconds / 1000
    let signed = Array("\(id).\(seconds).".utf8) + body
    let signature = Base64.encode(SHA256.keyedHash(signed, key: key))
    return [
      "webhook-timestamp: \(seconds)",
      "webhook-signature: v1,\(String(decoding: signature, as: UTF8.self))",
    ]
  }

  /// The id of a request that carries more than one event: the same bytes have the same.
  static func batchID(_ body: [UInt8]) -> String {
    let digits = SHA256.hash(body).prefix(16).map { byte in
      (byte < 16 ? "0" : "") + String(byte, radix: 16)
    }
    return "batch-" + digits.joined()
  }
}
