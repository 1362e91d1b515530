import ControlSocket
import Door
import JSON
import Testing
import Texts

@Suite("The list of plugins") struct PluginListTests {
  private func daemon(_ plugins: JSONValue) async throws -> FakeDaemon {
    try await FakeDaemon { request in
      request.method == .pluginsList
        ? .success(plugins) : .failure(ControlError(.unavailable, Message(verbatim: "no")))
    }
  }

  private static func plugin(
    _ name: String, withheld: [JSONValue] = [], reads: [JSONValue]? = nil
  ) -> JSONValue {
    .object([
      "name": .string(name), "state": "running", "lanes": [], "deadLetters": 0, "restarts": 0,
      "withheld": .array(withheld), "reads": reads.map { .array($0) },
    ])
  }

  @Test("Below the table stands what each plugin does not see, and what it may ask the gateway")
  func remarks() async throws {
    let daemon = try await daemon([
      Self.plugin("mqtt", withheld: ["health"], reads: ["read:alarms", "read:position"]),
      // A gateway of an earlier version tells nothing of questions.
      Self.plugin("webhook"), Self.plugin("email", reads: []),
    ])
    let outcome = try daemon.tool.run(["plugins"])
    let lines = outcome.output.split(separator: "\n")
    #expect(outcome.code == 0 && lines.count == 6, "\(outcome.output)\(outcome.errors)")
    #expect(lines[4].hasPrefix("mqtt does not see: health."))
    #expect(lines.last == "mqtt may ask the gateway: read:alarms, read:position.")
    await daemon.stop()
  }
}
