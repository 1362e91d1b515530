public import Bytes
public import JSON

/// What the runtime put in the place of a password, of answers, of a code and of a token: no engine and no disk ever sees
/// any of these.
public struct Credentials: Hashable, Sendable {
  /// Whether what was given is right; nil where nothing was given.
  public var isRight: Bool?
  /// The salted hash of a new password.
  public var password: String?
  /// The salted hashes of new answers, in the order of their questions.
  public var answers: [String]
  /// SHA-256 of the token of a new session, in hexadecimal.
  public var token: String?
  /// SHA-256 of a code that is shown, sent or typed in, in hexadecimal.
  public var code: String?
  /// Who somebody is to an identity provider; nil where none was asked.
  public var identity: ProvenIdentity?

  /// Credentials from their parts.
  public init(
    isRight: Bool? = nil, password: String? = nil, answers: [String] = [], token: String? = nil,
    code: String? = nil, identity: ProvenIdentity? = nil
  ) {
    self.isRight = isRight
    self.password = password
    self.answers = answers
    self.token = token
    self.code = code
    self.identity = identity
  }
}

extension Credentials: JSONCodable {
  /// Reads `{isRight?, password?, answers?, token?, code?, identity?}`.
  public init(json: JSONValue) throws(DecodeError) {
    let reader = try JSONReader(json)
    self.init(
      isRight: try reader.optionalBool("isRight"),
      password: try reader.optionalString("password"), answers: try reader.strings("answers"),
      token: try reader.optionalString("token"), code: try reader.optionalString("code"),
      identity: try reader.optional("identity").map { json throws(DecodeError) in
        try ProvenIdentity(json: json)
      })
  }

  /// The credentials as an object; what there is not is left out.
  public var json: JSONValue {
    .object([
      "isRight": isRight.map { .bool($0) }, "password": password.map { .string($0) },
      "answers": answers.isEmpty ? nil : .array(answers.map { .string($0) }),
      "token": token.map { .string($0) }, "code": code.map { .string($0) },
      "identity": identity?.json,
    ])
  }
}
