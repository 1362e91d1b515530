import Foundation

/// Programs that the package builds beside the tests.
public enum BuiltProducts {
  /// The path of a built program, such as `homewardd`.
  public static func path(of name: String) throws -> String {
    let tests = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
    let path = URL(fileURLWithPath: tests).deletingLastPathComponent().appendingPathComponent(name)
      .path
    guard FileManager.default.isExecutableFile(atPath: path) else {
      throw MissingProgram(name: path)
    }
    return path
  }

  /// A program that a test needs and does not find.
  public struct MissingProgram: Error, CustomStringConvertible {
    /// Its path or name.
    public var name: String
    /// A program or file that is not there.
    public init(name: String) { self.name = name }
    /// What is missing.
    public var description: String {
      "the program \(name) is not there; build it, or run make test"
    }
  }
}

/// Ports for servers of one test.
public enum LocalPort {
  /// A TCP port on loopback that nobody listened on a moment ago.
  public static func free() throws -> Int {
    let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    defer { close(descriptor) }
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let isBound = withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { generic in
        bind(descriptor, generic, length) == 0 && getsockname(descriptor, generic, &length) == 0
      }
    }
    guard isBound else { throw BuiltProducts.MissingProgram(name: "a free port") }
    return Int(UInt16(bigEndian: address.sin_port))
  }
}
