/// Decides when a phrase was said twice; time is counted in samples, so that a slow machine changes nothing.
struct DoubleHit: Hashable, Sendable {
  /// Samples a second.
  static let sampleRate: Int64 = 16_000
  /// The second time must come within this time of the first.
  static let windowSamples = 8 * sampleRate
  /// What comes sooner after a hit is the same phrase, heard twice by the decoder.
  static let echoSamples = sampleRate / 2
  /// How long nothing is heard after the phrase was said twice: the gateway itself speaks then.
  static let deafSamples = 3 * sampleRate

  private var first: Int64?
  private var deafUntil: Int64 = .min

  /// Takes a hit that ended at a sample; true when it is the second one.
  mutating func hit(at sample: Int64) -> Bool {
    guard sample >= deafUntil else { return false }
    guard let first, sample - first <= Self.windowSamples else {
      self.first = sample
      return false
    }
    guard sample - first >= Self.echoSamples else { return false }
    self.first = nil
    deafUntil = sample + Self.deafSamples
    return true
  }
}
