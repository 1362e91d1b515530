/// Whether an MQTT broker takes a connection.
enum BrokerProbe {
  /// What the broker said.
  enum Answer: Hashable {
    case accepted
    /// It works and wants other credentials.
    case refused(String)
  }

  /// Connects as a client of its own without leaving anything behind; MQTT 3.1.1, without TLS.
  static func ask(
    host: String, port: Int, username: String? = nil, password: String? = nil
  ) throws(TCPProbe.Failure) -> Answer {
    let probe = try TCPProbe(host: host, port: port)
    try probe.send(connectPacket(username: username, password: password))
    var answer = try probe.receive()
    while answer.count < 4 { answer += try probe.receive() }
    guard answer[0] == 0x20, answer[1] == 2 else {
      throw TCPProbe.Failure(reason: gettext("this is no MQTT broker, or it wants TLS"))
    }
    switch answer[3] {
    case 0:
      try? probe.send([0xE0, 0])
      return .accepted
    case 4: return .refused(gettext("user name or password are wrong"))
    case 5: return .refused(gettext("it wants a user name and password"))
    case let code: return .refused(gettext("it refuses with code {code}", ["code": code]))
    }
  }

  /// - Source: MQTT 3.1.1, section 3.1: fixed header, protocol name and level, flags, keep-alive, client id, credentials.
  private static func connectPacket(username: String?, password: String?) -> [UInt8] {
    var flags: UInt8 = 0x02  // clean session
    var payload = field("homeward-\(RandomIdentifier.short)")
    if let username {
      flags |= 0x80
      payload += field(username)
      if let password {
        flags |= 0x40
        payload += field(password)
      }
    }
    let body = field("MQTT") + [4, flags, 0, 10] + payload
    return [0x10] + length(body.count) + body
  }

  private static func field(_ text: String) -> [UInt8] {
    let bytes = Array(text.utf8.prefix(65_535))
    return [UInt8(bytes.count >> 8), UInt8(bytes.count & 0xFF)] + bytes
  }

  private static func length(_ count: Int) -> [UInt8] {
    var (rest, bytes): (Int, [UInt8]) = (count, [])
    repeat {
      bytes.append(UInt8(rest & 0x7F) | (rest > 0x7F ? 0x80 : 0))
      rest >>= 7
    } while rest > 0
    return bytes
  }
}
