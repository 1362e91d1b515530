import Foundation
import JSON
import PluginProtocol
import Testing

@testable import homeward_plugin_keyword

@Suite("Twice within eight seconds")
struct DoubleHitTests {
  /// What each hit, at a second, gave.
  private func hits(_ seconds: Double...) -> [Bool] {
    var double = DoubleHit()
    return seconds.map { double.hit(at: Int64($0 * Double(DoubleHit.sampleRate))) }
  }

  @Test("The second hit within eight seconds counts, a later one is a first one again")
  func window() {
    #expect(hits(1, 9) == [false, true])
    #expect(hits(1, 9.1) == [false, false])
    #expect(hits(1, 9.1, 12) == [false, false, true])
  }

  @Test("Two hits within half a second are one")
  func echo() { #expect(hits(1, 1.4, 3) == [false, false, true]) }

  @Test("For three seconds after it nothing is heard, then it begins anew")
  func deaf() { #expect(hits(1, 3, 4, 5.9, 6, 8) == [false, true, false, false, false, true]) }
}

@Suite("Noise against digital silence")
struct NoiseFloorTests {
  @Test("It lies at -45 dB beside full scale")
  func level() {
    var samples = [Int16](repeating: 0, count: 16_000)
    var noise = NoiseFloor(seed: 3)
    noise.mix(into: &samples, count: samples.count)
    let power = samples.reduce(0.0) { $0 + Double($1) * Double($1) } / Double(samples.count)
    let decibels = 20 * log10(power.squareRoot() / 32_768)
    #expect(abs(decibels + 45) < 0.3, "\(decibels)")
  }

  @Test("Loud samples stay within range, and only as many as asked for are touched")
  func clamped() {
    var samples: [Int16] = [.max, .min, .max, .min, 7]
    var noise = NoiseFloor(seed: 3)
    noise.mix(into: &samples, count: 4)
    #expect(samples[4] == 7 && samples[0] > 32_000 && samples[1] < -32_000)
    noise.mix(into: &samples, count: 99)
  }
}

@Suite("Settings of the keyword")
struct KeywordSettingsTests {
  @Test("Without settings it does not listen")
  func off() throws { #expect(try !KeywordSettings(json: .object([])).isEnabled) }

  @Test(
    "What does not fit is refused by its name",
    arguments: [
      (["enabled": true], "target"), (["phrase": "help"], "phrase"), (["phrase": " "], "phrase"),
      (["phrase": "a b c d e f g h i"], "phrase"), (["thresholdExponent": -61], "threshold"),
      (["enabled": "yes"], "enabled"), (["homePhrase": "home"], "phrase"),
      (["homePhrase": "help me please now"], "homePhrase"),
    ] as [(JSONValue, String)])
  func refused(settings: JSONValue, name: String) {
    let error = #expect(throws: RPCError.self) { try KeywordSettings(json: settings) }
    #expect(error?.message.contains(name) == true)
  }

  @Test("A phrase is read in lower case with single spaces")
  func phrase() throws {
    let settings = try KeywordSettings(json: ["phrase": "  Help ME\tplease "])
    #expect(settings.words == ["help", "me", "please"] && settings.homeWords == nil)
    let both = try KeywordSettings(json: ["homePhrase": " Take me  HOME please"])
    #expect(both.homeWords == ["take", "me", "home", "please"])
  }
}
