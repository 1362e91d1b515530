import Texts

/// What is answered to people who reply.
enum ReplyWords {
  /// After so long a reply means an alarm that is over: 12 hours, more than any error of a network's time zone.
  static let oldMilliseconds: Int64 = 12 * 3_600_000
  /// By how much a message centre's clock may lag behind the gateway's, in milliseconds.
  static let clockDoubtMilliseconds: Int64 = 30_000

  /// What to reply.
  static func explanation(_ language: String) -> String {
    gettext("Homeward: to say that you are going, reply 1.", in: Language(language))
  }

  /// A reply that came too late.
  static func tooOld(_ language: String) -> String {
    gettext(
      "Homeward: your reply came too late. If there is an alarm now, reply 1 again.",
      in: Language(language))
  }

  /// A reply that the gateway did not take, and why.
  static func refused(_ language: String, _ reason: String) -> String {
    let spoken = Language(language)
    let text = gettext(
      "Homeward: your reply was not taken: {reason}", ["reason": reason], in: spoken)
    // One message: 140 letters of GSM, or 67 of any script.
    return String(text.prefix(spoken == .en ? 140 : 67))
  }
}
