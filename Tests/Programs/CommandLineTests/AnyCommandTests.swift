import Care
import Foundation
import JSON
import Testing

@Suite("homeward command: whatever the gateway can be told") struct AnyCommandTests {
  private static let zone =
    #"{"id":"home","resident":"mary","name":"Home","isHome":true,"center":{"latitude":1.5,"longitude":2},"radius":50}"#

  @Test(
    "What is written becomes what the action takes",
    arguments: [
      (["tag.remove", "target=keys"], ["action": "tag.remove", "target": "keys"]),
      (
        ["device.search", "target=mary", "seconds=20"],
        ["action": "device.search", "target": "mary", "seconds": 20]
      ),
      (["alarm.silence"], ["action": "alarm.silence"]),
      (
        ["meter.answer", "target=C0:11:22:33:44:55", "resident=mary", "isSame=true"],
        [
          "action": "meter.answer", "target": "C0:11:22:33:44:55", "resident": "mary",
          "isSame": true,
        ]
      ),
      (
        ["alarm.resolve", "reason=a=b, c"], ["action": "alarm.resolve", "reason": "a=b, c"]
      ),
    ] as [([String], JSONValue)])
  func performed(words: [String], request: JSONValue) async throws {
    let daemon = try await FakeDaemon.withAlarms()
    let outcome = try daemon.tool.run(["command"] + words)
    #expect(outcome.code == 0, "\(outcome.errors)")
    #expect(outcome.output == "alarm: a1\ntag: A7K2\n")
    #expect(await daemon.commands == [request])
    await daemon.stop()
  }

  @Test("A record is JSON, and the answer of a program, too")
  func record() async throws {
    let daemon = try await FakeDaemon.withAlarms(reply: [:])
    let outcome = try daemon.tool.run(["command", "zone.put", "zone=\(Self.zone)", "--json"])
    #expect(outcome.code == 0, "\(outcome.errors)")
    #expect(outcome.output == "{}\n")
    let sent = try #require(await daemon.commands.first)
    #expect(sent["zone"]?["center"]?["latitude"] == 1.5)
    let plain = try daemon.tool.run(["command", "zone.put", "zone=-"], input: Self.zone)
    #expect(plain.code == 0, "\(plain.errors)")
    #expect(plain.output == "Done.\n")
    #expect(await daemon.commands.last == sent)
    await daemon.stop()
  }

  @Test("A list is words with commas, or JSON")
  func list() async throws {
    let daemon = try await FakeDaemon.withAlarms()
    for written in ["a b,c", #"["a b","c"]"#] {
      let words = [
        "command", "account.set-questions", "target=anna", "password=-", "questions=\(written)",
      ]
      #expect(try daemon.tool.run(words, input: "long enough\n").code == 0)
    }
    let sent = await daemon.commands
    #expect(sent.count == 2)
    for request in sent {
      #expect(request["questions"] == ["a b", "c"])
      #expect(request["password"] == "long enough")
    }
    await daemon.stop()
  }

  @Test(
    "What does not fit is said with what it takes, and nothing is sent",
    arguments: [
      (["tag.remov", "target=keys"], "Did you mean \"tag.remove\"?"),
      (["tag.remove"], "target is missing."), (["tag.remove", "keys"], "is not NAME=VALUE"),
      (["tag.remove", "tag=keys"], "tag.remove takes no \"tag\""),
      (["tag.remove", "target=a", "target=b"], "stands there twice"),
      (["device.search", "target=mary", "seconds=0"], "whole number, 1 through 60"),
      (["device.search", "target=mary", "seconds=x"], "whole number, 1 through 60"),
      (["consent.put", "target=mary", "kind=x", "isGranted=true", "by=a"], "location, camera"),
      (["consent.put", "target=mary", "kind=camera", "isGranted=yes", "by=a"], "true or false"),
      (["zone.put", "zone={"], "\"zone\" is wanted as: SafeZone"),
      (["alarm.silence", "x=1"], "It takes nothing."),
      (["account.set-questions", "target=anna", "answers=2468"], "answers=-"),
      (["pin.set", "target=mary", "kind=okay", "pin=2468"], "pin=-"),
    ])
  func refused(words: [String], said: String) async throws {
    let daemon = try await FakeDaemon.withAlarms()
    let outcome = try daemon.tool.run(["command"] + words)
    #expect(outcome.code == 2)
    #expect(outcome.errors.contains(said), "\(outcome.errors)")
    #expect(!outcome.errors.contains("2468"))
    #expect(await daemon.commands.isEmpty)
    await daemon.stop()
  }

  @Test("Without an action every one stands there, for people and for programs")
  func listing() throws {
    let page = try Tool().run(["command"])
    #expect(page.code == 0)
    let lines = page.output.split(separator: "\n")
    #expect(lines.count == CommandRule.all.count + 1)
    for rule in CommandRule.all {
      #expect(lines.contains { $0.split(separator: " ").first == Substring(rule.action) })
    }
    let json = try JSONValue(parsing: Tool().run(["command", "--json"]).output)
    let search = json.arrayContent?.first { $0["action"] == "device.search" }
    #expect(search?["takes"]?["properties"]?["seconds"]?["maximum"] == 60)
  }
}
