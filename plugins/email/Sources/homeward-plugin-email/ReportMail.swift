import Bytes
import JSON
import Moments
import Texts

/// The mail that brings a report: a sentence, and the report as a file.
///
/// - Source: RFC 5322 (head), RFC 2045, 2046 and 2183 (parts), RFC 3834 (`Auto-Submitted`).
struct ReportMail: Hashable, Sendable {
  /// The largest file that is sent, in bytes.
  static let fileBytesAtMost = 1 << 20

  /// Whom it goes to.
  var recipient: MailAddress
  /// What it is called.
  var subject: String
  /// What stands in it.
  var text: String
  /// Its language, as BCP 47 has it.
  var language: String
  /// The file's name.
  var name: String
  /// The report, a PDF.
  var file: [UInt8]
  /// By which it is known: the same for a mail that is sent once more.
  var id: String

  private static let subjectCharacters = 120

  /// Reads what the service `mail.send` is asked.
  ///
  /// - Throws: what is wrong with it.
  init(json: JSONValue) throws(DecodeError) {
    let reader = try JSONReader(json)
    guard let recipient = MailAddress(try reader.string("to")) else {
      throw reader.error(.outOfRange, "to")
    }
    self.recipient = recipient
    subject = try reader.string("subject")
    text = try reader.string("text")
    language = try reader.optionalString("language") ?? "en"
    id = try reader.string("id")
    name = try reader.string("name")
    guard Self.isName(name) else { throw reader.error(.outOfRange, "name") }
    guard let file = Base64.decode(try reader.string("file")),
      file.count <= Self.fileBytesAtMost, file.starts(with: Array("%PDF-".utf8))
    else { throw reader.error(.outOfRange, "file") }
    self.file = file
  }

  /// A name that no mail program takes for anything else.
  private static func isName(_ name: String) -> Bool {
    (1...100).contains(name.utf8.count) && !name.hasPrefix(".")
      && name.utf8.allSatisfy {
        (0x30...0x39).contains($0) || (0x61...0x7A).contains($0) || (0x41...0x5A).contains($0)
          || $0 == 0x2D || $0 == 0x2E
      }
  }

  /// The message, lines ended by CR LF.
  func bytes(
    at moment: Timestamp, from sender: MailAddress, named senderName: String, gateway: String
  ) -> [UInt8] {
    let domain = "\(HeaderText.identifier(gateway)).homeward.invalid"
    let head = [
      "Date: \(HeaderText.date(moment))",
      "From: \(HeaderText.displayName(senderName)) <\(sender.text)>",
      "To: <\(recipient.text)>",
      "Subject: \(HeaderText.encoded(String(subject.prefix(Self.subjectCharacters))))",
      "Message-ID: <\(HeaderText.identifier(id))@\(domain)>",
      "Auto-Submitted: auto-generated",
      "MIME-Version: 1.0",
      "Content-Type: multipart/mixed; boundary=\"\(MailText.boundary)\"",
      "",
      "--\(MailText.boundary)",
    ]
    let fileHead = [
      "--\(MailText.boundary)", "Content-Type: application/pdf; name=\"\(name)\"",
      "Content-Transfer-Encoding: base64",
      "Content-Disposition: attachment; filename=\"\(name)\"", "",
    ]
    let closing = gettext(
      "Sent by Homeward. Nobody reads answers to this e-mail.", in: Language(language))
    return MailText.bytes(head + MailText.textHead)
      + MailText.encodedLines(Array("\(text)\r\n\r\n\(closing)\r\n".utf8))
      + MailText.bytes(fileHead) + MailText.encodedLines(file)
      + MailText.bytes(["--\(MailText.boundary)--"])
  }
}
