import Care
import Glibc

/// The level of a sound from step to step, moved over gently so that nothing clicks.
struct LevelRamp {
  private let gains: [Float]
  private let stepFrames: Int
  private let approach: Float
  private var position = 0
  private var gain: Float

  init(_ request: SoundRequest, sampleRate: Int) {
    let levels = request.levelsDecibels.isEmpty ? [0] : request.levelsDecibels
    gains = levels.map { Self.gain($0) }
    gain = gains[0]
    stepFrames = Int(max(1, min(request.levelStepSeconds, 3600))) * sampleRate
    // Two thirds of the way in a tenth of a second.
    approach = 1 - exp(-1 / (0.1 * Float(sampleRate)))
  }

  mutating func apply(to block: UnsafeMutableBufferPointer<Float>) {
    let target = gains[min(position / stepFrames, gains.count - 1)]
    for index in block.indices {
      gain += (target - gain) * approach
      block[index] *= gain
    }
    position += block.count
  }

  /// A level above full scale or without meaning is full scale: too loud is better than not heard.
  private static func gain(_ decibels: Double) -> Float {
    guard decibels < 0 else { return 1 }
    return Float(pow(10, max(-80, decibels) / 20))
  }
}
