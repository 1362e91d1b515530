import Bytes
import JSON

/// Who may take charge of an alarm by the receiver's answer.
struct GuardianTokens: Hashable, Sendable {
  /// What an answer asks for.
  struct Claim: Hashable, Sendable {
    /// The alarm's id or tag.
    var alarm: String
    /// The guardian's id.
    var guardian: String
    /// What proves it.
    var token: String
  }

  /// The most bytes of an answer that are looked at.
  static let maximumAnswerBytes = 16_384

  private let tokens: [String: [UInt8]]

  /// Tokens by guardian.
  init(_ tokens: [String: String]) { self.tokens = tokens.mapValues { Array($0.utf8) } }

  /// Whether anybody may.
  var isEmpty: Bool { tokens.isEmpty }

  /// The claim in an answer `{"acknowledge": {"alarm", "guardian", "token"}}`; nil when the answer says nothing of the
  /// kind, as most do.
  ///
  /// - Throws: ``CareModel/DecodeError`` when it does and a part is missing or out of range.
  static func claim(in body: [UInt8]) throws(DecodeError) -> Claim? {
    guard body.count <= maximumAnswerBytes, let answer = try? JSONValue(parsing: body),
      answer["acknowledge"] != nil
    else { return nil }
    let reader = try JSONReader(answer).object("acknowledge")
    let claim = Claim(
      alarm: try reader.string("alarm"), guardian: try reader.string("guardian"),
      token: try reader.string("token"))
    for (name, text) in [("alarm", claim.alarm), ("guardian", claim.guardian)]
    where !(1...100).contains(text.count) {
      throw reader.error(.outOfRange, name)
    }
    return claim
  }

  /// Whether the token is that guardian's; takes as long for a wrong one as for a right one.
  func permits(_ claim: Claim) -> Bool {
    let given = SHA256.hash(Array(claim.token.utf8))
    // A stranger is compared too, so that the time does not tell who is known.
    let expected = SHA256.hash(tokens[claim.guardian] ?? [])
    let difference = zip(given, expected).reduce(UInt8(0)) { $0 | $1.0 ^ $1.1 }
    return difference == 0 && tokens[claim.guardian] != nil
  }
}
