import CareModel
import Texts

/// The one place where commands are admitted, whatever way they came.
///
/// Which plugin may hand in which action is decided by the owner's grants in the plugin host; here every command must
/// be fit to act on *now*, so that a late, retained or replayed message never acts on tomorrow.
enum CommandPolicy {
  /// The farthest ahead that a plugin's command may expire.
  static let longestLifeMilliseconds: Int64 = 24 * 3600 * 1000

  static func check(_ command: Command, at now: Moment) throws(CommandReply.Refusal) {
    guard (1...128).contains(command.id.rawValue.utf8.count) else {
      throw CommandReply.Refusal(.invalid, Message("The id of a command has 1 through 128 bytes."))
    }
    guard let expiresAt = command.expiresAt else {
      if command.principal.channel == .plugin {
        throw CommandReply.Refusal(
          .expired, Message("A command through a plugin needs \"expiresAt\"."))
      }
      return
    }
    guard now.quality.isTrusted || command.principal.channel != .plugin else {
      throw CommandReply.Refusal(
        .expired,
        Message(
          "The gateway's clock is not set yet, so the command's expiry cannot be judged. Try again soon."
        )
      )
    }
    guard now.utc < expiresAt || !now.quality.isTrusted else {
      throw CommandReply.Refusal(
        .expired,
        Message("The command expired at {time}. Send it again.", ["time": expiresAt.iso8601]))
    }
    guard
      expiresAt.milliseconds(since: now.utc) <= longestLifeMilliseconds
        || command.principal.channel != .plugin
    else {
      throw CommandReply.Refusal(.invalid, Message("A command may expire at most 24 hours ahead."))
    }
  }
}
