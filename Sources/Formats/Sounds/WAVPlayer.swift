import Glibc

/// Renders a WAV sound at a device's rate, through a bank of short windowed-sinc filters.
public struct WAVPlayer: Sendable {
  private static let taps = 16
  private static let phases = 256

  private let sound: WAVSound
  private let totalFrames: Int
  private let step: Double
  private let filters: [Float]
  private var position = 0

  /// Starts at the beginning of `sound`; `sampleRate` in frames a second, at least 8,000.
  public init(_ sound: WAVSound, sampleRate: Int) {
    self.sound = sound
    let rate = max(8_000, sampleRate)
    step = Double(sound.sampleRate) / Double(rate)
    totalFrames = Int(Double(sound.frameCount) / step)
    filters = sound.sampleRate == rate ? [] : Self.filters(cutoff: min(1, 1 / step) * 0.94)
  }

  /// Fills `frames` with the next part, one channel; answers how many frames there were, 0 at the end.
  public mutating func render(into frames: UnsafeMutableBufferPointer<Float>) -> Int {
    let count = min(frames.count, totalFrames - position)
    guard count > 0 else { return 0 }
    for index in 0..<count {
      frames[index] = filters.isEmpty ? sound.frame(position + index) : filtered(position + index)
    }
    position += count
    return count
  }

  private func filtered(_ index: Int) -> Float {
    let place = Double(index) * step
    let whole = place.rounded(.down)
    let phase = Int((place - whole) * Double(Self.phases))
    let first = Int(whole) - Self.taps / 2 + 1
    var sum: Float = 0
    for tap in 0..<Self.taps {
      sum += filters[phase * Self.taps + tap] * sound.frame(first + tap)
    }
    return sum
  }

  /// For each phase the taps of a sinc under a Blackman window, scaled so that a constant stays what it is.
  private static func filters(cutoff: Double) -> [Float] {
    (0..<phases).flatMap { phase -> [Float] in
      let fraction = (Double(phase) + 0.5) / Double(phases)
      let weights = (0..<taps).map { tap in
        weight(Double(tap - taps / 2 + 1) - fraction, cutoff: cutoff)
      }
      let sum = weights.reduce(0, +)
      return weights.map { Float($0 / sum) }
    }
  }

  private static func weight(_ distance: Double, cutoff: Double) -> Double {
    let angle = 2 * .pi * distance / Double(taps)
    let window = 0.42 + 0.5 * cos(angle) + 0.08 * cos(2 * angle)
    let turned = .pi * cutoff * distance
    return window * (abs(turned) < 1e-9 ? 1 : sin(turned) / turned)
  }
}
