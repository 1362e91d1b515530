import Care
import ControlSocket
import Door
import JSON
import TestSupport
import Testing
import Texts

@Suite("People on the command line")
struct ResidentCommandTests {
  private static let mary = Resident(
    id: "mary", name: "Mary", timeZone: "Europe/Oslo", gpsSource: "nope")

  private func daemon(_ resident: JSONValue = mary.json) async throws -> FakeDaemon {
    try await FakeDaemon { request in
      switch request.method {
      case .residentsList: .success([resident])
      case .health: .success(["version": "0", "components": []])
      case .command: .success(["id": "x", "told": "alarm"])
      default: .failure(ControlError(.unavailable, Message(verbatim: "not asked for.")))
      }
    }
  }

  @Test(
    "A time zone that is none is refused with the one that was probably meant",
    arguments: [
      ("Asia/Shanghia", "Did you mean Asia/Shanghai?"), ("London", "Did you mean Europe/London?"),
      ("new york", "Did you mean America/New_York?"), ("Nowhere/Atall", "/usr/share/zoneinfo"),
    ])
  func timeZone(zone: String, hint: String) async throws {
    let daemon = try await daemon()
    for words in [["residents", "add", "--name", "Tom"], ["residents", "change", "mary"]] {
      let outcome = try daemon.tool.run(words + ["--time-zone", zone])
      #expect(outcome.code == 2 && outcome.errors.contains(hint), "\(outcome.errors)")
    }
    #expect(await daemon.commands.isEmpty)
    let changed = try daemon.tool.run([
      "residents", "change", "mary", "--time-zone", "Asia/Shanghai",
    ])
    #expect(changed.code == 0)
    await daemon.stop()
  }

  @Test("The doctor names a receiver and a time zone that are not there")
  func doctor() async throws {
    var mary = Self.mary
    mary.timeZone = "Asia/Shanghia"
    let daemon = try await daemon(mary.json.setting("isReceiverMissing", to: true))
    let outcome = try daemon.tool.run(["doctor"])
    #expect(outcome.code == 1)
    #expect(outcome.output.contains("no receiver named \"nope\" is configured"))
    #expect(outcome.output.contains("does not know: Asia/Shanghia"))
    await daemon.stop()
  }

  @Test(
    "What a meter shows at the ends of its range is handed on and told", arguments: ["LO", "hi"])
  func showing(word: String) async throws {
    let daemon = try await daemon()
    let outcome = try daemon.tool.run(["glucose", "add", word, "--by", "Anna"])
    #expect(outcome.code == 0 && outcome.output.contains("the alarm is raised"), "\(outcome)")
    let command = try #require(await daemon.commands.first)
    #expect(command["action"] == "glucose.showing" && command["by"] == "Anna")
    #expect(command["showing"] == .string(word.uppercased()))
    await daemon.stop()
  }
}
