import CareModel
import Foundation
import Glibc
import TestSupport
import Testing

/// A terminal with nobody but a test in front of it.
private final class PseudoTerminal {
  let path: String
  private let master: Int32
  private let keeper: Int32
  private var seen: [UInt8] = []

  init() throws {
    var ends: (master: Int32, other: Int32) = (-1, -1)
    var name = [CChar](repeating: 0, count: 128)
    guard openpty(&ends.master, &ends.other, &name, nil, nil) == 0 else {
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

@Suite struct PINTests {
  private func pins(_ daemon: FakeDaemon) async -> [JSONValue?] {
    await daemon.commands.map { $0["pin"] }
  }

  /// Runs the tool with a terminal for input and errors, types what is asked, and answers its exit code.
  private func run(
    _ words: [String], _ daemon: FakeDaemon, typing lines: [(String, String)]
  ) throws -> (code: Int32, shown: String) {
    let terminal = try PseudoTerminal()
    let child = try ChildProcess(
      Tool.path, words + ["--socket", daemon.socket],
      environment: ["PATH": "/usr/bin:/bin", "HOMEWARD_CONFIG": "/nowhere/homeward.yaml"],
      input: terminal.path, errors: terminal.path)
    for (question, answer) in lines { #expect(terminal.type(answer, after: question)) }
    let code = child.wait()
    terminal.letGo()
    terminal.drain()
    return (code, terminal.shown)
  }

  @Test func atATerminalThePINIsTypedTwiceAndNeverShown() async throws {
    let daemon = try await FakeDaemon.withAlarms()
    let outcome = try run(
      ["pin", "set", "--duress"], daemon,
      typing: [("New PIN: ", "246813"), ("The same again: ", "246813")])
    #expect(outcome.code == 0, "\(outcome.shown)")
    #expect(!outcome.shown.contains("246813"))
    #expect(
      await daemon.commands
        == [["action": "pin.set", "target": "mary", "kind": "duress", "pin": "246813"]])
    await daemon.stop()
  }

  @Test func twoDifferentPINsChangeNothing() async throws {
    let daemon = try await FakeDaemon.withAlarms()
    let outcome = try run(
      ["pin", "set"], daemon, typing: [("New PIN: ", "2468"), ("The same again: ", "2469")])
    #expect(outcome.code == 1)
    #expect(outcome.shown.contains("the two are not the same; nothing was changed."))
    #expect(await daemon.commands.isEmpty)
    await daemon.stop()
  }

  @Test func anSOSIsEndedWithThePINThatIsTypedOnce() async throws {
    let daemon = try await FakeDaemon.withAlarms()
    let outcome = try run(["sos", "cancel", "--pin"], daemon, typing: [("PIN: ", "2468")])
    #expect(outcome.code == 0 && !outcome.shown.contains("2468"), "\(outcome.shown)")
    #expect(await pins(daemon) == ["2468"])
    await daemon.stop()
  }

  @Test func withoutATerminalThePINIsOneLineOfInput() async throws {
    let daemon = try await FakeDaemon.withAlarms()
    #expect(try daemon.tool.run(["pin", "set"], input: "13579\n").code == 0)
    #expect(try daemon.tool.run(["sos", "cancel", "--pin"], input: "13579").code == 0)
    #expect(await pins(daemon) == ["13579", "13579"])
    await daemon.stop()
  }

  @Test(arguments: ["", "\n", "123\n", "1234567890123\n", "12 34\n", "12a4\n", "１２３４\n", "-123\n"])
  func whatIsNoPINIsRefusedWithoutBeingRepeated(input: String) async throws {
    let daemon = try await FakeDaemon.withAlarms()
    let outcome = try daemon.tool.run(["pin", "set"], input: input)
    #expect(outcome.code == 2)
    let typed = input.filter { $0 != "\n" }
    #expect(typed.isEmpty || !(outcome.output + outcome.errors).contains(typed))
    #expect(await daemon.commands.isEmpty)
    await daemon.stop()
  }

  @Test func theEmergencyServicesAreReachedAfterATypedYesOnly() async throws {
    let daemon = try await FakeDaemon.withAlarms()
    let no = try run(["emergency", "call"], daemon, typing: [("Type yes: ", "y")])
    #expect(no.code == 1 && no.shown.contains("nobody was contacted"))
    #expect(await daemon.commands.isEmpty)
    let yes = try run(["emergency", "call"], daemon, typing: [("Type yes: ", "yes")])
    #expect(yes.code == 0, "\(yes.shown)")
    #expect(await daemon.commands.count == 1)
    await daemon.stop()
  }
}
