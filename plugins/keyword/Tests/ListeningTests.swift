import Care
import Foundation
import JSON
import Loop
import PluginTestSupport
import TestSupport
import Testing
import Texts

@testable import homeward_plugin_keyword

/// The plugin under the real host, with ALSA's file device as microphone.
@Suite("Listening", .serialized, .timeLimit(.minutes(3)))
@LoopActor
struct ListeningTests {
  private func plugin(
    _ sound: [Int16], settings: [(key: String, value: JSONValue)] = [],
    grants: Set<String> = ["command:sos.raise"]
  ) throws -> HostedPlugin {
    let defaults: JSONValue = [
      "enabled": true, "target": "mary", "device": "heard", "phrase": "help me please",
    ]
    let complete = settings.reduce(defaults) { $0.setting($1.key, to: $1.value) }
    return try HostedPlugin("keyword", settings: complete, grants: grants) { state in
      let file = "\(state)/sound.raw"
      let bytes = sound.withUnsafeBytes { Data($0) }
      try bytes.write(to: URL(fileURLWithPath: file))
      let device =
        "pcm.heard { type file slave.pcm \"null\" file \"/dev/null\" infile \"\(file)\" format \"raw\" }\n"
      try Data(device.utf8).write(to: URL(fileURLWithPath: "\(state)/.asoundrc"))
    }
  }

  @Test("The phrase said twice raises one SOS for the resident, and digital silence is told after")
  func raises() async throws {
    let said = try Spoken.samples("help me please")
    let plugin = try plugin(Spoken.silence(2) + said + Spoken.silence(1.5) + said)
    let report = await plugin.wait(for: .degraded, code: "silent")
    #expect(report?.detail.description.contains("muted") == true)
    #expect(plugin.commands.count == 1)
    let expected = AlarmRequest.raise(
      resident: "mary", kind: .sos, trigger: .keyword,
      text: "The spoken keyword was heard twice.")
    #expect(plugin.commands.first?.request == .alarm(expected))
    await plugin.stop()
  }

  @Test("The phrase for the way home has the gateway ask whether to show it")
  func home() async throws {
    let said = try Spoken.samples("take me home please")
    let plugin = try plugin(
      Spoken.silence(2) + said, settings: [("homePhrase", "take me home please")],
      grants: ["command:sos.raise", "command:guidance.start"])
    _ = await plugin.wait(for: .degraded, code: "silent")
    #expect(plugin.commands.count == 1)
    let request = plugin.commands.first?.request
    guard case .feature(let asked) = request else {
      Issue.record("\(String(describing: request))")
      return
    }
    #expect(asked.action == "guidance.start" && asked.target == "mary")
    #expect(asked.content.json["to"]?["home"] == true && asked.content.json["asks"] == true)
    await plugin.stop()
  }

  @Test("Switched off it is well and says that it is off")
  func off() async throws {
    let plugin = try plugin([], settings: [("enabled", false)])
    let report = await plugin.wait(for: .working, code: "off")
    #expect(report?.detail.description.contains("does not listen") == true)
    await plugin.stop()
  }

  @Test("A microphone that is not there is told with what to do")
  func missing() async throws {
    let plugin = try plugin([], settings: [("device", "hw:CARD=NoSuchCard")])
    let report = await plugin.wait(for: .failed, code: "no-microphone")
    #expect(report?.detail.description.contains("NoSuchCard") == true)
    await plugin.stop()
  }

  @Test("Without the grant, or with an unknown word, it does not start and says why")
  func refusedSettings() async throws {
    let bare = try plugin([], grants: [])
    #expect(await bare.wait(for: .failed)?.detail.description.contains("command:sos.raise") == true)
    await bare.stop()
    let silent = try plugin([], settings: [("homePhrase", "take me home please")])
    #expect(await silent.wait(for: .failed)?.detail.description.contains("guidance.start") == true)
    await silent.stop()
    let strange = try plugin([], settings: [("phrase", "please xqzt me")])
    #expect(await strange.wait(for: .failed)?.detail.description.contains("xqzt") == true)
    await strange.stop()
  }

  @Test("The conformance suite passes")
  func conformance() async throws {
    let (failed, count) = try await HostedPlugin.conformance("keyword")
    #expect(failed.isEmpty && count > 3, "\(failed)")
  }
}
