import Bytes
public import WebServer

/// By what a content is known again.
///
/// - Source: RFC 9110, section 8.8.3.
public struct EntityTag: Hashable, Sendable {
  /// As it stands in a header.
  public let text: String

  /// The tag of a content.
  public init(of content: [UInt8]) {
    text = "\"\(Hexadecimal.text(SHA256.hash(content).prefix(12)))\""
  }

  /// The header that tells it.
  public var header: WebAnswer.Header { WebAnswer.Header("ETag", text) }

  /// Whether it is one of those in `If-None-Match`.
  public func isAmong(_ header: String?) -> Bool {
    guard let header else { return false }
    return header == "*"
      || header.split(separator: ",").contains { tag in
        let bare = tag.drop { $0 == " " }
        return (bare.hasPrefix("W/") ? bare.dropFirst(2) : bare) == text
      }
  }
}
