import Glibc
import Loop
import PluginKit

/// A serial port on the event loop; never waits.
@LoopActor
final class SerialPort {
  /// Why a port could not be opened or is lost.
  struct Fault: Error, Hashable, Sendable {
    /// The system's number of the error; 0 when the far end hung up.
    var errorNumber: Int32

    /// What it means, for people.
    var reason: String {
      switch errorNumber {
      case 0: gettext("the modem went away")
      case ENOENT: gettext("the port is not there; is the modem plugged in?")
      case EACCES, EPERM:
        gettext(
          "the port may not be opened; list it in devicePaths and put the user in group dialout")
      case EBUSY: gettext("another program uses the port; tell ModemManager to ignore the modem")
      case ENOTTY: gettext("that file is no serial port")
      case EIO, ENODEV, ENXIO: gettext("the modem was unplugged")
      default: String(cString: strerror(errorNumber))
      }
    }
  }

  /// The most bytes that wait for a modem that does not read.
  private static let highWater = 65_536

  private let descriptor: Int32
  private let onBytes: @LoopActor ([UInt8]) -> Void
  private let onLost: @LoopActor (Fault) -> Void
  private var pending: [UInt8] = []
  private var isOpen = true

  /// Opens a port, raw at 115,200 baud.
  init(
    path: String, onBytes: @escaping @LoopActor ([UInt8]) -> Void,
    onLost: @escaping @LoopActor (Fault) -> Void
  ) throws(Fault) {
    let descriptor = open(path, O_RDWR | O_NOCTTY | O_NONBLOCK | O_CLOEXEC)
    guard descriptor >= 0 else { throw Fault(errorNumber: errno) }
    self.descriptor = descriptor
    self.onBytes = onBytes
    self.onLost = onLost
    do throws(Fault) { try prepare() } catch {
      Glibc.close(descriptor)
      throw error
    }
  }

  private func prepare() throws(Fault) {
    var settings = termios()
    guard tcgetattr(descriptor, &settings) == 0 else { throw Fault(errorNumber: errno) }
    cfmakeraw(&settings)
    settings.c_cflag |= tcflag_t(CLOCAL) | tcflag_t(CREAD)
    settings.c_cflag &= ~tcflag_t(HUPCL)
    cfsetspeed(&settings, speed_t(B115200))
    guard tcsetattr(descriptor, TCSANOW, &settings) == 0 else { throw Fault(errorNumber: errno) }
    // Whoever opens the port later is refused; a holder before us is noticed by the lock.
    guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else { throw Fault(errorNumber: EBUSY) }
    tcflush(descriptor, TCIOFLUSH)
    let isWatched = EventLoop.current.watch(descriptor, for: .reading) { [weak self] readiness in
      self?.ready(readiness)
    }
    guard isWatched else { throw Fault(errorNumber: ENOTTY) }
  }

  /// Writes, as soon as the modem takes it; what it does not take for too long is dropped.
  func write(_ bytes: [UInt8]) {
    guard isOpen, pending.count + bytes.count <= Self.highWater else { return }
    pending.append(contentsOf: bytes)
    flush()
  }

  /// Closes the port; nothing is told any more.
  func close() {
    guard isOpen else { return }
    isOpen = false
    EventLoop.current.unwatch(descriptor)
    Glibc.close(descriptor)
  }

  private func ready(_ readiness: EventLoop.Readiness) {
    if readiness.isReadable || readiness.isHungUp { readSome() }
    if isOpen, readiness.isWritable { flush() }
  }

  private func readSome() {
    var buffer = [UInt8](repeating: 0, count: 4096)
    let count = buffer.withUnsafeMutableBytes { read(descriptor, $0.baseAddress, $0.count) }
    if count > 0 { return onBytes(Array(buffer[..<count])) }
    if count < 0, errno == EAGAIN || errno == EINTR { return }
    lose(Fault(errorNumber: count == 0 ? 0 : errno))
  }

  private func flush() {
    while isOpen, !pending.isEmpty {
      let count = pending.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
      if count > 0 {
        pending.removeFirst(count)
      } else if errno == EAGAIN {
        break
      } else if errno != EINTR {
        return lose(Fault(errorNumber: errno))
      }
    }
    EventLoop.current.setInterest(
      pending.isEmpty ? .reading : [.reading, .writing], of: descriptor)
  }

  private func lose(_ fault: Fault) {
    close()
    onLost(fault)
  }
}
