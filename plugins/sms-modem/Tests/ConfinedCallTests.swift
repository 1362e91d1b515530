import Care
import Foundation
import JSON
import Loop
import PluginProtocol
import PluginTestSupport
import TestSupport
import Testing

/// The plugin under the gateway's own host, confined, with the speech plugin beside it.
@LoopActor
@Suite(.serialized, .enabled(if: ModemUnderTest.isPossible, "socat is not installed"))
struct ConfinedCallTests {
  private static let grants: Set<String> = [
    "observe:delivery", "command:alarm.acknowledge", "service:speech",
  ]

  @Test func theAlarmIsSpokenByTheSpeechPluginAndTakenChargeOfByKey() async throws {
    let modem = try RigModem()
    let directory = try TemporaryDirectory()
    let sound = directory.path(of: "state/sms-modem/line.raw")
    try modem.plugIn(after: [["do": "answer", "keys": "5", "key_seconds": 4]])
    let plugin = try HostedPlugin(
      "sms-modem",
      settings: [
        "port": .string(modem.port), "voice": ["playbackDevice": .string("file:\(sound),raw")],
      ], grants: Self.grants, in: directory, companions: ["speech"], devicePaths: [modem.port])
    _ = await plugin.wait(for: .working)
    let message = AlarmMessage(
      alarm: "alarm-1", tag: "A7K2", notice: .alarm, guardian: "anna", channel: .voice,
      address: "+4791234567", attempt: 1, text: "SOS", spokenText: "Mary Smith needs help.",
      language: "en", asksForAcknowledgement: true)
    let answer = try await plugin.call("notify.voice", message.json).get()
    #expect(answer["outcome"]?.stringContent == "taken", "\(answer)")
    await plugin.wait { Self.outcomes(plugin).contains { $0 != .sent } }
    try #require(Self.outcomes(plugin) == [.sent, .delivered], "\(plugin.observations)")
    await plugin.wait { !plugin.commands.isEmpty }
    await plugin.stop()
    #expect(try Self.loudShare(of: sound) > 0.2)
  }

  private static func outcomes(_ plugin: HostedPlugin) -> [DeliveryReport.Outcome] {
    plugin.observations.compactMap {
      guard case .delivery(let report) = $0 else { return nil }
      return report.outcome
    }
  }

  /// How much of what was played is louder than a hundredth of full scale.
  private static func loudShare(of path: String) throws -> Double {
    let bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
    let samples = stride(from: 0, to: bytes.count - 1, by: 2).map {
      Int16(bitPattern: UInt16(bytes[$0]) | UInt16(bytes[$0 + 1]) << 8)
    }
    return Double(samples.count { $0.magnitude > 327 }) / Double(max(1, samples.count))
  }
}
