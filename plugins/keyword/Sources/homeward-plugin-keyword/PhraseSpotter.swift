import CKeyword
import PluginKit

/// Finds the phrase in samples, through PocketSphinx; belongs to one thread at a time.
final class PhraseSpotter: @unchecked Sendable {
  /// Where Debian's package pocketsphinx-en-us puts the English model.
  static let modelDirectory = "/usr/share/pocketsphinx/model/en-us"
  /// A phrase of fewer sounds is heard where nobody said it.
  static let minimumSounds = 8

  /// Why it cannot listen for a phrase.
  enum Fault: Error, Hashable, Sendable {
    case model
    case unknownWord(String)
    case tooShort(sounds: Int)
    case decoder

    /// One plain sentence that says what to do next.
    var sentence: String {
      switch self {
      case .model:
        gettext("the English speech model is missing; install the package pocketsphinx-en-us")
      case .unknownWord(let word):
        gettext(
          "the dictionary has no word \"{word}\"; choose plain English words for the phrase",
          ["word": word])
      case .tooShort(let sounds):
        gettext(
          "the phrase has only {sounds} sounds and would be heard by mistake; make it longer",
          ["sounds": sounds])
      case .decoder: gettext("the speech decoder does not take the phrase; choose another one")
      }
    }
  }

  private let spotter: OpaquePointer
  private var noise = NoiseFloor(seed: 1)
  private var double = DoubleHit()
  private(set) var heardSamples: Int64 = 0

  /// Loads the model, some 35 MB, and begins to listen.
  init(
    words: [String], thresholdExponent: Int, modelDirectory: String = modelDirectory
  ) throws(Fault) {
    let threshold = (0..<abs(thresholdExponent)).reduce(1.0) { value, _ in value / 10 }
    guard
      let spotter = homeward_spotter_open(
        "\(modelDirectory)/en-us", "\(modelDirectory)/cmudict-en-us.dict", threshold)
    else { throw .model }
    self.spotter = spotter
    var sounds = 0
    for word in words {
      let count = homeward_spotter_sounds(spotter, word)
      guard count > 0 else { throw .unknownWord(word) }
      sounds += Int(count)
    }
    guard sounds >= Self.minimumSounds else { throw .tooShort(sounds: sounds) }
    guard homeward_spotter_begin(spotter, words.joined(separator: " ")) else { throw .decoder }
  }

  deinit { homeward_spotter_close(spotter) }

  /// What was in a stretch of samples.
  enum Finding: Hashable, Sendable {
    case nothing
    case once
    case twice
  }

  /// Listens to the next samples.
  func take(_ samples: inout [Int16], count: Int) throws(Fault) -> Finding {
    noise.mix(into: &samples, count: count)
    let answer = samples.withUnsafeBufferPointer { buffer in
      homeward_spotter_feed(spotter, buffer.baseAddress, min(count, buffer.count))
    }
    heardSamples += Int64(count)
    guard answer >= 0 else { throw .decoder }
    guard answer > 0 else { return .nothing }
    return double.hit(at: heardSamples) ? .twice : .once
  }
}
