import Foundation
import JSON
import Testing

@Suite struct PINTests {
  private func pins(_ daemon: FakeDaemon) async -> [JSONValue?] {
    await daemon.commands.map { $0["pin"] }
  }

  @Test func atATerminalThePINIsTypedTwiceAndNeverShown() async throws {
    let daemon = try await FakeDaemon.withAlarms()
    let outcome = try daemon.tool.talk(
      ["pin", "set", "--duress"],
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
    let outcome = try daemon.tool.talk(
      ["pin", "set"], typing: [("New PIN: ", "2468"), ("The same again: ", "2469")])
    #expect(outcome.code == 1)
    #expect(outcome.shown.contains("the two are not the same; nothing was changed."))
    #expect(await daemon.commands.isEmpty)
    await daemon.stop()
  }

  @Test func anSOSIsEndedWithThePINThatIsTypedOnce() async throws {
    let daemon = try await FakeDaemon.withAlarms()
    let outcome = try daemon.tool.talk(["sos", "cancel", "--pin"], typing: [("PIN: ", "2468")])
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
    let no = try daemon.tool.talk(["emergency", "call"], typing: [("Type yes: ", "y")])
    #expect(no.code == 1 && no.shown.contains("nobody was contacted"))
    #expect(await daemon.commands.isEmpty)
    let yes = try daemon.tool.talk(["emergency", "call"], typing: [("Type yes: ", "yes")])
    #expect(yes.code == 0, "\(yes.shown)")
    #expect(await daemon.commands.count == 1)
    await daemon.stop()
  }
}
