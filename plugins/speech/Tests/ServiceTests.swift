import Care
import Foundation
import JSON
import Loop
import PluginTestSupport
import Ports
import TestSupport
import Testing
import Texts

@Suite("Speech as a service", .timeLimit(.minutes(2)))
struct ServiceTests {
  private func path(_ result: Result<JSONValue, ServiceFailure>) throws -> String {
    try #require(result.get()["path"]?.stringContent)
  }

  private func say(_ text: String, _ language: String = "en") -> JSONValue {
    ["text": .string(text), "language": .string(language)]
  }

  @Test("Confined by the host it speaks both languages into files of its own folder")
  func confined() async throws {
    let plugin = try await HostedPlugin("speech")
    _ = await plugin.wait(for: .working)
    let state = await plugin.stateRoot
    for (text, language) in [("Help is being called.", "en"), ("请坐下等一等。", "zh")] {
      let file = try path(await plugin.call("speech", say(text, language)))
      #expect(file.hasPrefix("\(state)/speech/"))
      let bytes = try Data(contentsOf: URL(fileURLWithPath: file))
      #expect(bytes.prefix(4) == Data("RIFF".utf8) && bytes.count > 20_000)
    }
    await plugin.stop()
  }

  @Test("The same sentence is the same file, also after a restart, and others are others")
  func sameFile() async throws {
    let directory = try TemporaryDirectory()
    let first = try await HostedPlugin("speech", in: directory)
    _ = await first.wait(for: .working)
    let one = try path(await first.call("speech", say("Anna is coming.")))
    #expect(try path(await first.call("speech", say("Anna is coming."))) == one)
    #expect(try path(await first.call("speech", say("Peter is coming."))) != one)
    await first.stop()
    let modified = try FileManager.default.attributesOfItem(atPath: one)[.systemFileNumber]
    let second = try await HostedPlugin("speech", in: directory)
    _ = await second.wait(for: .working)
    #expect(try path(await second.call("speech", say("Anna is coming."))) == one)
    let inode = try FileManager.default.attributesOfItem(atPath: one)[.systemFileNumber]
    #expect(inode as? Int == modified as? Int)
    await second.stop()
  }

  @Test(
    "What cannot be spoken is refused with what to do",
    arguments: [
      (["text": "hello", "language": "fr"], "en or zh"),
      (["text": "", "language": "en"], "write it in English or Chinese"),
      (["text": .string(String(repeating: "a", count: 2001)), "language": "en"], "shorter"),
      (["text": "hello"], "language"), (["text": 3, "language": "en"], "text"),
      (["text"], "wrong type"),
    ] as [(JSONValue, String)])
  func refused(params: JSONValue, reason: String) async throws {
    let plugin = try await HostedPlugin("speech")
    _ = await plugin.wait(for: .working)
    let result = await plugin.call("speech", params)
    guard case .failure(let failure) = result else {
      Issue.record("\(params) was spoken")
      return await plugin.stop()
    }
    #expect(failure.message.description.contains(reason), "\(failure.message)")
    await plugin.stop()
  }

  @Test("More than it can line up is refused at once, and what was taken is spoken")
  func flood() async throws {
    let plugin = try await HostedPlugin("speech")
    _ = await plugin.wait(for: .working)
    let results = await withTaskGroup(of: Result<JSONValue, ServiceFailure>.self) { group in
      for number in 0..<60 {
        let params = say("Sentence number \(number) is being spoken for you.")
        group.addTask { await plugin.call("speech", params) }
      }
      return await group.reduce(into: []) { $0.append($1) }
    }
    let spoken = results.filter { (try? $0.get()) != nil }
    #expect(spoken.count >= 16)
    #expect(spoken.count < 60)
    await plugin.stop()
  }

  @Test("A voice that does not exist is told to the owner")
  func unknownVoice() async throws {
    let plugin = try await HostedPlugin("speech", settings: ["voice": "tlh-x-none"])
    let report = await plugin.wait(for: .failed)
    #expect(report?.detail.description.contains("espeak-ng --voices") == true)
    await plugin.stop()
  }

  @Test("The conformance suite passes")
  func conformance() async throws {
    let (failed, count) = try await HostedPlugin.conformance("speech")
    #expect(failed.isEmpty && count > 3, "\(failed)")
  }
}
