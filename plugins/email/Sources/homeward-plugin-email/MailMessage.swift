import Care
import Moments
import Texts

/// The mail that tells a guardian about an alarm.
///
/// - Source: RFC 5322 (head), RFC 2045 and 2046 (parts), RFC 3834 (`Auto-Submitted`).
struct MailMessage: Hashable, Sendable {
  private static let subjectCharacters = 120

  /// What the alarm says.
  var message: AlarmMessage
  /// Whom it comes from.
  var sender: MailAddress
  /// The name beside the sender's address.
  var senderName: String
  /// Whom it goes to.
  var recipient: MailAddress
  /// The gateway, for the message's id.
  var gateway: String
  /// A JPEG picture.
  var photo: [UInt8]?
  /// Whether there should have been a picture.
  var lacksPhoto = false

  /// The message, lines ended by CR LF.
  func bytes(at moment: Timestamp) -> [UInt8] {
    var lines = [
      "Date: \(HeaderText.date(moment))",
      "From: \(HeaderText.displayName(senderName)) <\(sender.text)>",
      "To: <\(recipient.text)>",
      "Subject: \(HeaderText.encoded(subject))",
      "Message-ID: <\(identifier)>",
      "References: <\(thread)>",
      "Auto-Submitted: auto-generated",
      "MIME-Version: 1.0",
    ]
    if ![.test, .news].contains(message.notice) { lines += ["Importance: high", "X-Priority: 1"] }
    guard let photo else {
      return MailText.bytes(lines + MailText.textHead) + MailText.encodedLines(body)
    }
    lines += ["Content-Type: multipart/mixed; boundary=\"\(MailText.boundary)\"", ""]
    return MailText.bytes(lines + ["--\(MailText.boundary)"] + MailText.textHead)
      + MailText.encodedLines(body)
      + MailText.bytes(["--\(MailText.boundary)"] + Self.photoHead) + MailText.encodedLines(photo)
      + MailText.bytes(["--\(MailText.boundary)--"])
  }

  /// The same for the same attempt, so that mail programs show it once.
  var identifier: String {
    let parts = [
      message.alarm.rawValue, message.notice.rawValue, message.guardian.rawValue,
      String(message.attempt),
    ]
    return parts.map(HeaderText.identifier).joined(separator: ".") + "@\(domain)"
  }

  /// What all mails about an alarm refer to, so that mail programs show them together.
  private var thread: String { "\(HeaderText.identifier(message.alarm.rawValue))@\(domain)" }

  private var domain: String { "\(HeaderText.identifier(gateway)).homeward.invalid" }

  /// The first sentence and the alarm's tag; news have none.
  private var subject: String {
    let text = message.text
    var end = text.endIndex
    for stop in [". ", "。", "\n"] {
      if let range = text.firstRange(of: stop), range.lowerBound < end { end = range.lowerBound }
    }
    let sentence = text[..<end].prefix(Self.subjectCharacters)
    return message.tag.isEmpty ? String(sentence) : "\(sentence) [\(message.tag)]"
  }

  private var body: [UInt8] {
    let language = Language(message.language)
    var paragraphs = [message.text]
    if lacksPhoto {
      paragraphs.append(
        gettext(
          "There is a photo that could not be attached. Ask the gateway for it.", in: language))
    }
    // What to do stands in the text: the gateway knows by which ways this guardian can answer.
    paragraphs.append(
      gettext("Sent by Homeward. Nobody reads answers to this e-mail.", in: language))
    return Array(paragraphs.joined(separator: "\r\n\r\n").utf8) + [0x0D, 0x0A]
  }

  private static let photoHead = [
    "Content-Type: image/jpeg; name=\"photo.jpg\"", "Content-Transfer-Encoding: base64",
    "Content-Disposition: attachment; filename=\"photo.jpg\"", "",
  ]
}
