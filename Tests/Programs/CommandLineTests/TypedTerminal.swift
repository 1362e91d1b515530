import Foundation
import Glibc
import Testing

/// A terminal with nobody but a test in front of it.
final class TypedTerminal {
  let path: String
  private let master: Int32
  private let keeper: Int32
  private var seen: [UInt8] = []

  init(columns: UInt16 = 80) throws {
    var size = winsize(ws_row: 50, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0)
    var ends: (master: Int32, other: Int32) = (-1, -1)
    var name = [CChar](repeating: 0, count: 128)
    guard openpty(&ends.master, &ends.other, &name, nil, &size) == 0 else {
      throw CocoaError(.fileNoSuchFile)
    }
    master = ends.master
    keeper = ends.other
    path = String(decoding: name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  /// Lets go of the end that kept the terminal open until the program had its own.
  func letGo() { close(keeper) }

  deinit { close(master) }

  /// Everything that was shown so far.
  var shown: String { String(decoding: seen, as: UTF8.self) }

  /// Waits until a text is shown, then types a line.
  func type(_ line: String, after text: String) -> Bool {
    let start = seen.count
    while !String(decoding: seen[start...], as: UTF8.self).contains(text) {
      guard take() else { return false }
    }
    return write(master, line + "\n", line.utf8.count + 1) == line.utf8.count + 1
  }

  /// Takes what is shown until the program is gone.
  func drain() { while take() {} }

  private func take() -> Bool {
    var ready = pollfd(fd: master, events: Int16(POLLIN), revents: 0)
    guard poll(&ready, 1, 20_000) == 1 else { return false }
    var bytes = [UInt8](repeating: 0, count: 1000)
    let count = read(master, &bytes, bytes.count)
    if count > 0 { seen += bytes.prefix(count) }
    return count > 0
  }
}

extension Tool {
  /// Runs it with a terminal for output, and answers what is to be seen there.
  func look(_ words: [String], columns: UInt16) throws -> String {
    let terminal = try TypedTerminal(columns: columns)
    let child = try ChildProcess(
      Self.path, words,
      environment: [
        "PATH": "/usr/bin:/bin", "TZ": "Europe/Oslo", "HOMEWARD_CONFIG": "/nowhere/homeward.yaml",
      ].merging(environment) { $1 }, output: terminal.path)
    #expect(child.wait() == 0)
    terminal.letGo()
    terminal.drain()
    return terminal.shown
  }

  /// Runs it with a terminal for input and errors, types what is asked, and answers its exit code.
  func talk(
    _ words: [String], typing lines: [(question: String, answer: String)]
  ) throws -> (code: Int32, shown: String) {
    let terminal = try TypedTerminal()
    let child = try ChildProcess(
      Self.path, words,
      environment: [
        "PATH": "/usr/bin:/bin", "TZ": "Europe/Oslo", "HOMEWARD_CONFIG": "/nowhere/homeward.yaml",
      ].merging(environment) { $1 }, input: terminal.path, errors: terminal.path)
    for (question, answer) in lines {
      #expect(terminal.type(answer, after: question), "\(question)\n\(terminal.shown)")
    }
    let code = child.wait()
    terminal.letGo()
    terminal.drain()
    return (code, terminal.shown)
  }
}
