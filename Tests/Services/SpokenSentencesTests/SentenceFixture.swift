import Care
import Foundation
import JSON
import Loop
import LoopTestSupport
import Ports
import TestSupport
import Texts

@testable import SpokenSentences

/// WAV files for tests.
enum TestWave {
  /// A valid file with a second of a quiet saw.
  static func file(rate: Int = 22_050, samples: Int = 22_050, changing: [Int: UInt8] = [:])
    -> [UInt8]
  {
    func number(_ number: Int, _ bytes: Int) -> [UInt8] {
      (0..<bytes).map { UInt8(truncatingIfNeeded: number >> ($0 * 8)) }
    }
    var file = Array("RIFF".utf8) + number(36 + samples * 2, 4) + Array("WAVEfmt ".utf8)
    file += number(16, 4) + number(1, 2) + number(1, 2) + number(rate, 4) + number(rate * 2, 4)
    file += number(2, 2) + number(16, 2) + Array("data".utf8) + number(samples * 2, 4)
    file += (0..<samples).flatMap { number($0 % 200 * 40, 2) }
    for (offset, byte) in changing { file[offset] = byte }
    return file
  }
}

/// A speech plugin as the cache sees it, obeying the test.
@LoopActor
final class FakeSpeech: ServiceCaller {
  enum Behaviour {
    /// Writes the file and answers its path.
    case speaks([UInt8])
    /// Answers a path, whatever is there.
    case answers(JSONValue)
    case fails(isMissing: Bool)
    /// Never answers by itself.
    case silent
  }

  let state: String
  var behaviour: Behaviour = .speaks(TestWave.file())
  /// Texts that it cannot speak, whatever its behaviour.
  var unspeakable: Set<String> = []
  private(set) var asked: [Sentence] = []
  private var number = 0
  private var waiters: [(condition: @LoopActor () -> Bool, resume: () -> Void)] = []

  init(state: String) { self.state = state }

  func callService(
    _ name: String, params: JSONValue, timeoutMilliseconds: Int64,
    completion: @escaping @LoopActor (Result<JSONValue, ServiceFailure>) -> Void
  ) {
    let text = params["text"]?.stringContent ?? ""
    asked.append(Sentence(text, language: params["language"]?.stringContent ?? ""))
    check()
    let refusal = ServiceFailure(isMissing: false, message: Message(verbatim: "no"))
    if unspeakable.contains(text) { return answer(.failure(refusal), completion) }
    switch behaviour {
    case .speaks(let file):
      number += 1
      let path = "\(state)/\(number).wav"
      _ = FileManager.default.createFile(atPath: path, contents: Data(file))
      answer(.success(["path": .string(path)]), completion)
    case .answers(let content): answer(.success(content), completion)
    case .fails(let isMissing):
      answer(
        .failure(ServiceFailure(isMissing: isMissing, message: Message(verbatim: "it is away"))),
        completion)
    case .silent: break
    }
  }

  /// Later, as a real plugin does.
  private func answer(
    _ result: Result<JSONValue, ServiceFailure>,
    _ completion: @escaping @LoopActor (Result<JSONValue, ServiceFailure>) -> Void
  ) {
    let timer = LoopTimer { completion(result) }
    timer.set(afterMilliseconds: 0)
  }

  private func check() {
    let met = waiters.filter { $0.condition() }
    waiters.removeAll { $0.condition() }
    for waiter in met { waiter.resume() }
  }

  /// Waits until what it was asked makes the condition true.
  func wait(until condition: @escaping @LoopActor () -> Bool) async {
    if condition() { return }
    await withLoopContinuation { continuation in
      waiters.append((condition, { continuation.resume() }))
    }
  }
}

/// A cache in a folder of its own, and what it reported.
@LoopActor
final class SentenceFixture {
  let directory: TemporaryDirectory
  let speech: FakeSpeech
  let cache: SentenceCache
  private(set) var health: [HealthReport] = []
  private var waiters: [(condition: @LoopActor () -> Bool, resume: () -> Void)] = []

  init(
    in directory: TemporaryDirectory? = nil, voice: String = "en-gb",
    limits: SentenceCache.Limits = SentenceCache.Limits(), isStarted: Bool = true
  ) throws {
    let directory = try directory ?? TemporaryDirectory()
    self.directory = directory
    let state = directory.path(of: "plugins/speech")
    try FileManager.default.createDirectory(atPath: state, withIntermediateDirectories: true)
    speech = FakeSpeech(state: state)
    cache = SentenceCache(
      folder: directory.path(of: "speech"), pluginState: directory.path(of: "plugins"),
      voice: voice, services: speech, limits: limits)
    if isStarted { start() }
  }

  func start() {
    cache.start { [weak self] observation in
      guard case .health(let report) = observation else { return }
      self?.health.append(report)
      self?.check()
    }
  }

  private func check() {
    let met = waiters.filter { $0.condition() }
    waiters.removeAll { $0.condition() }
    for waiter in met { waiter.resume() }
  }

  /// Waits until the component's present state is this one; answers its report.
  func wait(for state: HealthState) async -> HealthReport? {
    if health.last?.state != state {
      await withLoopContinuation { continuation in
        waiters.append(({ self.health.last?.state == state }, { continuation.resume() }))
      }
    }
    return health.last
  }

  func render(_ sentence: Sentence) async -> String? {
    await withLoopContinuation { continuation in
      cache.render(sentence) { continuation.resume(returning: $0) }
    }
  }

  nonisolated var files: [String] {
    let found = try? FileManager.default.contentsOfDirectory(atPath: directory.path(of: "speech"))
    return (found ?? []).sorted()
  }

  nonisolated static func sentences(_ count: Int) -> [Sentence] {
    (0..<count).map { Sentence("Sentence \($0).", language: "en") }
  }
}
