import Foundation

/// A serial cable of one test: a device that programs open, and the far end in the test's hand.
public final class PseudoTerminal: Sendable {
  /// The device's path.
  public let path: String
  /// The far end, which does not block.
  public let farEnd: Int32
  private let keeper: Int32

  /// A new cable.
  public init() throws {
    farEnd = open("/dev/ptmx", O_RDWR | O_NOCTTY | O_NONBLOCK | O_CLOEXEC)
    var (number, unlocked): (UInt32, Int32) = (0, 0)
    // TIOCSPTLCK and TIOCGPTN, which Swift does not see.
    guard farEnd >= 0, ioctl(farEnd, 0x4004_5431, &unlocked) == 0,
      ioctl(farEnd, 0x8004_5430, &number) == 0
    else { throw BuiltProducts.MissingProgram(name: "a pseudo-terminal") }
    path = "/dev/pts/\(number)"
    // Open from here as well, so that it stays when the program closes it.
    keeper = open(path, O_RDWR | O_NOCTTY | O_CLOEXEC)
    var settings = termios()
    tcgetattr(keeper, &settings)
    cfmakeraw(&settings)
    tcsetattr(keeper, TCSANOW, &settings)
  }

  /// Writes to whoever has the device open.
  public func write(_ bytes: [UInt8]) {
    _ = bytes.withUnsafeBytes { Foundation.write(farEnd, $0.baseAddress, $0.count) }
  }

  /// What was written to the device since the last call; empty when nothing was.
  public func read() -> [UInt8] {
    var buffer = [UInt8](repeating: 0, count: 65_536)
    let count = buffer.withUnsafeMutableBytes {
      Foundation.read(farEnd, $0.baseAddress, $0.count)
    }
    return Array(buffer.prefix(max(0, count)))
  }

  deinit {
    close(keeper)
    close(farEnd)
  }
}
