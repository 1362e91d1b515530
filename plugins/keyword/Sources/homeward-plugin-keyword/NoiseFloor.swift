import Bytes

/// Noise that is mixed into what the microphone hears, at -45 dB beside full scale.
///
/// PocketSphinx's running mean of the spectrum does not survive pure digital silence: after it nothing is recognised.
struct NoiseFloor: Hashable, Sendable {
  /// Evenly spread over ±319: 184, or -45 dB beside 32,768, root mean square.
  static let amplitude: Int32 = 319

  private var random: SplitMix64

  /// Noise that follows from a seed.
  init(seed: UInt64) { random = SplitMix64(seed: seed) }

  /// Adds noise to samples.
  mutating func mix(into samples: inout [Int16], count: Int) {
    for index in samples.indices.prefix(count) {
      let noise = Int32(truncatingIfNeeded: random.next() >> 40) % (2 * Self.amplitude + 1)
      samples[index] = Int16(clamping: Int32(samples[index]) + noise - Self.amplitude)
    }
  }
}
