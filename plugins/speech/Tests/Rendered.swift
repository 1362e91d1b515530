import Foundation
import JSON
import Loop
import Moments

@testable import homeward_plugin_speech

/// Speech as the library makes it, in this process.
enum Rendered {
  static func settings(_ json: JSONValue = .object([])) throws -> SpeechSettings {
    try SpeechSettings(json: json)
  }

  static func speech(
    _ text: String, _ language: SpokenLanguage = .english, _ json: JSONValue = .object([])
  ) throws -> Speech {
    try Synthesizer.render(
      SpokenText(text, language: language), settings(json),
      until: EventLoop.now.advanced(byMilliseconds: 60_000))
  }
}

extension Speech {
  /// How long it lasts.
  var seconds: Double { Double(samples.count) / Double(sampleRate) }

  /// Whether it lasts as long as another one, but for what a flutter of the voice takes.
  func lasts(as other: Speech) -> Bool { abs(seconds - other.seconds) < 0.03 }

  /// Part of the power between two frequencies, by the discrete Fourier transform over stretches of 1,024 samples.
  func powerShare(hertz: ClosedRange<Double>) -> Double {
    let length = 1024
    var (inside, all) = (0.0, 0.0)
    for start in stride(from: 0, to: samples.count - length, by: length * 4) {
      for bin in 1..<length / 2 {
        let power = power(start: start, length: length, bin: bin)
        all += power
        let frequency = Double(bin * sampleRate) / Double(length)
        if hertz.contains(frequency) { inside += power }
      }
    }
    return all == 0 ? 0 : inside / all
  }

  private func power(start: Int, length: Int, bin: Int) -> Double {
    var (real, imaginary) = (0.0, 0.0)
    for offset in 0..<length {
      let angle = 2 * Double.pi * Double(bin * offset % length) / Double(length)
      real += Double(samples[start + offset]) * cos(angle)
      imaginary += Double(samples[start + offset]) * sin(angle)
    }
    return real * real + imaginary * imaginary
  }
}
