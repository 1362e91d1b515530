import Care
import Foundation
import Loop
import PluginTestSupport
import Ports
import TestSupport
import Testing

@testable import SpokenSentences

@Suite("Sentences with the real speech plugin", .timeLimit(.minutes(1)))
@LoopActor
struct RealPluginTests {
  @Test("What is kept is spoken by the confined plugin, and there when the plugin is gone")
  func endToEnd() async throws {
    let plugin = try HostedPlugin("speech")
    let folder = plugin.directory.path(of: "gateway-speech")
    let cache = SentenceCache(
      folder: folder, pluginState: plugin.stateRoot, voice: "default", services: plugin)
    cache.backoff = Backoff(
      firstMilliseconds: 5, longestMilliseconds: SentenceCache.longestWaitMilliseconds)
    let sentences = [
      Sentence("Help is being called.", language: "en"), Sentence("正在呼叫帮助。", language: "zh"),
      SpokenClock.sentence(hour: 3, minute: 15, language: "zh"),
    ]
    cache.keep(sentences)
    // It is tried again until the plugin, which is only starting, can answer.
    await withCheckedContinuation { continuation in
      cache.start { observation in
        guard case .health(let report) = observation, report.state == .working else { return }
        continuation.resume()
      }
    }
    await plugin.stop()
    for sentence in sentences {
      let file = try #require(cache.file(for: sentence))
      let content = try Data(contentsOf: URL(fileURLWithPath: file))
      #expect(try WaveCheck.check(Array(content)) > 500)
    }
    cache.stop()
  }
}
