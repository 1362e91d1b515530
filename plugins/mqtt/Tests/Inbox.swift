import Foundation

/// What came so far, on which a test waits for the thing it expects.
final class Inbox<Element: Sendable>: @unchecked Sendable {
  /// Nothing of the kind came in time.
  struct Absent: Error, CustomStringConvertible {
    let expected: String
    let seen: String
    var description: String { "waited in vain for \(expected); came: \(seen)" }
  }

  private let condition = NSCondition()
  private var elements: [Element] = []

  func add(_ element: Element) {
    condition.lock()
    elements.append(element)
    condition.broadcast()
    condition.unlock()
  }

  /// Takes out the first element that fits, waiting for it.
  func take(_ expected: String, where fits: (Element) -> Bool) throws -> Element {
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
  var remaining: [Element] {
    condition.lock()
    defer { condition.unlock() }
    return elements
  }
}

/// A program with pipes, its output cut into lines on threads of their own.
final class LineProcess: @unchecked Sendable {
  let process = Process()
  let output = Inbox<String>()
  let log = Inbox<String>()
  private let input = Pipe()
  private let ends = Inbox<Int32>()

  init(_ program: String, _ arguments: [String] = []) throws {
    process.executableURL = URL(fileURLWithPath: program)
    process.arguments = arguments
    let (standardOutput, standardError) = (Pipe(), Pipe())
    process.standardInput = input
    process.standardOutput = standardOutput
    process.standardError = standardError
    let ends = ends
    process.terminationHandler = { ends.add($0.terminationStatus) }
    try Self.withSignalsUnblocked { try process.run() }
    Self.read(standardOutput, into: output)
    Self.read(standardError, into: log)
  }

  /// The threads of tests block signals, and programs inherit that.
  private static func withSignalsUnblocked(_ body: () throws -> Void) rethrows {
    var (none, before) = (sigset_t(), sigset_t())
    sigemptyset(&none)
    pthread_sigmask(SIG_SETMASK, &none, &before)
    defer { pthread_sigmask(SIG_SETMASK, &before, nil) }
    try body()
  }

  private static func read(_ pipe: Pipe, into inbox: Inbox<String>) {
    let handle = pipe.fileHandleForReading
    Thread.detachNewThread {
      var pending = Data()
      while case let added = handle.availableData, !added.isEmpty {
        pending.append(added)
        while let newline = pending.firstIndex(of: 0x0A) {
          inbox.add(String(decoding: pending[pending.startIndex..<newline], as: UTF8.self))
          pending.removeSubrange(pending.startIndex...newline)
        }
      }
    }
  }

  func write(_ bytes: [UInt8]) throws { try input.fileHandleForWriting.write(contentsOf: bytes) }

  func closeInput() throws { try input.fileHandleForWriting.close() }

  /// Waits for the program's end and answers its exit code, or the number of the signal that ended it.
  @discardableResult
  func waitForEnd() throws -> Int32 { try ends.take("the program's end") { _ in true } }

  /// Ends the program at once and waits for its end.
  func kill() throws {
    Glibc.kill(process.processIdentifier, SIGKILL)
    try waitForEnd()
  }

  /// Asks the program to end and waits for its end.
  func terminate() throws {
    Glibc.kill(process.processIdentifier, SIGTERM)
    try waitForEnd()
  }

  deinit { if process.isRunning { Glibc.kill(process.processIdentifier, SIGKILL) } }
}
