import Care
import JSON
import Loop
import Plugins
import TestSupport
import Testing

/// Whatever a plugin hands in bears its own name.
@LoopActor @Suite struct SignatureTests {
  private func answers(
    _ fixture: HostFixture, _ name: String, _ observations: [JSONValue],
    beside others: [ZooPlugin] = []
  ) async throws -> [String] {
    var plugin = ZooPlugin("claim", name: name)
    plugin.asks = ["observe:fix", "observe:button", "observe:health", "observe:delivery"]
    plugin.granted = Set(plugin.asks)
    plugin.settings = ["observations": .array(observations)]
    try fixture.start([plugin] + others)
    await fixture.waitForLog(of: name, containing: "answers")
    let line = fixture.log(of: name).first { $0.hasPrefix("answers") } ?? ""
    return line.split(separator: " ").dropFirst().map(String.init)
  }

  private func fix(_ source: String) -> JSONValue {
    ["kind": "fix", "source": .string(source), "mode": "3d", "latitude": 1.5, "longitude": 2.5]
  }

  private func press(_ button: String) -> JSONValue {
    ["kind": "button", "button": .string(button), "gesture": "hold", "edge": 1]
  }

  private func buttons(_ fixture: HostFixture) -> [String] {
    fixture.observations.compactMap {
      if case .button(let report) = $0.observation { report.button.rawValue } else { nil }
    }
  }

  @Test("A plugin's positions are never those of the gateway's own receiver")
  func fixes() async throws {
    let fixture = try HostFixture()
    let said = try await answers(fixture, "claim", [fix("gps"), fix("claim/phone"), fix("")])
    #expect(said == ["taken", "taken", "taken"])
    let sources = fixture.observations.compactMap { observation -> String? in
      if case .fix(let report) = observation.observation { report.source.rawValue } else { nil }
    }
    #expect(sources == ["claim/gps", "claim/phone", "claim/"])
    await fixture.stop()
  }

  @Test(
    "A plugin presses no button of the gateway, and none of a plugin whose name begins like its own"
  )
  func presses() async throws {
    let fixture = try HostFixture()
    fixture.ownButtons = ["sms-door"]
    let said = try await answers(
      fixture, "sms",
      [
        press("bell"), press("sms-bell"), press("kitchen"), press("door"), press("modem-bell"),
        press("sms-modem-bell"),
      ], beside: [ZooPlugin("good", name: "sms-modem")])
    #expect(said == ["taken", "taken", "taken", "refused", "refused", "refused"])
    #expect(buttons(fixture) == ["sms-bell", "sms-bell", "sms-kitchen"])
    await fixture.wait(for: "sms", .degraded, code: "refused")
    await fixture.stop()
  }

  @Test("A plugin has 32 parts; what it says of more is refused, once told, and not remembered")
  func parts() async throws {
    let fixture = try HostFixture()
    let observations = (0..<200).map { number -> JSONValue in
      [
        "kind": "health", "component": .string("part-\(number)"), "state": "failed",
        "code": "gone", "detail": "It is gone.",
      ]
    }
    let said = try await answers(fixture, "claim", observations)
    #expect(said.count { $0 == "taken" } == 32)
    #expect(said.count { $0 == "refused" } == 168)
    let parts = fixture.observations.compactMap { observation -> String? in
      if case .health(let report) = observation.observation {
        report.component.rawValue
      } else {
        nil
      }
    }
    #expect(parts == (0..<32).map { "plugin/claim/part-\($0)" })
    await fixture.wait(for: "claim", .degraded, code: "refused")
    let lines = fixture.log(of: "claim").filter { $0.contains("more than 32 parts") }
    #expect(lines.count == 1)
    // Another process of the same plugin has no more parts than the first.
    fixture.host?.restart("claim")
    await fixture.wait { fixture.log(of: "claim").count { $0.hasPrefix("answers") } == 2 }
    let again = fixture.log(of: "claim").last { $0.hasPrefix("answers") } ?? ""
    #expect(again.split(separator: " ").count { $0 == "taken" } == 32)
    await fixture.stop()
  }
}
