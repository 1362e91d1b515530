import Bytes
import CurlTransfer
import Glibc
import JSON
import PluginKit
import PluginProtocol
import Texts

/// What the owner configured, checked beyond what the schema can say.
struct WebhookSettings: Sendable {
  /// Where to post.
  var url: String
  /// The host of it, for people.
  var host: String
  /// Whether one request carries a whole batch.
  var isBatched: Bool
  /// How long one request may take altogether, in milliseconds.
  var timeoutMilliseconds: Int
  /// Lines of the head that prove who posts.
  var tokenHeaders: [String] = []
  /// The signer; nil when requests are not signed.
  var signature: WebhookSignature?
  /// Who may acknowledge by the receiver's answer.
  var guardians: GuardianTokens
  /// How connections are made.
  var connection: ConnectionOptions

  /// Reads the settings.
  ///
  /// - Throws: an error that names the setting and says what to change.
  init(json: JSONValue) throws(RPCError) {
    do throws(DecodeError) {
      let reader = try JSONReader(json)
      url = try reader.string("url")
      isBatched = try reader.optionalString("format") ?? "batch" == "batch"
      let seconds = try reader.optionalInteger("timeoutSeconds") ?? 10
      timeoutMilliseconds = Int(max(1, min(30, seconds))) * 1000
      let address = WebAddress(url)
      host = address?.host ?? ""
      let farEnd = FarEnd(
        name: Message("the receiver"), setting: "url", isNumeric: address?.isNumeric ?? false)
      connection = ConnectionOptions(
        farEnd: farEnd, authorities: try reader.optionalString("caFile"),
        proxy: try reader.optionalString("proxy"),
        proxyLogin: try reader.optionalString("proxyLogin"),
        timeoutMilliseconds: timeoutMilliseconds)
      guardians = GuardianTokens(try Self.guardians(reader))
    } catch { throw Self.fault(gettext("the setting does not fit: {error}", ["error": error])) }
    try checkAddress(json)
    try checkProxy()
    try readToken(json)
    try readSecret(json)
    try checkAuthorities()
  }

  private static func guardians(_ reader: JSONReader) throws(DecodeError) -> [String: String] {
    var tokens: [String: String] = [:]
    for (index, element) in try reader.array("guardians").enumerated() {
      let guardian = try JSONReader(element, path: "guardians[\(index)]")
      let token = try guardian.string("token")
      guard token.utf8.count >= 16 else { throw guardian.error(.outOfRange, "token") }
      guard tokens.updateValue(token, forKey: try guardian.string("id")) == nil else {
        throw guardian.error(.duplicateKey, "id")
      }
    }
    return tokens
  }

  private func checkAddress(_ json: JSONValue) throws(RPCError) {
    guard let address = WebAddress(url), ["https", "http"].contains(address.scheme) else {
      throw Self.fault(
        gettext(
          "url must start with https:// (or http:// on this machine) and name a host, its port "
            + "between 1 and 65535"))
    }
    guard !address.hasLogin else {
      throw Self.fault(gettext("url must hold no user name and no password; use token"))
    }
    let isAllowed = json["allowPlaintext"]?.boolContent == true
    guard address.scheme == "https" || address.isLoopback || isAllowed else {
      throw Self.fault(
        gettext(
          "http:// to another machine can be read on the way; use https://, or set allowPlaintext if "
            + "you must"))
    }
  }

  private func checkProxy() throws(RPCError) {
    guard let proxy = connection.proxy else { return }
    guard let address = WebAddress(proxy), !address.hasLogin,
      ["http", "https", "socks5", "socks5h"].contains(address.scheme)
    else {
      throw Self.fault(
        gettext(
          "proxy must be http://host:port, https://, socks5:// or socks5h://; its login goes to "
            + "proxyLogin"))
    }
  }

  private mutating func readToken(_ json: JSONValue) throws(RPCError) {
    guard let token = json["token"]?.stringContent, !token.isEmpty else { return }
    let name = json["tokenHeader"]?.stringContent ?? "Authorization"
    let isBearer = name.lowercased() == "authorization"
    guard !name.isEmpty, name.utf8.allSatisfy({ (0x21...0x7E).contains($0) && $0 != 0x3A }) else {
      throw Self.fault(gettext("tokenHeader must be the name of a header"))
    }
    guard token.utf8.allSatisfy({ (0x20...0x7E).contains($0) }) else {
      throw Self.fault(gettext("token must be printable ASCII without line breaks"))
    }
    tokenHeaders = ["\(name): \(isBearer ? "Bearer " : "")\(token)"]
  }

  private mutating func readSecret(_ json: JSONValue) throws(RPCError) {
    guard let secret = json["secret"]?.stringContent else { return }
    guard let signature = WebhookSignature(secret: secret) else {
      throw Self.fault(
        gettext(
          "secret must be a text of at least 16 bytes, or whsec_ and Base64 of at least 16 bytes"))
    }
    self.signature = signature
  }

  private func checkAuthorities() throws(RPCError) {
    guard let file = connection.authorities, access(file, R_OK) != 0 else { return }
    let reason = String(cString: strerror(errno))
    throw Self.fault(
      gettext(
        "caFile cannot be read ({reason}); check the path and the plugin's readPaths",
        ["reason": reason]))
  }

  private static func fault(_ message: String) -> RPCError {
    RPCError(code: RPCError.invalidParametersCode, message: message)
  }
}
