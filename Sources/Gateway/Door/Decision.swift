public import Care
import Texts

/// What the door decided.
public enum Decision: Hashable, Sendable {
  /// It may be done.
  case allowed
  /// It may be done by whoever shows one of these as well.
  case needsProof(Set<Asking.Proof>)
  /// It may not be done.
  case refused(CommandReply.Refusal)

  /// Whether it may be done as it was asked.
  public func isAllowed(with proof: Asking.Proof?) -> Bool {
    switch self {
    case .allowed: true
    case .needsProof(let proofs): proof.map(proofs.contains) ?? false
    case .refused: false
    }
  }

  /// Why it may not be done as it was asked; nil when it may.
  public func refusal(with proof: Asking.Proof?) -> CommandReply.Refusal? {
    guard !isAllowed(with: proof) else { return nil }
    switch self {
    case .refused(let refusal): return refusal
    case .needsProof(let proofs) where proofs.contains(.confirmation):
      return CommandReply.Refusal(
        .unconfirmed,
        Message(
          "This takes away what calls for help. If you mean it, confirm it within five minutes."))
    case .needsProof, .allowed: break
    }
    return CommandReply.Refusal(
      .forbidden,
      Message(
        "This takes away what calls for help, so it needs a second proof: confirm it with a caregiver's PIN, or do it on the gateway itself."
      ))
  }

  /// Both have to allow it.
  func and(_ other: @autoclosure () -> Decision) -> Decision {
    switch self {
    case .refused: return self
    case .allowed: return other()
    case .needsProof(let proofs):
      switch other() {
      case .allowed: return self
      case .needsProof(let others): return .needsProof(proofs.intersection(others))
      case .refused(let refusal): return .refused(refusal)
      }
    }
  }

  /// Somebody who may not do it at all.
  static let forbidden = Decision.refused(
    CommandReply.Refusal(
      .forbidden,
      Message("You may not see or do this. Ask whoever keeps this gateway to allow it.")))

  /// Nobody is logged in who would be asked for.
  static let loggedOut = Decision.refused(.loggedOut)

  /// A plugin that lacks a grant.
  static func notGranted(_ grant: String) -> Decision {
    .refused(
      CommandReply.Refusal(
        .forbidden,
        Message(
          "The plugin has no grant {grant}. Its manifest asks for it, and the configuration of this gateway gives it.",
          ["grant": grant])))
  }

  /// A plugin that speaks for nobody whom the door knows.
  static let neverByPlugin = Decision.refused(
    CommandReply.Refusal(
      .forbidden,
      Message(
        "This takes away what calls for help, and a plugin may not do that by itself. Do it on the gateway, with the homeward command."
      )))
}

extension CommandReply.Refusal {
  /// Nobody is logged in by the session that was handed in, or none was.
  public static let loggedOut = CommandReply.Refusal(
    .loggedOut, Message("Nobody is logged in here. Please log in again."))
}
