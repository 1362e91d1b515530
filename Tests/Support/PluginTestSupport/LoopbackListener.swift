import Foundation
import Glibc
import Synchronization
import TestSupport

/// A port of this machine, of both kinds of addresses, whose TCP side greets whoever connects and whose UDP side listens.
public final class LoopbackListener: Sendable {
  /// The port, of TCP and of UDP.
  public let port: UInt16
  private let listener: Int32
  private let datagrams: Int32
  private let count = Mutex(0)

  /// Connections and datagrams taken so far.
  public var taken: Int {
    var bytes = [UInt8](repeating: 0, count: 64)
    while recv(datagrams, &bytes, bytes.count, Int32(MSG_DONTWAIT)) >= 0 {
      count.withLock { $0 += 1 }
    }
    return count.withLock { $0 }
  }

  /// Listens from now on.
  public init() throws {
    var found: (UInt16, Int32, Int32)?
    // The port that TCP gets may be taken on the other side.
    for _ in 0..<20 where found == nil {
      let listener = Self.bound(SOCK_STREAM, port: 0)
      let port = Self.port(of: listener)
      let datagrams = Self.bound(SOCK_DGRAM, port: port)
      if listener >= 0, datagrams >= 0 { found = (port, listener, datagrams) }
    }
    guard let found, listen(found.1, 512) == 0 else {
      throw BuiltProducts.MissingProgram(name: "a free port")
    }
    (port, listener, datagrams) = found
    let thread = Thread { [self] in greet() }
    thread.start()
  }

  /// Lives as long as its listener: the process.
  private func greet() {
    while true {
      let connection = accept(listener, nil, nil)
      guard connection >= 0 else { return }
      count.withLock { $0 += 1 }
      send(connection, "hello", 5, Int32(MSG_NOSIGNAL))
      close(connection)
    }
  }

  private static func bound(_ kind: __socket_type, port: UInt16) -> Int32 {
    let descriptor = socket(AF_INET6, Int32(kind.rawValue), 0)
    var both: Int32 = 0
    setsockopt(
      descriptor, Int32(IPPROTO_IPV6), IPV6_V6ONLY, &both, socklen_t(MemoryLayout<Int32>.size))
    var address = sockaddr_in6()
    address.sin6_family = sa_family_t(AF_INET6)
    address.sin6_port = port.bigEndian
    let isBound = withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in6>.size)) == 0
      }
    }
    if isBound { return descriptor }
    close(descriptor)
    return -1
  }

  private static func port(of descriptor: Int32) -> UInt16 {
    var address = sockaddr_in6()
    var length = socklen_t(MemoryLayout<sockaddr_in6>.size)
    withUnsafeMutablePointer(to: &address) { pointer in
      _ = pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        getsockname(descriptor, $0, &length)
      }
    }
    return UInt16(bigEndian: address.sin6_port)
  }
}
