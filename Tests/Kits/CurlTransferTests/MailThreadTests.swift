import CurlTransfer
import JSON
import Loop
import TestSupport
import Testing
import Texts

@Suite(
  .enabled(
    if: PythonPeer.isInstalled && Peer.hasMail && TestAuthority.isInstalled,
    "python3-aiosmtpd or openssl is not installed"))
struct MailThreadTests {
  private let authority: TestAuthority

  init() throws {
    authority = try TestAuthority()
    try authority.issue("server", for: "localhost")
  }

  private static let message = "Subject: help\r\n\r\n.\r\n..two\r\nlast line\r\n"

  /// A mail by a server, without encryption.
  private func mail(
    _ peer: Peer, to recipients: [String] = ["anna@example.org"], scheme: String = "smtp",
    _ message: String = message
  ) -> Mail {
    Mail(
      url: peer.url("%5B127.0.0.1%5D", scheme: scheme, host: "localhost"),
      requiresEncryption: false, username: nil, password: nil, sender: "hub@example.org",
      recipients: recipients, message: Array(message.utf8),
      connection: .toReceiver(authorities: authority.file("ca")))
  }

  private func encrypted(_ peer: Peer, _ login: (String, String)? = nil) -> Mail {
    var mail = mail(peer)
    mail.requiresEncryption = true
    (mail.username, mail.password) = (login?.0, login?.1)
    return mail
  }

  private func send(_ mail: Mail) -> Outcomes {
    let outcomes = Outcomes()
    MailThread.start(prepare: { mail }, completion: { outcomes.add($0) })
    return outcomes
  }

  /// What the server tells of the mail that came.
  private func arrived(_ peer: Peer) throws -> JSONValue {
    try JSONValue(parsing: String(try peer.told("mail ").dropFirst("mail ".count)))
  }

  @Test func aMailArrivesAsItWasGivenAndOnce() throws {
    let peer = try Peer(.mail)
    let recipients = ["anna@example.org", "ben@example.org"]
    #expect(try send(mail(peer, to: recipients)).words() == "answered 250")
    #expect(
      try arrived(peer) == [
        "from": "hub@example.org", "to": ["anna@example.org", "ben@example.org"],
        "host": "[127.0.0.1]", "encrypted": false, "login": .null,
        "content": .string(Self.message),
      ])
    let long = "Subject: long\r\n\r\n" + String(repeating: "0123456789\r\n", count: 20_000)
    #expect(try send(mail(peer, long)).words() == "answered 250")
    #expect(try arrived(peer)["content"] == .string(long))
    #expect(peer.untaken.isEmpty)
  }

  @Test func aLoginGoesOverAnEncryptedConnection() throws {
    let peer = try Peer(.mail, authority, "server")
    #expect(try send(encrypted(peer, ("ann", "right"))).words() == "answered 250")
    let mail = try arrived(peer)
    #expect(mail["encrypted"] == true && mail["login"] == "ann")
    let fromTheFirstByte = try Peer(.mail, authority, "server", isTLS: true)
    #expect(try send(self.mail(fromTheFirstByte, scheme: "smtps")).words() == "answered 250")
    _ = try arrived(fromTheFirstByte)
  }

  @Test func whatTheServerRefusesIsToldWithItsStatusAndNobodyGetsTheMail() throws {
    let peer = try Peer(.mail, authority, "server")
    let cases = [
      (mail(peer, to: ["nobody@example.org"]), "rejected: the receiver refused it (550)"),
      (
        mail(peer, to: ["anna@example.org", "nobody@example.org"]),
        "rejected: the receiver refused it (550)"
      ),
      (mail(peer, "Subject: spam\r\n\r\n"), "rejected: the receiver refused it (554)"),
      (
        encrypted(peer, ("ann", "wrong")),
        "login: the receiver refuses the login; correct user name and password"
      ),
    ]
    for (mail, words) in cases { #expect(try send(mail).words() == words) }
    // Told in order: what would have arrived before, in the clear, would stand here.
    #expect(try send(encrypted(peer)).words() == "answered 250")
    #expect(try arrived(peer)["encrypted"] == true)
  }

  @Test func withoutTheEncryptionThatIsWantedNothingIsSent() throws {
    let plain = try Peer(.mail)
    #expect(
      try send(encrypted(plain, ("ann", "right"))).words()
        == "no-encryption: the receiver offers no encryption, and without it nothing is sent")
    let peer = try Peer(.mail, authority, "server")
    var mail = encrypted(peer, ("ann", "right"))
    mail.connection.authorities = nil
    #expect(
      try send(mail).words().hasPrefix("certificate: the receiver's certificate is not trusted: "))
    mail.connection.authorities = authority.file("server") + ".none"
    #expect(try send(mail).words().hasPrefix("ca-file: "))
    let misread = self.mail(plain, scheme: "smtps")
    #expect(
      try send(misread).words().hasPrefix("encryption: the receiver does not encrypt as it must: "))
    #expect(plain.untaken.isEmpty && peer.untaken.isEmpty)
  }

  @Test func onlyTheSchemesOfMailServersAreSpoken() throws {
    let deaf = try LocalPort.free()
    var mail = mail(try Peer(.mail))
    for scheme in ["http", "imap", "file", "ftp"] {
      mail.url = "\(scheme)://127.0.0.1:\(deaf)/"
      #expect(try send(mail).words().hasPrefix("other: the connection failed: "), "\(scheme)")
    }
    mail.url = "smtp://127.0.0.1:\(deaf)/"
    #expect(try send(mail).words() == "refused: nothing listens at the address in url")
    mail.url = "smtp://127.0.0.1/" + String(repeating: "x", count: 8_000_001)
    #expect(
      try send(mail).words()
        == "other: libcurl does not take the request; is the machine short of memory?")
  }

  @Test func aServerThatSaysNothingHoldsUpOnlyItsOwnMail() throws {
    // A web server does not greet.
    let silent = try Peer(.web)
    let hung = send(mail(silent))
    try silent.told("connected")
    let peer = try Peer(.mail)
    #expect(try send(mail(peer)).words() == "answered 250")
    #expect(hung.remaining.isEmpty)
    var hasty = mail(silent)
    hasty.connection.timeoutMilliseconds = 100
    #expect(try send(hasty).words() == "no-answer: the receiver did not answer in time")
    try silent.end()
    #expect(throws: TransferFault.self) { try hung.answer() }
  }

  @Test func aFaultOfThePreparationIsWhatComesOfTheMail() throws {
    let outcomes = Outcomes()
    let fault = TransferFault(.authorities, Message(verbatim: "the file is gone"), status: 7)
    MailThread.start(
      prepare: { () throws(TransferFault) in throw fault }, completion: { outcomes.add($0) })
    #expect(throws: fault) { try outcomes.answer() }
  }
}
