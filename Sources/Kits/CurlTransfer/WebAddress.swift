import CCurl

/// The parts of an address that matter before anything is sent to it.
public struct WebAddress: Hashable, Sendable {
  /// `https`, `smtps`, … in lower case.
  public var scheme: String
  /// The host, an IPv6 address in brackets.
  public var host: String
  /// Whether the address holds a user name or a password.
  public var hasLogin: Bool

  /// Reads an address with a scheme; nil when libcurl could not use it, as with a port beyond 65,535.
  public init?(_ text: String) {
    var parts = homeward_url_parts()
    // libcurl would guess a scheme, and would read an address only up to a zero byte.
    guard text.contains("://"), !text.utf8.contains(0), homeward_url_read(text, &parts) else {
      return nil
    }
    scheme = withUnsafeBytes(of: parts.scheme, Self.text)
    host = withUnsafeBytes(of: parts.host, Self.text)
    hasLogin = parts.has_login
  }

  private static func text(_ bytes: UnsafeRawBufferPointer) -> String {
    String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
  }

  /// Whether the host is this machine.
  public var isLoopback: Bool { ["localhost", "127.0.0.1", "[::1]"].contains(host) }

  /// Whether the host is a number and not a name.
  public var isNumeric: Bool {
    host.hasPrefix("[") || host.utf8.allSatisfy { (0x30...0x39).contains($0) || $0 == 0x2E }
  }

  /// The seconds since 1970 of a date as HTTP writes it; nil when it is none.
  ///
  /// - Source: RFC 9110, section 5.6.7.
  public static func seconds(ofDate text: String) -> Int64? {
    let seconds = text.utf8.contains(0) ? -1 : homeward_http_date(text)
    return seconds < 0 ? nil : seconds
  }
}
