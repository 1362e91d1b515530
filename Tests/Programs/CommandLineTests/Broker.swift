import Foundation
import Glibc
import TestSupport

/// A real mosquitto on a free port.
final class Broker {
  let port: Int
  private let process: ChildProcess

  struct NotStarted: Error {}

  init(in directory: TemporaryDirectory, password: String? = nil) throws {
    port = try freePort()
    var text = "listener \(port) 127.0.0.1\nallow_anonymous \(password == nil)\n"
    if let password {
      let file = try directory.write("hub:\(password)\n", to: "passwords")
      chmod(file, 0o644)
      try ChildProcess("/usr/bin/mosquitto_passwd", ["-U", file]).wait()
      chmod(file, 0o644)
      text += "password_file \(file)\n"
    }
    chmod(directory.path, 0o755)
    let configuration = try directory.write(text, to: "mosquitto.conf")
    process = try ChildProcess("/usr/sbin/mosquitto", ["-c", configuration])
    while !answers(port) { guard kill(process.pid, 0) == 0 else { throw NotStarted() } }
  }

  func stop() {
    process.stop()
  }
}

/// A loopback port that nobody listened on a moment ago.
func freePort() throws -> Int {
  let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
  defer { close(descriptor) }
  var address = loopback(port: 0)
  var length = socklen_t(MemoryLayout<sockaddr_in>.size)
  let code = withUnsafeMutablePointer(to: &address) { pointer in
    pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
      bind(descriptor, $0, length) | getsockname(descriptor, $0, &length)
    }
  }
  guard code == 0 else { throw Broker.NotStarted() }
  return Int(UInt16(bigEndian: address.sin_port))
}

func answers(_ port: Int) -> Bool {
  let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
  defer { close(descriptor) }
  var address = loopback(port: UInt16(port))
  return withUnsafePointer(to: &address) { pointer in
    pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
      connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
    }
  } == 0
}

private func loopback(port: UInt16) -> sockaddr_in {
  var address = sockaddr_in()
  address.sin_family = sa_family_t(AF_INET)
  address.sin_port = port.bigEndian
  address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
  return address
}
