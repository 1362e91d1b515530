import CKeyword
import Glibc
import PluginKit

/// Finds phrases in samples, through PocketSphinx; belongs to one thread at a time.
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
    case list(String)

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
      case .list(let path):
        gettext("{path} cannot be written; see that there is room on the disk", ["path": path])
      }
    }
  }

  /// Somebody who was asked whether to go home thinks, or answers, for so long.
  private static let homeDeafSamples = 20 * DoubleHit.sampleRate

  private let spotter: OpaquePointer
  private let phrase: String
  private var noise = NoiseFloor(seed: 1)
  private var double = DoubleHit()
  private var homeDeafUntil: Int64 = .min
  private(set) var heardSamples: Int64 = 0

  /// Loads the model, some 35 MB, and begins to listen.
  ///
  /// - Parameters:
  ///   - words: the phrase that is to be said twice.
  ///   - home: another one, which is to be said once; nil for none.
  ///   - folder: where the decoder may read both from.
  init(
    words: [String], home: [String]? = nil, folder: String = "", thresholdExponent: Int,
    modelDirectory: String = modelDirectory
  ) throws(Fault) {
    let threshold = (0..<abs(thresholdExponent)).reduce(1.0) { value, _ in value / 10 }
    guard
      let spotter = homeward_spotter_open(
        "\(modelDirectory)/en-us", "\(modelDirectory)/cmudict-en-us.dict", threshold)
    else { throw .model }
    self.spotter = spotter
    phrase = words.joined(separator: " ")
    try Self.check(words, spotter)
    guard let home else {
      guard homeward_spotter_begin(spotter, phrase) else { throw .decoder }
      return
    }
    try Self.check(home, spotter)
    let list = "\(folder)/phrases"
    let lines = [phrase, home.joined(separator: " ")].map { "\($0) /1e\(thresholdExponent)/\n" }
    try Self.write(lines.joined(), to: list)
    guard homeward_spotter_begin_list(spotter, list) else { throw .decoder }
  }

  private static func check(_ words: [String], _ spotter: OpaquePointer) throws(Fault) {
    var sounds = 0
    for word in words {
      let count = homeward_spotter_sounds(spotter, word)
      guard count > 0 else { throw .unknownWord(word) }
      sounds += Int(count)
    }
    guard sounds >= minimumSounds else { throw .tooShort(sounds: sounds) }
  }

  private static func write(_ text: String, to path: String) throws(Fault) {
    guard let file = fopen(path, "we") else { throw .list(path) }
    let isWritten = fputs(text, file) >= 0
    guard fclose(file) == 0, isWritten else { throw .list(path) }
  }

  deinit { homeward_spotter_close(spotter) }

  /// What was in a stretch of samples.
  enum Finding: Hashable, Sendable {
    case nothing
    case once
    case twice
    /// The phrase that is to be said once.
    case home
  }

  /// Listens to the next samples.
  func take(_ samples: inout [Int16], count: Int) throws(Fault) -> Finding {
    noise.mix(into: &samples, count: count)
    let answer = samples.withUnsafeBufferPointer { buffer in
      homeward_spotter_feed(spotter, buffer.baseAddress, min(count, buffer.count), phrase)
    }
    heardSamples += Int64(count)
    guard answer >= 0 else { throw .decoder }
    guard answer > 0 else { return .nothing }
    guard answer == 1 else {
      guard heardSamples >= homeDeafUntil else { return .nothing }
      homeDeafUntil = heardSamples + Self.homeDeafSamples
      return .home
    }
    return double.hit(at: heardSamples) ? .twice : .once
  }
}
