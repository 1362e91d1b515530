import Care
import Foundation
import JSON
import Loop
import LoopTestSupport
import Moments
import Ports
import TestSupport
import Testing
import Texts

@testable import SpokenSentences

@Suite("Sentences kept ready", .inVirtualTime, .timeLimit(.minutes(1)))
@LoopActor
struct SentenceCacheTests {
  private let help = Sentence("Help is being called.", language: "en")

  @Test("A sentence is rendered once, copied, and there from then on")
  func rendersOnce() async throws {
    let fixture = try SentenceFixture()
    #expect(fixture.cache.file(for: help) == nil)
    let file = try #require(await fixture.render(help))
    #expect(file.hasPrefix(fixture.directory.path(of: "speech")))
    #expect(try Data(contentsOf: URL(fileURLWithPath: file)) == Data(TestWave.file()))
    #expect(await fixture.render(help) == file)
    #expect(fixture.cache.file(for: help) == file)
    #expect(fixture.speech.asked == [help])
  }

  @Test("The same words in another language are another sentence")
  func language() async throws {
    let fixture = try SentenceFixture()
    let english = await fixture.render(Sentence("SOS", language: "en"))
    let chinese = await fixture.render(Sentence("SOS", language: "zh"))
    #expect(english != nil && chinese != nil && english != chinese)
  }

  @Test("Kept sentences are rendered one after the other, and then all is well")
  func keeps() async throws {
    let fixture = try SentenceFixture()
    let sentences = SentenceFixture.sentences(10)
    fixture.cache.keep(sentences)
    #expect(fixture.health.last?.state == .starting)
    _ = await fixture.wait(for: .working)
    #expect(fixture.speech.asked == sentences)
    #expect(sentences.allSatisfy { fixture.cache.file(for: $0) != nil })
    #expect(fixture.files.count == 10)
  }

  @Test("After a restart with a dead plugin everything that was kept is there")
  func survivesRestart() async throws {
    let first = try SentenceFixture()
    first.cache.keep(SentenceFixture.sentences(3))
    _ = await first.wait(for: .working)
    first.cache.stop()
    let second = try SentenceFixture(in: first.directory)
    second.speech.behaviour = .fails(isMissing: true)
    second.cache.keep(SentenceFixture.sentences(3))
    #expect(second.health.last?.state == .working)
    #expect(second.speech.asked.isEmpty)
    #expect(SentenceFixture.sentences(3).allSatisfy { second.cache.file(for: $0) != nil })
  }

  @Test("While the plugin is away the component says how many lack, and catches up when it is back")
  func pluginAway() async throws {
    let fixture = try SentenceFixture()
    fixture.speech.behaviour = .fails(isMissing: false)
    let start = EventLoop.now
    fixture.cache.keep(SentenceFixture.sentences(4))
    let report = await fixture.wait(for: .degraded)
    #expect(report?.component == ComponentID("speech"))
    #expect(report?.detail.description.hasPrefix("4 sentences are not ready: it is away") == true)
    await fixture.speech.wait { fixture.speech.asked.count >= 5 }
    // After one second, two, four and eight, as it ships.
    #expect(EventLoop.now.milliseconds(since: start) == 15_000)
    fixture.speech.behaviour = .speaks(TestWave.file())
    _ = await fixture.wait(for: .working)
    #expect(fixture.files.count == 4)
  }

  @Test("Where no plugin speaks none is looked for, until one may be there")
  func noPlugin() async throws {
    let fixture = try SentenceFixture()
    fixture.speech.behaviour = .fails(isMissing: true)
    fixture.cache.keep(SentenceFixture.sentences(4))
    let report = await fixture.wait(for: .degraded)
    #expect(report?.detail.description.contains("Enable the plugin speech") == true)
    // Others that are asked for, and found missing as well, start no search either.
    for _ in 0..<3 { #expect(await fixture.render(help) == nil) }
    let next = try #require(fixture.cache.nextAttempt)
    #expect(next.milliseconds(since: EventLoop.now) > SentenceCache.longestWaitMilliseconds / 2)
    #expect(fixture.speech.asked.count == 4)
    await EventLoop.pass(milliseconds: SentenceCache.longestWaitMilliseconds - 1)
    #expect(fixture.speech.asked.count == 4)
    await EventLoop.pass(milliseconds: 1)
    #expect(fixture.speech.asked.count == 5)
    fixture.speech.behaviour = .speaks(TestWave.file())
    fixture.cache.tryAgain()
    _ = await fixture.wait(for: .working)
    #expect(fixture.files.count == 4)
  }

  @Test("One sentence that cannot be spoken does not keep the others from being")
  func oneBad() async throws {
    let fixture = try SentenceFixture()
    let sentences = SentenceFixture.sentences(5)
    fixture.speech.unspeakable = [sentences[0].text, sentences[2].text]
    fixture.cache.keep(sentences)
    await fixture.speech.wait { fixture.speech.asked.count >= 15 }
    #expect([1, 3, 4].allSatisfy { fixture.cache.file(for: sentences[$0]) != nil })
    #expect(fixture.health.last?.detail.description.hasPrefix("2 sentences are not ready") == true)
  }

  @Test("Somebody's request goes before what is kept")
  func requestFirst() async throws {
    let fixture = try SentenceFixture()
    let sentences = SentenceFixture.sentences(5)
    fixture.cache.keep(sentences)
    #expect(await fixture.render(help) != nil)
    #expect(fixture.speech.asked.prefix(2) == [sentences[0], help])
    _ = await fixture.wait(for: .working)
  }

  @Test("A plugin that fails answers nobody's request with a file, and holds up nothing")
  func failure() async throws {
    let fixture = try SentenceFixture()
    fixture.speech.behaviour = .fails(isMissing: false)
    #expect(await fixture.render(help) == nil)
    fixture.speech.behaviour = .speaks(TestWave.file())
    #expect(await fixture.render(help) != nil)
  }

  @Test(
    "A plugin that never answers leaves what is there to be played, and stopping frees who waits")
  func silentPlugin() async throws {
    let fixture = try SentenceFixture()
    _ = await fixture.render(help)
    fixture.speech.behaviour = .silent
    let other = Sentence("Anna is coming.", language: "en")
    var answers: [String?] = []
    fixture.cache.render(other) { answers.append($0) }
    fixture.cache.render(other) { answers.append($0) }
    #expect(fixture.cache.file(for: help) != nil)
    #expect(await fixture.render(help) != nil)
    fixture.cache.stop()
    #expect(answers == [nil, nil])
    #expect(await fixture.render(other) == nil)
    #expect(fixture.speech.asked == [help, other])
  }

  @Test("Who waits for a plugin that never answers is told so after forty seconds, and not before")
  func patience() async throws {
    let fixture = try SentenceFixture()
    fixture.speech.behaviour = .silent
    let start = EventLoop.now
    #expect(await fixture.render(help) == nil)
    #expect(EventLoop.now.milliseconds(since: start) == SentenceCache.patienceMilliseconds)
  }

  @Test("More requests than it can line up are answered at once")
  func tooMany() async throws {
    let fixture = try SentenceFixture()
    fixture.speech.behaviour = .silent
    var refused = 0
    for sentence in SentenceFixture.sentences(SentenceCache.maximumWaiting + 7) {
      fixture.cache.render(sentence) { if $0 == nil { refused += 1 } }
    }
    #expect(refused == 7)
    fixture.cache.stop()
    #expect(refused == SentenceCache.maximumWaiting + 7)
  }

  @Test(
    "What is no sentence of the plugin's own is not taken",
    arguments: [
      "{\"path\":\"/etc/passwd\"}", "{\"path\":\"relative.wav\"}", "{\"path\":7}", "{}", "[]",
      "{\"path\":\"\"}", "{\"path\":\"/\"}",
    ])
  func foreignPath(answer: String) async throws {
    let fixture = try SentenceFixture()
    fixture.speech.behaviour = .answers(try JSONValue(parsing: Array(answer.utf8)))
    #expect(await fixture.render(help) == nil)
    #expect(fixture.files.isEmpty)
  }

  @Test("A valid file outside of the plugins' folder is not taken, nor through a link or dots")
  func outside() async throws {
    let fixture = try SentenceFixture()
    let outside = fixture.directory.path(of: "outside.wav")
    _ = FileManager.default.createFile(atPath: outside, contents: Data(TestWave.file()))
    let link = "\(fixture.speech.state)/link.wav"
    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: outside)
    for path in [outside, link, "\(fixture.speech.state)/../../outside.wav"] {
      fixture.speech.behaviour = .answers(["path": .string(path)])
      #expect(await fixture.render(help) == nil)
    }
    #expect(fixture.files.isEmpty)
  }

  @Test("A file that no speaker could play is not taken")
  func badFile() async throws {
    let fixture = try SentenceFixture()
    for file in [[], Array(TestWave.file().prefix(1000)), TestWave.file(samples: 10)] {
      fixture.speech.behaviour = .speaks(file)
      #expect(await fixture.render(help) == nil)
    }
    #expect(fixture.files.isEmpty)
  }

  @Test(
    "Files that nobody keeps go when they are too many, those of long ago first; kept ones stay")
  func bounded() async throws {
    let fixture = try SentenceFixture(limits: SentenceCache.Limits(files: 3))
    let kept = SentenceFixture.sentences(5)
    fixture.cache.keep(kept)
    _ = await fixture.wait(for: .working)
    let clock = (0..<6).map { SpokenClock.sentence(hour: 9, minute: $0, language: "en") }
    for sentence in clock.prefix(3) { _ = await fixture.render(sentence) }
    _ = fixture.cache.file(for: clock[0])
    for sentence in clock.suffix(3) { _ = await fixture.render(sentence) }
    #expect(kept.allSatisfy { fixture.cache.file(for: $0) != nil })
    let there = clock.map { fixture.cache.file(for: $0) != nil }
    #expect(there == [false, false, false, true, true, true])
  }

  @Test("Nothing is removed before somebody has said what to keep")
  func nothingGoesEarly() async throws {
    let first = try SentenceFixture()
    first.cache.keep(SentenceFixture.sentences(4))
    _ = await first.wait(for: .working)
    let second = try SentenceFixture(
      in: first.directory, limits: SentenceCache.Limits(files: 1, bytes: 1))
    _ = await second.render(help)
    #expect(SentenceFixture.sentences(4).allSatisfy { second.cache.file(for: $0) != nil })
  }

  @Test("With a new voice the old one is played until the new one has spoken")
  func newVoice() async throws {
    let first = try SentenceFixture(voice: "en-gb")
    first.cache.keep([help])
    _ = await first.wait(for: .working)
    let old = first.cache.file(for: help)
    let second = try SentenceFixture(in: first.directory, voice: "en-us")
    second.speech.behaviour = .fails(isMissing: false)
    second.cache.keep([help])
    let report = await second.wait(for: .degraded)
    #expect(report?.detail.description.contains("voice of before") == true)
    #expect(second.cache.file(for: help) == old)
    second.speech.behaviour = .speaks(TestWave.file())
    _ = await second.wait(for: .working)
    let new = second.cache.file(for: help)
    #expect(new != nil && new != old)
  }

  @Test("A file that was damaged while the gateway was off is found and rendered anew")
  func damaged() async throws {
    let first = try SentenceFixture()
    first.cache.keep([help])
    _ = await first.wait(for: .working)
    let file = try #require(first.cache.file(for: help))
    try Data(count: 40_000).write(to: URL(fileURLWithPath: file))
    try first.directory.write("half", to: "speech/x.wav.new")
    let second = try SentenceFixture(in: first.directory)
    second.cache.keep([help])
    await second.speech.wait { second.speech.asked == [self.help] }
    _ = await second.wait(for: .working)
    #expect(try Data(contentsOf: URL(fileURLWithPath: file)) == Data(TestWave.file()))
    #expect(second.files.count == 1)
  }

  @Test("A folder that cannot be written is told, with what the disk says, and tried again")
  func brokenDisk() async throws {
    let directory = try TemporaryDirectory()
    try directory.write("", to: "speech")
    let fixture = try SentenceFixture(in: directory)
    fixture.cache.keep([help])
    let report = await fixture.wait(for: .degraded)
    #expect(
      report?.detail.description.contains("Not a directory") == true,
      "\(String(describing: report?.detail))")
    try FileManager.default.removeItem(atPath: directory.path(of: "speech"))
    _ = await fixture.wait(for: .working)
    #expect(fixture.files.count == 1)
  }
}
