import Bytes
import CurlTransfer
import Glibc
import JSON
import PluginKit
import PluginProtocol
import Texts

/// What the owner configured, checked beyond what the schema can say.
struct EmailSettings: Sendable {
  /// How the way to the mail server is encrypted.
  enum Security: String, Sendable {
    /// In the clear until STARTTLS; nothing is sent when the server does not offer it.
    case startTLS = "starttls"
    /// From the first byte.
    case tls
    /// Not at all; only to a mail server on this machine.
    case none
  }

  /// Where mails go.
  var url: String
  /// How the way there is encrypted.
  var security: Security
  /// The login; nil for none.
  var username: String?
  /// The password of the login.
  var password: String?
  /// Whom mails come from.
  var sender: MailAddress
  /// The name beside the sender's address.
  var senderName: String
  /// How connections are made.
  var connection: ConnectionOptions

  /// Reads the settings.
  ///
  /// - Throws: an error that names the setting and says what to change.
  init(json: JSONValue) throws(RPCError) {
    let server: String
    let from: String
    let port: Int64
    do throws(DecodeError) {
      let reader = try JSONReader(json)
      server = try reader.string("server")
      security = try reader.optionalWord("security", as: Security.self) ?? .startTLS
      port = try reader.optionalInteger("port") ?? Self.port(security)
      username = try reader.optionalString("username")
      password = try reader.optionalString("password")
      from = try reader.string("from")
      senderName = try reader.optionalString("fromName") ?? "Homeward"
      let seconds = try reader.optionalInteger("timeoutSeconds") ?? 30
      connection = ConnectionOptions(
        farEnd: FarEnd(name: Message("the mail server"), setting: "server", isNumeric: false),
        authorities: try reader.optionalString("caFile"),
        timeoutMilliseconds: Int(max(5, min(120, seconds))) * 1000)
    } catch { throw Self.fault(gettext("the setting does not fit: {error}", ["error": error])) }
    guard let sender = MailAddress(from) else {
      throw Self.fault(gettext("from must be a bare address such as gateway@example.org"))
    }
    self.sender = sender
    // Greets with an address literal: what the machine is called is nobody's business, and every server takes this.
    url = "\(security == .tls ? "smtps" : "smtp")://\(server):\(port)/%5B127.0.0.1%5D"
    guard let address = WebAddress(url), !address.hasLogin, !server.contains("/"),
      (1...65_535).contains(port)
    else {
      throw Self.fault(
        gettext("server must be a host's name or address, without port and without login"))
    }
    connection.farEnd.isNumeric = address.isNumeric
    try check(address)
  }

  private static func port(_ security: Security) -> Int64 {
    switch security {
    case .startTLS: 587
    case .tls: 465
    case .none: 25
    }
  }

  private func check(_ address: WebAddress) throws(RPCError) {
    guard security != .none || address.isLoopback else {
      throw Self.fault(
        gettext("security: none is for a mail server on this machine only; use starttls or tls"))
    }
    guard (username == nil) == (password == nil) else {
      throw Self.fault(gettext("username and password belong together; set both or neither"))
    }
    if let text = [username, password].compactMap({ $0 }).first(where: Self.hasControl) {
      throw Self.fault(
        gettext(
          "username and password must have no line breaks ({bytes} bytes)",
          ["bytes": text.utf8.count]))
    }
    if let file = connection.authorities, access(file, R_OK) != 0 {
      let reason = String(cString: strerror(errno))
      throw Self.fault(
        gettext(
          "caFile cannot be read ({reason}); check the path and the plugin's readPaths",
          ["reason": reason]))
    }
  }

  private static func hasControl(_ text: String) -> Bool { text.utf8.contains { $0 < 0x20 } }

  private static func fault(_ message: String) -> RPCError {
    RPCError(code: RPCError.invalidParametersCode, message: message)
  }
}

extension EmailSettings {
  /// How much of a mail even a slow line carries in a second, in bytes.
  private static let slowestBytesPerSecond = 32_768

  /// A mail on its way to the server of these settings.
  func mail(_ message: [UInt8], to recipient: MailAddress) -> Mail {
    var connection = connection
    connection.timeoutMilliseconds += message.count / Self.slowestBytesPerSecond * 1000
    return Mail(
      url: url, requiresEncryption: security == .startTLS, username: username, password: password,
      sender: sender.text, recipients: [recipient.text], message: message, connection: connection)
  }
}
