import Glibc

/// The names and addresses that this machine has at home.
public enum HomeNetwork {
  /// Its own name, without a domain, in lower case; nil where it is none that browsers take.
  public static var hostName: String? {
    var bytes = [CChar](repeating: 0, count: 256)
    guard gethostname(&bytes, bytes.count - 1) == 0 else { return nil }
    let name = String(
      decoding: bytes.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self
    ).lowercased().prefix { $0 != "." }
    return isName(String(name)) && name != "localhost" ? String(name) : nil
  }

  /// Addresses by which others of the home reach it: none of the internet, none that only this machine sees.
  public static var addresses: [String] {
    var list: UnsafeMutablePointer<ifaddrs>?
    guard getifaddrs(&list) == 0 else { return [] }
    defer { freeifaddrs(list) }
    var found: [String] = []
    var entry = list
    while let interface = entry?.pointee {
      entry = interface.ifa_next
      let flags = Int32(bitPattern: interface.ifa_flags)
      let name = String(cString: interface.ifa_name)
      let isInside = ["docker", "br-", "veth", "virbr", "lxc"].contains { name.hasPrefix($0) }
      guard flags & Int32(IFF_UP) != 0, flags & Int32(IFF_LOOPBACK) == 0,
        !isInside, let address = interface.ifa_addr, let text = numeric(address)
      else { continue }
      if isOfAHome(text), !found.contains(text) { found.append(text) }
    }
    return found
  }

  /// Whether a text is a name that may stand in a certificate and in a link: letters, digits, hyphens and dots.
  public static func isName(_ text: String) -> Bool {
    let labels = text.split(separator: ".", omittingEmptySubsequences: false)
    return (1...253).contains(text.utf8.count)
      && labels.allSatisfy { label in
        (1...63).contains(label.utf8.count) && label.first != "-" && label.last != "-"
          && label.utf8.allSatisfy { byte in
            (0x61...0x7A).contains(byte) || (0x30...0x39).contains(byte) || byte == 0x2D
          }
      } && labels.last?.contains { !$0.isNumber } == true
  }

  /// An address as it is compared and written; nil where a text is none.
  public static func address(_ text: String) -> String? {
    var bytes = [UInt8](repeating: 0, count: 16)
    for (family, length) in [(AF_INET, INET_ADDRSTRLEN), (AF_INET6, INET6_ADDRSTRLEN)] {
      guard inet_pton(family, text, &bytes) == 1 else { continue }
      var written = [CChar](repeating: 0, count: Int(length))
      guard inet_ntop(family, bytes, &written, socklen_t(length)) != nil else { continue }
      return String(
        decoding: written.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    }
    return nil
  }

  /// Whether an address is one that homes use among themselves.
  static func isOfAHome(_ address: String) -> Bool {
    var bytes = [UInt8](repeating: 0, count: 16)
    if inet_pton(AF_INET, address, &bytes) == 1 {
      return bytes[0] == 10 || (bytes[0] == 172 && (16...31).contains(bytes[1]))
        || (bytes[0] == 192 && bytes[1] == 168)
        || (bytes[0] == 100 && (64...127).contains(bytes[1]))
    }
    return inet_pton(AF_INET6, address, &bytes) == 1 && bytes[0] & 0xFE == 0xFC
  }

  private static func numeric(_ address: UnsafeMutablePointer<sockaddr>) -> String? {
    let length: Int
    switch Int32(address.pointee.sa_family) {
    case AF_INET: length = MemoryLayout<sockaddr_in>.size
    case AF_INET6: length = MemoryLayout<sockaddr_in6>.size
    default: return nil
    }
    var text = [CChar](repeating: 0, count: 64)
    guard
      getnameinfo(
        address, socklen_t(length), &text, socklen_t(text.count), nil, 0, NI_NUMERICHOST) == 0
    else { return nil }
    return String(decoding: text.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
  }
}
