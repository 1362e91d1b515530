import Buttons
import Glibc
import Synchronization
import Texts

/// A button whose contact is a byte in a pipe.
final class PipeButton: ButtonOpener, Sendable {
  let written = Mutex<Int64>(0)
  private let writer = Mutex<Int32>(-1)

  var places: [String] { [] }

  static func monotonicNanoseconds() -> Int64 {
    var now = timespec()
    clock_gettime(CLOCK_MONOTONIC, &now)
    return Int64(now.tv_sec) * 1_000_000_000 + Int64(now.tv_nsec)
  }

  func press() {
    written.withLock { $0 = Self.monotonicNanoseconds() }
    send(1)
  }

  func letGo() { send(0) }

  private func send(_ byte: UInt8) {
    var byte = byte
    _ = writer.withLock { write($0, &byte, 1) }
  }

  func open() throws(ButtonTrouble) -> any ButtonDevice {
    var ends: [Int32] = [0, 0]
    guard pipe(&ends) == 0, fcntl(ends[0], F_SETFL, O_NONBLOCK) == 0 else {
      throw ButtonTrouble(code: "broken", message: Message(verbatim: "There is no pipe."))
    }
    writer.withLock { $0 = ends[1] }
    return PipeDevice(descriptor: ends[0])
  }
}

private final class PipeDevice: ButtonDevice {
  let descriptor: Int32
  private var isPressed = false

  init(descriptor: Int32) { self.descriptor = descriptor }

  deinit { close(descriptor) }

  func readEdges() throws(ButtonTrouble) -> [ButtonEdge] {
    var bytes = [UInt8](repeating: 0, count: 16)
    let count = read(descriptor, &bytes, bytes.count)
    guard count > 0 else { return [] }
    isPressed = bytes[count - 1] == 1
    let stamp = PipeButton.monotonicNanoseconds()
    return bytes.prefix(count).map { ButtonEdge(isDown: $0 == 1, stampNanoseconds: stamp) }
  }

  func isDown() throws(ButtonTrouble) -> Bool { isPressed }
}
