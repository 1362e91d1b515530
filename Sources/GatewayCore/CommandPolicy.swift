import CareModel
import Texts

/// The one place where commands are admitted, whatever way they came.
///
/// Which plugin may hand in which action is decided by the owner's grants in the plugin host; here every command must
/// be fit to act on *now*, so that a late, retained or replayed message never acts on tomorrow.
///
/// Three things can show that. A clock: an expiry is judged once the clock is trusted. Whoever brought the command and
/// knows that it was made just now: they say until when by the monotonic clock, which needs nobody's trust. And the
/// command itself, when it names an alarm: that alarm is open, or the engine refuses; no other can be meant.
enum CommandPolicy {
  /// The farthest ahead that a plugin's command may expire.
  static let longestLifeMilliseconds: Int64 = 24 * 3600 * 1000
  /// The longest that a plugin's command may count as made just now.
  static let longestFreshMilliseconds: Int64 = 600_000

  static func check(_ command: Command, at now: Moment) throws(CommandReply.Refusal) {
    guard (1...128).contains(command.id.rawValue.utf8.count) else {
      throw CommandReply.Refusal(.invalid, Message("The id of a command has 1 through 128 bytes."))
    }
    if let freshUntil = command.freshUntil { try check(freshUntil: freshUntil, at: now.tick) }
    if let expiresAt = command.expiresAt, now.quality.isTrusted {
      try check(expiresAt: expiresAt, of: command, at: now.utc)
    }
    guard command.principal.channel == .plugin, command.freshUntil == nil else { return }
    guard command.expiresAt != nil else {
      throw CommandReply.Refusal(
        .expired, Message("A command through a plugin needs \"expiresAt\" or \"freshUntil\"."))
    }
    guard now.quality.isTrusted || namesAnAlarm(command.request) else {
      throw CommandReply.Refusal(
        .expired,
        Message(
          "The gateway's clock is not set yet, so the command's expiry cannot be judged. Try again soon."
        )
      )
    }
  }

  private static func check(freshUntil: Tick, at now: Tick) throws(CommandReply.Refusal) {
    guard now < freshUntil else {
      throw CommandReply.Refusal(
        .expired, Message("The command came too late to act on. Send it again."))
    }
    guard freshUntil.milliseconds(since: now) <= longestFreshMilliseconds else {
      throw CommandReply.Refusal(
        .invalid, Message("\"freshUntil\" may be at most ten minutes ahead."))
    }
  }

  private static func check(
    expiresAt: Timestamp, of command: Command, at now: Timestamp
  ) throws(CommandReply.Refusal) {
    guard now < expiresAt else {
      throw CommandReply.Refusal(
        .expired,
        Message("The command expired at {time}. Send it again.", ["time": expiresAt.iso8601]))
    }
    guard
      expiresAt.milliseconds(since: now) <= longestLifeMilliseconds
        || command.principal.channel != .plugin
    else {
      throw CommandReply.Refusal(.invalid, Message("A command may expire at most 24 hours ahead."))
    }
  }

  /// Whether a command acts on one alarm, by id or tag, and on no other that may come.
  private static func namesAnAlarm(_ request: Command.Request) -> Bool {
    switch request {
    case .alarm(.acknowledge(let alarm, _)), .alarm(.resolve(let alarm, _, _)):
      !(alarm ?? "").isEmpty
    default: false
    }
  }
}
