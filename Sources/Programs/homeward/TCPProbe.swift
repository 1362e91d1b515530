import CGatewayShims
import Glibc

/// A short conversation over TCP, to see whether somebody answers as they should.
final class TCPProbe {
  /// Why there was no conversation.
  struct Failure: Error {
    var reason: String
  }

  private let descriptor: Int32
  private let deadline: Int64

  /// Connects to a name or address within so many milliseconds (looking the name up comes on top).
  init(host: String, port: Int, timeoutMilliseconds: Int64 = 3000) throws(Failure) {
    deadline = Self.now + timeoutMilliseconds
    var hints = addrinfo()
    hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
    var found: UnsafeMutablePointer<addrinfo>?
    let code = getaddrinfo(host, String(port), &hints, &found)
    guard code == 0 else { throw Failure(reason: String(cString: gai_strerror(code))) }
    defer { freeaddrinfo(found) }
    var reason = gettext("no address")
    var entry = found
    while let address = entry?.pointee {
      let socket = Self.connect(to: address, before: deadline)
      if socket >= 0 {
        descriptor = socket
        return
      }
      reason = String(cString: strerror(-socket))
      entry = address.ai_next
    }
    throw Failure(reason: reason)
  }

  deinit { close(descriptor) }

  func send(_ bytes: [UInt8]) throws(Failure) {
    let sent = Glibc.send(descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL))
    if sent != bytes.count { throw Failure(reason: gettext("the connection was closed")) }
  }

  /// The next bytes.
  func receive() throws(Failure) -> [UInt8] {
    var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    let rest = Int32(clamping: max(0, deadline - Self.now))
    guard poll(&entry, 1, rest) > 0 else { throw Failure(reason: gettext("no answer")) }
    var block = [UInt8](repeating: 0, count: 65_536)
    let count = recv(descriptor, &block, block.count, 0)
    guard count > 0 else { throw Failure(reason: gettext("the connection was closed")) }
    return Array(block.prefix(count))
  }

  private static var now: Int64 { homeward_boottime_nanoseconds() / 1_000_000 }

  /// The connected socket, or a negative error number.
  private static func connect(to address: addrinfo, before deadline: Int64) -> Int32 {
    let type = address.ai_socktype | Int32(SOCK_CLOEXEC.rawValue)
    let descriptor = socket(address.ai_family, type, address.ai_protocol)
    guard descriptor >= 0 else { return -errno }
    let flags = fcntl(descriptor, F_GETFL)
    _ = fcntl(descriptor, F_SETFL, flags | O_NONBLOCK)
    var code: Int32 = 0
    if Glibc.connect(descriptor, address.ai_addr, address.ai_addrlen) != 0 {
      code = errno == EINPROGRESS ? finished(descriptor, before: deadline) : errno
    }
    _ = fcntl(descriptor, F_SETFL, flags)
    if code == 0 { return descriptor }
    close(descriptor)
    return -code
  }

  private static func finished(_ descriptor: Int32, before deadline: Int64) -> Int32 {
    var entry = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
    guard poll(&entry, 1, Int32(clamping: max(0, deadline - now))) > 0 else { return ETIMEDOUT }
    var code: Int32 = 0
    var length = socklen_t(MemoryLayout<Int32>.size)
    getsockopt(descriptor, SOL_SOCKET, SO_ERROR, &code, &length)
    return code
  }
}
