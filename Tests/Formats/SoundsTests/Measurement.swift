import Foundation
import Sounds

/// What an instrument would say about a rendered sound; knows nothing of the tables that it was made from.
struct Measurement {
  /// A stretch between two silences, in milliseconds from the beginning.
  struct Pulse: Equatable {
    var start: Double
    var end: Double
    /// From 10 % to 90 % of the highest amplitude.
    var rise: Double

    var duration: Double { end - start }
  }

  static let rate = 48_000
  let frames: [Float]
  let pulses: [Pulse]
  /// The frames of the first pulse, 400 ms at most.
  let firstPulse: [Float]

  init(_ pattern: SoundPattern) {
    let frames = Self.render(pattern, blocks: [480])
    self.frames = frames
    pulses = Self.pulses(of: Self.envelope(of: frames))
    firstPulse =
      pulses.first.map { Array(frames[Self.range($0, of: frames.count)].prefix(Self.rate * 2 / 5)) }
      ?? []
  }

  /// The whole pattern, asked for in blocks of these sizes in turn.
  static func render(_ pattern: SoundPattern, rate: Int = Self.rate, blocks: [Int]) -> [Float] {
    var synthesizer = PatternSynthesizer(pattern, sampleRate: rate)
    var frames: [Float] = []
    var turn = 0
    while true {
      var block = [Float](repeating: 7, count: blocks[turn % blocks.count])
      let count = block.withUnsafeMutableBufferPointer { synthesizer.render(into: $0) }
      if count == 0 { return frames }
      frames += block.prefix(count)
      turn += 1
    }
  }

  var milliseconds: Double { Double(frames.count) * 1000 / Double(Self.rate) }

  var peakDecibels: Double { 20 * log10(Double(frames.map(abs).max() ?? 0)) }

  /// Root mean square over the pulses, in dB beside full scale.
  var levelDecibels: Double {
    let sounding = pulses.flatMap { frames[Self.range($0, of: frames.count)] }
    let square = sounding.reduce(0.0) { $0 + Double($1 * $1) } / Double(max(1, sounding.count))
    return 10 * log10(square)
  }

  /// The highest amplitude within a millisecond of each half millisecond.
  private static func envelope(of frames: [Float]) -> [Float] {
    let step = rate / 2000
    let highest = stride(from: 0, to: frames.count, by: step).map { start in
      frames[start..<min(frames.count, start + step)].reduce(0) { max($0, abs($1)) }
    }
    return highest.indices.map { highest[max(0, $0 - 2)..<min(highest.count, $0 + 2)].max() ?? 0 }
  }

  private static func pulses(of envelope: [Float]) -> [Pulse] {
    let highest = envelope.max() ?? 0
    var pulses: [Pulse] = []
    var index = 0
    while let first = envelope[index...].firstIndex(where: { $0 >= 0.1 * highest }) {
      let last = envelope[first...].firstIndex { $0 < 0.1 * highest } ?? envelope.count
      let local = envelope[first..<last].max() ?? highest
      let full = envelope[first..<last].firstIndex { $0 >= 0.9 * local } ?? last
      pulses.append(
        Pulse(start: Double(first) / 2, end: Double(last) / 2, rise: Double(full - first) / 2))
      index = last
    }
    return pulses
  }

  var gaps: [Double] { zip(pulses, pulses.dropFirst()).map { $1.start - $0.end } }

  private static func range(_ pulse: Pulse, of count: Int) -> Range<Int> {
    let perMillisecond = Double(rate) / 1000
    let end = min(count, Int(pulse.end * perMillisecond))
    return min(end, Int(pulse.start * perMillisecond))..<end
  }

  /// Amplitude of one frequency in the first pulse, by Goertzel's recurrence under a Hann window.
  func amplitude(hertz: Double) -> Double {
    Self.amplitude(hertz: hertz, in: firstPulse, rate: 48_000)
  }

  static func amplitude(hertz: Double, in part: [Float], rate: Int) -> Double {
    let coefficient = 2 * cos(2 * .pi * hertz / Double(rate))
    var (one, two, weight) = (0.0, 0.0, 0.0)
    let turn = 2 * Double.pi / Double(part.count)
    part.withUnsafeBufferPointer { part in
      var index = 0
      while index < part.count {
        let window = 0.5 - 0.5 * cos(turn * (Double(index) + 0.5))
        weight += window
        let next = coefficient * one - two + window * Double(part[index])
        two = one
        one = next
        index += 1
      }
    }
    return 2 * (one * one + two * two - coefficient * one * two).squareRoot() / max(weight, 1)
  }

  /// The spectral peaks within 15 dB of the strongest one, between 150 and 4,000 Hz, each to a tenth of a hertz.
  var partials: [(hertz: Double, decibels: Double)] {
    // A sixth of the frames is enough to look around; what is found is measured on all of them.
    let step = 6
    let part = firstPulse
    let thin = stride(from: 0, to: part.count - step + 1, by: step).map { start in
      part[start..<start + step].reduce(0, +) / Float(step)
    }
    let grid = stride(from: 150.0, through: 3_900, by: 5).map {
      ($0, Self.amplitude(hertz: $0, in: thin, rate: Self.rate / step))
    }
    let strongest = grid.map(\.1).max() ?? 0
    let peaks = (1..<grid.count - 1).filter { index in
      let (hertz, amplitude) = grid[index]
      let slack = hertz > 2_000 ? 0.05 : 0.1
      return amplitude >= slack * strongest && amplitude > grid[index - 1].1
        && amplitude >= grid[index + 1].1
    }.map { refined(near: grid[$0].0) }
    let highest = peaks.map(\.amplitude).max() ?? 1
    return peaks.map { ($0.hertz, 20 * log10($0.amplitude / highest)) }.filter { $0.1 > -15.5 }
  }

  private func refined(near hertz: Double) -> (hertz: Double, amplitude: Double) {
    var (low, high) = (hertz - 6, hertz + 6)
    while high - low > 0.002 {
      let (left, right) = (low + (high - low) / 3, high - (high - low) / 3)
      if amplitude(hertz: left) < amplitude(hertz: right) { low = left } else { high = right }
    }
    return ((low + high) / 2, amplitude(hertz: (low + high) / 2))
  }
}
