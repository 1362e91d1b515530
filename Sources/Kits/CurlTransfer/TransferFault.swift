import CCurl
import Glibc
public import Texts

/// Why a transfer brought nothing, in words that a person can act on.
public struct TransferFault: Error, Hashable, Sendable {
  /// What went wrong.
  public enum Kind: String, Hashable, Sendable, CaseIterable {
    /// The name of the host cannot be found.
    case unknownHost = "unknown-host"
    /// The name of the proxy cannot be found.
    case unknownProxy = "unknown-proxy"
    /// Nothing listens at the address.
    case notListening = "refused"
    /// There is no way to the address.
    case unreachable
    /// The system does not let us connect.
    case forbidden
    /// Nothing came in time.
    case timedOut = "no-answer"
    /// The far end's certificate is not trusted.
    case certificate
    /// The far end does not speak TLS as we do.
    case encryption
    /// The far end offers no encryption.
    case noEncryption = "no-encryption"
    /// The file of authorities cannot be used.
    case authorities = "ca-file"
    /// The far end closed the connection without an answer.
    case closed
    /// The connection broke off.
    case broken
    /// The proxy does not let us through.
    case proxy
    /// User name or password is wrong.
    case login
    /// A mail server said no; the status tells to what.
    case refused = "rejected"
    /// Anything else.
    case other
  }

  /// What went wrong.
  public var kind: Kind
  /// One part of a sentence, in lower case and without a full stop; never a secret.
  public var detail: Message
  /// The last status that came, or 0.
  public var status: Int

  /// A fault from its parts.
  public init(_ kind: Kind, _ detail: Message, status: Int = 0) {
    self.kind = kind
    self.detail = detail
    self.status = status
  }
}

extension TransferFault {
  /// The fault of a transfer to `peer`, whose address stands in the setting `setting`; nil when it went well.
  init?(_ result: homeward_transfer_result, to address: FarEnd) {
    let status = Int(result.status)
    let (peer, setting) = (address.name, address.setting)
    let words = result.message.map { String(cString: $0) } ?? ""
    if result.proxy_status >= 300 {
      self.init(
        .proxy,
        Message(
          "the proxy answers {status}; check proxy and proxyLogin", ["status": result.proxy_status])
      )
      return
    }
    switch result.failure {
    case homeward_failure_none: return nil
    case homeward_failure_unknown_host:
      self.init(
        .unknownHost,
        Message(
          "the host in {setting} cannot be found; check it and the network", ["setting": setting]))
    case homeward_failure_unknown_proxy:
      self.init(
        .unknownProxy, Message("the host in proxy cannot be found; check it and the network"))
    case homeward_failure_connect: self.init(errorNumber: result.error_number, setting)
    case homeward_failure_timed_out:
      self.init(.timedOut, Message("{peer} did not answer in time", ["peer": peer]), status: status)
    case homeward_failure_certificate:
      self.init(
        .certificate,
        Message(
          "{peer}'s certificate is not trusted: {reason}",
          ["peer": peer, "reason": Self.reason(words)]))
    case homeward_failure_name:
      let kind = address.isNumeric ? Message("IP address mismatch") : Message("host name mismatch")
      self.init(
        .certificate,
        Message(
          "{peer}'s certificate is not trusted: it is for another name ({kind})",
          ["peer": peer, "kind": kind]))
    case homeward_failure_encryption:
      self.init(
        .encryption,
        Message(
          "{peer} does not encrypt as it must: {reason}",
          ["peer": peer, "reason": Self.reason(words)]))
    case homeward_failure_no_encryption:
      self.init(
        .noEncryption,
        Message("{peer} offers no encryption, and without it nothing is sent", ["peer": peer]))
    case homeward_failure_authorities:
      self.init(
        .authorities, Message("caFile cannot be read; check the path and the plugin's readPaths"))
    case homeward_failure_closed:
      self.init(.closed, Message("{peer} closed the connection without an answer", ["peer": peer]))
    case homeward_failure_login:
      self.init(
        .login, Message("{peer} refuses the login; correct user name and password", ["peer": peer]),
        status: status)
    case homeward_failure_refused:
      self.init(
        .refused, Message("{peer} refused it ({status})", ["peer": peer, "status": status]),
        status: status)
    case homeward_failure_broken:
      self.init(
        .broken, Message("the connection to {peer} broke off", ["peer": peer]), status: status)
    default:
      self.init(
        .other, Message("the connection failed: {reason}", ["reason": Self.reason(words)]),
        status: status)
    }
  }

  private init(errorNumber: Int, _ setting: String) {
    switch Int32(truncatingIfNeeded: errorNumber) {
    case EACCES, EPERM:
      self.init(
        .forbidden, Message("the system forbids the connection; the plugin needs the grant network")
      )
    case EHOSTUNREACH, ENETUNREACH, ENETDOWN:
      self.init(
        .unreachable,
        Message(
          "there is no way to the address in {setting}; check the network", ["setting": setting]))
    case ECONNREFUSED:
      self.init(
        .notListening, Message("nothing listens at the address in {setting}", ["setting": setting]))
    default:
      self.init(
        .unreachable,
        Message(
          "the address in {setting} cannot be reached; check the network", ["setting": setting]))
    }
  }

  /// libcurl's words about a certificate without its own prefix.
  private static func reason(_ words: String) -> String {
    let prefix = "SSL certificate problem: "
    return words.hasPrefix(prefix) ? String(words.dropFirst(prefix.count)) : words
  }
}

/// What a transfer goes to, for people.
public struct FarEnd: Hashable, Sendable {
  /// What it is (`the receiver`).
  public var name: Message
  /// The setting with its address.
  public var setting: String
  /// Whether the address is a number and not a name.
  public var isNumeric: Bool

  /// A far end from its parts.
  public init(name: Message, setting: String, isNumeric: Bool) {
    self.name = name
    self.setting = setting
    self.isNumeric = isNumeric
  }
}
