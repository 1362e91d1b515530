import Glibc
import Texts

/// What a provider of names wants to know, out of a file of the owner's.
enum DNSCredentials {
  /// Reads lines of `NAME=VALUE`; empty ones and those that start with `#` are none.
  static func read(_ path: String) throws(CertificateFault) -> [(name: String, value: String)] {
    var entry = stat()
    guard stat(path, &entry) == 0, let file = fopen(path, "re") else {
      throw CertificateFault(
        Message("{path}: {reason}", ["path": path, "reason": String(cString: strerror(errno))]),
        advice: Message(
          "Write what your provider of names wants into it, one NAME=VALUE a line; lego dnshelp -c PROVIDER lists the names."
        ))
    }
    defer { fclose(file) }
    guard entry.st_mode & 0o004 == 0 else {
      throw CertificateFault(
        Message("{path} can be read by everybody on this machine", ["path": path]),
        advice: Message("Try: sudo chmod 600 {path}", ["path": path]))
    }
    var bytes = [UInt8](repeating: 0, count: 1 << 16)
    let count = fread(&bytes, 1, bytes.count, file)
    return try parse(String(decoding: bytes.prefix(count), as: UTF8.self), path)
  }

  static func parse(
    _ text: String, _ path: String
  ) throws(CertificateFault) -> [(name: String, value: String)] {
    var variables: [(name: String, value: String)] = []
    let lines = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
    for (number, line) in lines.enumerated() where !line.isEmpty && !line.hasPrefix("#") {
      let parts = line.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      let isName =
        parts.first?.utf8.allSatisfy { byte in
          (0x41...0x5A).contains(byte) || (0x30...0x39).contains(byte) || byte == 0x5F
        } == true
      guard parts.count == 2, isName, parts[0].first?.isLetter == true else {
        throw CertificateFault(
          Message(
            "line {number} of {path} is not NAME=VALUE", ["number": number + 1, "path": path]))
      }
      variables.append((String(parts[0]), String(parts[1])))
    }
    return variables
  }
}
