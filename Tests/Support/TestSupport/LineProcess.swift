import Foundation

/// What came so far, on which a test waits for the thing it expects.
public final class Inbox<Element: Sendable>: @unchecked Sendable {
  /// Nothing of the kind came in time.
  public struct Absent: Error, CustomStringConvertible {
    let expected: String
    let seen: String
    /// What was expected, and what came instead.
    public var description: String { "waited in vain for \(expected); came: \(seen)" }
  }

  private let condition = NSCondition()
  private var elements: [Element] = []

  /// An empty one.
  public init() {}

  /// Puts an element in; whoever waits looks again.
  public func add(_ element: Element) {
    condition.lock()
    elements.append(element)
    condition.broadcast()
    condition.unlock()
  }

  /// Takes out the first element that fits, waiting for it.
  public func take(_ expected: String, where fits: (Element) -> Bool) throws -> Element {
    let limit = Date().addingTimeInterval(30)
    condition.lock()
    defer { condition.unlock() }
    while true {
      if let index = elements.firstIndex(where: fits) { return elements.remove(at: index) }
      guard condition.wait(until: limit) else {
        throw Absent(expected: expected, seen: "\(elements.suffix(12))")
      }
    }
  }

  /// What is there now and was not taken.
  public var remaining: [Element] {
    condition.lock()
    defer { condition.unlock() }
    return elements
  }
}

extension Inbox where Element == String {
  /// Adds the lines that come out of a descriptor, on a thread of its own, and closes it at the end.
  public func addLines(from descriptor: Int32) {
    Thread.detachNewThread { [self] in
      var pending: [UInt8] = []
      while case let added = Spawn.read(descriptor), !added.isEmpty {
        pending += added
        while let newline = pending.firstIndex(of: 0x0A) {
          add(String(decoding: pending[..<newline], as: UTF8.self))
          pending.removeSubrange(...newline)
        }
      }
      close(descriptor)
    }
  }
}

/// A program with pipes, its output cut into lines on threads of their own; killed when the value goes away.
public final class LineProcess: Sendable {
  /// Its process id.
  public var pid: Int32 { life.pid }
  /// Lines of its standard output.
  public let output = Inbox<String>()
  /// Lines of its standard error.
  public let log = Inbox<String>()
  private let life: Life
  private let input: Input

  /// Starts a program by its path.
  public init(_ program: String, _ arguments: [String] = []) throws {
    let (input, output, errors) = try (Spawn.pipe(), Spawn.pipe(), Spawn.pipe())
    self.input = Input(input.write)
    defer { for end in [input.read, output.write, errors.write] { close(end) } }
    do {
      life = Life(
        try Spawn.start(
          program, arguments,
          Spawn.StandardFiles(input: input.read, output: output.write, error: errors.write)))
    } catch {
      for end in [output.read, errors.read] { close(end) }
      throw error
    }
    self.output.addLines(from: output.read)
    log.addLines(from: errors.read)
    let life = life
    Thread.detachNewThread { life.watch() }
  }

  /// Writes to its standard input.
  public func write(_ bytes: [UInt8]) throws { try input.write(bytes) }

  /// Closes its standard input.
  public func closeInput() { input.end() }

  /// Waits for the program's end and answers its exit code; 128 and the signal's number when a signal ended it.
  @discardableResult
  public func waitForEnd() throws -> Int32 {
    try life.ends.take("the program's end") { _ in true }
  }

  /// Whether it has not ended yet.
  public var isRunning: Bool { life.isRunning }

  /// Gives it a signal; one that has ended gets none.
  public func signal(_ number: Int32) { life.signal(number) }

  /// Ends the program at once and waits for its end.
  public func kill() throws {
    signal(SIGKILL)
    try waitForEnd()
  }

  /// Asks the program to end and waits for its end.
  public func terminate() throws {
    signal(SIGTERM)
    try waitForEnd()
  }

  deinit {
    signal(SIGKILL)
    closeInput()
  }
}

/// A program's life; the number of one that has ended may be another's already.
private final class Life: @unchecked Sendable {
  let pid: Int32
  let ends = Inbox<Int32>()
  private let lock = NSLock()
  private var hasEnded = false

  init(_ pid: Int32) { self.pid = pid }

  /// Waits for the end, on a thread of its own.
  func watch() {
    var information = siginfo_t()
    while waitid(P_PID, id_t(pid), &information, WEXITED | WNOWAIT) < 0, errno == EINTR {}
    var status: Int32 = 0
    lock.withLock {
      hasEnded = true
      waitpid(pid, &status, 0)
    }
    ends.add(Spawn.exitCode(status))
  }

  var isRunning: Bool { lock.withLock { !hasEnded } }

  func signal(_ number: Int32) {
    lock.withLock { if !hasEnded { Glibc.kill(pid, number) } }
  }
}

/// The end of a pipe that is written, closed once.
private final class Input: @unchecked Sendable {
  private let lock = NSLock()
  private var descriptor: Int32

  init(_ descriptor: Int32) { self.descriptor = descriptor }

  func write(_ bytes: [UInt8]) throws {
    let open = lock.withLock { descriptor }
    guard open >= 0 else { throw Spawn.Failure(EPIPE) }
    try Spawn.write(bytes, to: open)
  }

  func end() {
    lock.withLock {
      if descriptor >= 0 { close(descriptor) }
      descriptor = -1
    }
  }
}
