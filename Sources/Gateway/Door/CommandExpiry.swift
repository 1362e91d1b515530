import Care
import Moments
import Texts

/// Whether a command still counts, whatever way it came: it must be fit to act on *now*, so that a late, retained or
/// replayed message never acts on tomorrow. Who may ask for what is the business of ``Policy``.
///
/// Three things can show that. A clock: an expiry is judged once the clock is trusted. Whoever brought the command and
/// knows that it was made just now: they say until when by the monotonic clock, which needs nobody's trust. And the
/// command itself, when it names an alarm: that alarm is open, or the engine refuses; no other can be meant. What ends or
/// calms an alarm and names none can mean those alone that were open when it was made, and only for five minutes.
enum CommandExpiry {
  /// The farthest ahead that a plugin's command may expire.
  static let longestLifeMilliseconds: Int64 = 24 * 3600 * 1000
  /// The longest that a plugin's command may count as made just now.
  static let longestFreshMilliseconds: Int64 = 600_000
  /// The longest that a command may be under way to an alarm that it does not name.
  static let longestUnnamedMilliseconds: Int64 = 300_000

  /// Checks what holds at any time, before anything that is known of the command's id is told.
  static func checkForm(of command: Command) throws(CommandReply.Refusal) {
    guard (1...128).contains(command.id.rawValue.utf8.count) else {
      throw CommandReply.Refusal(.invalid, Message("The id of a command has 1 through 128 bytes."))
    }
  }

  /// Checks that a command may act now.
  ///
  /// - Returns: when it was made, for one that means whatever alarm is open; the moment itself for all others.
  static func admit(_ command: Command, at now: Moment) throws(CommandReply.Refusal) -> Tick {
    if let freshUntil = command.freshUntil { try check(freshUntil: freshUntil, at: now.tick) }
    if let expiresAt = command.expiresAt, now.quality.isTrusted {
      try check(expiresAt: expiresAt, of: command, at: now.utc)
    }
    if command.principal.channel == .plugin, command.freshUntil == nil {
      guard command.expiresAt != nil else {
        throw CommandReply.Refusal(
          .expired, Message("A command through a plugin needs \"expiresAt\" or \"freshUntil\"."))
      }
      guard now.quality.isTrusted || namesAnAlarm(command.request) else {
        throw CommandReply.Refusal(
          .notNow,
          Message(
            "The gateway's clock is not set yet, so the command's expiry cannot be judged. Try again soon."
          )
        )
      }
    }
    guard case .alarm(let request) = command.request, request.meansAnyAlarm else { return now.tick }
    let sent = try sendingTime(of: command, at: now)
    guard now.tick.milliseconds(since: sent) <= longestUnnamedMilliseconds else {
      throw CommandReply.Refusal(
        .expired,
        Message(
          "It was sent more than five minutes ago and does not say which alarm it means. Send it again, or name the alarm."
        ))
    }
    return min(sent, now.tick)
  }

  /// When a command was made, on the line of this boot's ticks: as far as anybody vouches for it.
  private static func sendingTime(
    of command: Command, at now: Moment
  ) throws(CommandReply.Refusal) -> Tick {
    if let sent = command.sentTick { return sent }
    if let sent = command.sentAt, now.quality.isTrusted {
      let age = now.utc.milliseconds(since: sent)
      guard age >= -longestUnnamedMilliseconds else {
        throw CommandReply.Refusal(
          .invalid,
          Message("\"sentAt\" lies in the future: check the clock of whoever sends it."))
      }
      return now.tick.advanced(byMilliseconds: -max(0, age))
    }
    // What came over the socket of this machine, or was just said or pressed, is of now.
    if command.principal.channel != .plugin || command.freshUntil != nil { return now.tick }
    throw CommandReply.Refusal(
      .expired,
      Message(
        "Nobody knows which alarm it means: it neither names one nor says when it was sent (\"sentAt\"). Name the alarm."
      ))
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
