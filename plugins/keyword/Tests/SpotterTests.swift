import Foundation
import TestSupport
import Testing

@testable import homeward_plugin_keyword

/// Speech from the program espeak-ng, 16,000 samples a second.
enum Spoken {
  static func samples(_ text: String, voice: String = "en-us", rate: Int = 150) throws -> [Int16] {
    let directory = try TemporaryDirectory()
    let file = directory.path(of: "spoken.wav")
    let child = try ChildProcess(
      "espeak-ng", ["-v", voice, "-s", "\(rate)", "-w", file, text], log: directory.path(of: "log"))
    try #require(child.wait() == 0)
    let bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: file)).dropFirst(44))
    let source = (0..<bytes.count / 2).map {
      Int16(bitPattern: UInt16(bytes[2 * $0]) | UInt16(bytes[2 * $0 + 1]) << 8)
    }
    let step = 22_050.0 / 16_000
    return (0..<max(0, Int(Double(source.count - 2) / step))).map { index in
      let place = Int(Double(index) * step)
      return Int16((Int(source[place]) + Int(source[place + 1])) / 2)
    }
  }

  static func silence(_ seconds: Double) -> [Int16] {
    [Int16](repeating: 0, count: Int(seconds * 16_000))
  }
}

@Suite("Phrase in sound", .serialized, .timeLimit(.minutes(3)))
struct SpotterTests {
  static let phrase = "help me please"

  private func findings(
    _ sound: [Int16], phrase: String = phrase, home: String? = nil
  ) throws -> (once: Int, twice: Int, home: Int) {
    let folder = try TemporaryDirectory()
    let spotter = try PhraseSpotter(
      words: phrase.split(separator: " ").map(String.init),
      home: home?.split(separator: " ").map(String.init), folder: folder.path,
      thresholdExponent: -30)
    var found = (once: 0, twice: 0, home: 0)
    for start in stride(from: 0, to: sound.count, by: Listener.blockSamples) {
      var block = Array(sound[start..<min(start + Listener.blockSamples, sound.count)])
      switch try spotter.take(&block, count: block.count) {
      case .nothing: break
      case .once: found.once += 1
      case .twice: found.twice += 1
      case .home: found.home += 1
      }
    }
    return found
  }

  @Test("Said twice it is heard twice, also after half a minute of digital silence")
  func twice() throws {
    let said = try Spoken.samples(Self.phrase)
    let sound = Spoken.silence(30) + said + Spoken.silence(1.5) + said + Spoken.silence(2)
    #expect(try findings(sound) == (1, 1, 0))
  }

  @Test("Said once, or the second time too late, it is not")
  func once() throws {
    let said = try Spoken.samples(Self.phrase)
    let sound = Spoken.silence(2) + said + Spoken.silence(10) + said + Spoken.silence(2)
    #expect(try findings(sound) == (2, 0, 0))
  }

  @Test("The phrase for the way home is heard at once and once, and the one for help all the same")
  func home() throws {
    let (help, home) = (
      try Spoken.samples(Self.phrase), try Spoken.samples("take me home please")
    )
    let sound =
      Spoken.silence(2) + home + Spoken.silence(3) + home + Spoken.silence(2) + help
      + Spoken.silence(1.5) + help + Spoken.silence(2)
    #expect(try findings(sound, home: "take me home please") == (1, 1, 1))
    #expect(try findings(home + Spoken.silence(2) + home).home == 0)
  }

  @Test("Near misses said twice are not", arguments: ["please tell me more", "call me at three"])
  func nearMiss(text: String) throws {
    let said = try Spoken.samples(text)
    let sound = Spoken.silence(2) + said + Spoken.silence(1.5) + said + Spoken.silence(2)
    #expect(try findings(sound).twice == 0)
  }

  @Test("Half a minute of silence and half a minute of noise are not")
  func silenceAndNoise() throws {
    var noise = Spoken.silence(30)
    var floor = NoiseFloor(seed: 9)
    for _ in 0..<20 { floor.mix(into: &noise, count: noise.count) }
    #expect(try findings(Spoken.silence(30) + noise) == (0, 0, 0))
  }

  @Test("A word that the dictionary lacks is named, and a short phrase is refused")
  func badPhrase() {
    #expect(throws: PhraseSpotter.Fault.unknownWord("hjälp")) {
      try PhraseSpotter(words: ["hjälp", "me"], thresholdExponent: -30)
    }
    #expect(throws: PhraseSpotter.Fault.tooShort(sounds: 3)) {
      try PhraseSpotter(words: ["a", "go"], thresholdExponent: -30)
    }
    #expect(throws: PhraseSpotter.Fault.model) {
      try PhraseSpotter(words: ["help"], thresholdExponent: -30, modelDirectory: "/nowhere")
    }
  }
}
