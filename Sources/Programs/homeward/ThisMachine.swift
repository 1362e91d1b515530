import Glibc

/// The machine that the command runs on.
enum ThisMachine {
  /// Whether a name or address is surely this machine's own.
  static func bears(_ host: String) -> Bool {
    var name = [CChar](repeating: 0, count: 256)
    let own =
      gethostname(&name, name.count - 1) == 0
      ? String(decoding: name.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self) : ""
    let host = host.lowercased()
    return ["localhost", "::1", "0.0.0.0", own.lowercased()].contains(host)
      || host.hasPrefix("127.") || host.hasSuffix(".localhost")
  }
}
