import Glibc

/// The bytes that are being read, told by a signal handler when they end the program or it does not come back.
enum LastInput {
  private static let capacity = 1024
  private nonisolated(unsafe) static let kept = UnsafeMutablePointer<UInt8>.allocate(
    capacity: capacity)
  private nonisolated(unsafe) static var count = 0

  /// Keeps bytes until the next ones.
  static func keep(_ bytes: [UInt8]) {
    count = min(bytes.count, capacity)
    bytes.withUnsafeBufferPointer { source in
      if let start = source.baseAddress { kept.update(from: start, count: count) }
    }
  }

  /// Has the bytes told before the program dies.
  static func tellWhenDying() {
    keep([])
    for number in [SIGILL, SIGTRAP, SIGSEGV, SIGBUS, SIGFPE, SIGABRT, SIGALRM] {
      signal(number) { number in LastInput.tell(dyingOf: number) }
    }
  }

  /// In a signal handler only `write` is safe.
  private static func tell(dyingOf number: Int32) {
    say(number == SIGALRM ? "\nno end with " : "\ncrashed with ")
    for place in 0..<count {
      var digits = (digit(kept[place] >> 4), digit(kept[place] & 15))
      write(STDERR_FILENO, &digits, 2)
    }
    say("\n")
    signal(number, SIG_DFL)
    raise(number)
  }

  private static func say(_ text: StaticString) {
    write(STDERR_FILENO, text.utf8Start, text.utf8CodeUnitCount)
  }

  private static func digit(_ value: UInt8) -> UInt8 { value < 10 ? 0x30 + value : 0x57 + value }
}
