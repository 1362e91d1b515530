import Care
import Texts

/// What became of what was sent to somebody, in words.
enum DeliveryWords {
  /// One sentence.
  ///
  /// - Parameters:
  ///   - channel: the way that it went; nil for one that is not among those of guardians.
  ///   - who: to whom, as people call them.
  ///   - reason: why it failed; empty where nobody said.
  static func sentence(
    _ outcome: DeliveryReport.Outcome, _ channel: Guardian.Channel?, to who: String, reason: String
  ) -> Message {
    let why = reason.isEmpty ? Message("nobody said why.") : Message(verbatim: reason)
    let values: Message.Values = ["who": who, "reason": why]
    return switch (channel, outcome) {
    case (.sms, .sent): Message("The text message to {who} was sent.", values)
    case (.sms, .delivered): Message("The text message to {who} arrived.", values)
    case (.sms, .failed): Message("The text message to {who} failed: {reason}", values)
    case (.voice, .sent): Message("{who} is being called.", values)
    case (.voice, .delivered): Message("{who} took the call.", values)
    case (.voice, .failed): Message("The call to {who} failed: {reason}", values)
    case (.email, .sent): Message("The e-mail to {who} was sent.", values)
    case (.email, .delivered): Message("The e-mail to {who} arrived.", values)
    case (.email, .failed): Message("The e-mail to {who} failed: {reason}", values)
    case (.push, .sent): Message("The push message to {who} was sent.", values)
    case (.push, .delivered): Message("The push message to {who} arrived.", values)
    case (.push, .failed): Message("The push message to {who} failed: {reason}", values)
    case (nil, .sent): Message("The message to {who} was sent.", values)
    case (nil, .delivered): Message("The message to {who} arrived.", values)
    case (nil, .failed): Message("The message to {who} failed: {reason}", values)
    }
  }

  /// Why nothing can go out on a way that no plugin offers.
  static func noWay(_ channel: Guardian.Channel) -> Message {
    switch channel {
    case .sms: Message("No plugin sends text messages.")
    case .voice: Message("No plugin makes calls.")
    case .email: Message("No plugin sends e-mails.")
    case .push: Message("No plugin sends push messages.")
    }
  }
}
