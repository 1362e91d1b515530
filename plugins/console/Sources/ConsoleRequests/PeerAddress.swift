import Glibc

/// Addresses that requests come from.
public enum PeerAddress {
  /// An address as the system writes it, of IPv4 also where it is written in IPv6; other texts as they are.
  public static func normal(_ text: String) -> String {
    var bytes = [UInt8](repeating: 0, count: 16)
    let plain =
      text.hasPrefix("[") && text.hasSuffix("]") ? String(text.dropFirst().dropLast()) : text
    if inet_pton(AF_INET, plain, &bytes) == 1 { return plain }
    guard inet_pton(AF_INET6, plain, &bytes) == 1 else { return text }
    if bytes.prefix(12) == [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xFF, 0xFF] {
      return bytes.suffix(4).map { String($0) }.joined(separator: ".")
    }
    var written = [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN))
    guard inet_ntop(AF_INET6, bytes, &written, socklen_t(written.count)) != nil else { return text }
    return String(decoding: written.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
  }

  /// Whether a text is an address.
  public static func isOne(_ text: String) -> Bool {
    var bytes = [UInt8](repeating: 0, count: 16)
    return inet_pton(AF_INET, text, &bytes) == 1 || inet_pton(AF_INET6, text, &bytes) == 1
  }

  /// Where a request really comes from: what the nearest proxy that is not the owner's own wrote down, read from the
  /// end, for what stands before that anybody can have written.
  ///
  /// - Parameter forwarded: the lines of `X-Forwarded-For`, joined by commas; nil where there is none.
  public static func origin(of peer: String, forwarded: String?, proxies: Set<String>) -> String {
    var origin = normal(peer)
    let hops = (forwarded ?? "").split(separator: ",").map {
      normal(String($0.filter { $0 != " " }))
    }
    for hop in hops.reversed() {
      guard proxies.contains(origin), isOne(hop) else { return origin }
      origin = hop
    }
    return origin
  }
}
