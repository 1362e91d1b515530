import Glibc
import Testing

/// A receiver's serial line: gpsd opens the far end by its path, the test writes into the near end.
final class PseudoTerminal {
  let path: String
  private let near: Int32
  private let far: Int32

  init() throws {
    var (opened, other): (Int32, Int32) = (-1, -1)
    var name = [CChar](repeating: 0, count: 128)
    try #require(openpty(&opened, &other, &name, nil, nil) == 0)
    (near, far) = (opened, other)
    path = name.withUnsafeBytes { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
    var settings = termios()
    tcgetattr(far, &settings)
    cfmakeraw(&settings)
    tcsetattr(far, TCSANOW, &settings)
    // gpsd gives up its privileges before it opens receivers that are plugged in later.
    chmod(path, 0o666)
  }

  func write(_ bytes: [UInt8]) { _ = Glibc.write(near, bytes, bytes.count) }

  deinit {
    close(far)
    close(near)
  }
}

/// Tells a gpsd over its control socket what udev tells it when a receiver comes or goes.
func hotplug(_ order: String, at controlSocket: String) throws {
  let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
  defer { close(descriptor) }
  var address = sockaddr_un()
  address.sun_family = sa_family_t(AF_UNIX)
  withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: controlSocket.utf8) }
  let connected = withUnsafePointer(to: &address) { pointer in
    pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
      connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size)) == 0
    }
  }
  guard connected else { throw SystemCallFailed(name: "connect") }
  writeAll(Array("\(order)\r\n".utf8), to: descriptor)
  var answer = [UInt8](repeating: 0, count: 16)
  let count = read(descriptor, &answer, answer.count)
  #expect(String(decoding: answer.prefix(max(0, count)), as: UTF8.self).hasPrefix("OK"))
}
