import Care
import Texts

/// What the runtime put in the place of secrets, for what cannot be done without it.
extension Command {
  /// SHA-256 of a code, in hexadecimal.
  func codeDigest() throws(CommandReply.Refusal) -> String {
    guard let digest = credentials?.code else { throw .notLookedAt }
    return digest
  }

  /// SHA-256 of the token of a new session, in hexadecimal.
  func tokenDigest() throws(CommandReply.Refusal) -> String {
    guard let token = credentials?.token else { throw .notLookedAt }
    return token
  }

  /// The salted hash of a new password.
  func passwordHash() throws(CommandReply.Refusal) -> String {
    guard let hash = credentials?.password else { throw .notLookedAt }
    return hash
  }

  /// Who somebody is to an identity provider.
  func provenIdentity() throws(CommandReply.Refusal) -> ProvenIdentity {
    guard let identity = credentials?.identity else {
      throw CommandReply.Refusal(
        .notNow, Message("It cannot be asked who you are just now. Please try again."))
    }
    return identity
  }
}

extension CommandReply.Refusal {
  /// The runtime could not look at what somebody typed.
  static let notLookedAt = CommandReply.Refusal(
    .notNow, Message("The password cannot be looked at just now. Please try again."))

  /// A code that somebody typed in is shown nowhere.
  static let noCode = CommandReply.Refusal(
    .unknownTarget,
    Message(
      "No page shows this code now. Codes change after ten minutes, and capital letters count."))

  /// The same, with a wrong try that counts although nothing was done.
  func counting(_ wrong: Signal.WrongTry) -> CommandReply.Refusal {
    var refusal = self
    refusal.signals.append(.wrongTry(wrong))
    return refusal
  }
}
