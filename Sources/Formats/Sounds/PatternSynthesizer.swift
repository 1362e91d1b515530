import Glibc

/// Renders a pattern frame by frame; holds a few oscillators and no samples.
///
/// The result depends on the pattern and the rate alone, not on how many frames are asked for at a time.
public struct PatternSynthesizer: Sendable {
  /// Frames a second.
  public let sampleRate: Int
  /// Frames from the beginning to the end.
  public let totalFrames: Int
  private let notes: [Note]
  private var nextNote = 0
  private var voices: [Voice] = []
  private var position = 0

  /// Starts at the beginning of `pattern`; `sampleRate` in frames a second, at least 8,000.
  public init(_ pattern: SoundPattern, sampleRate: Int) {
    self.sampleRate = max(8_000, sampleRate)
    notes = pattern.notes
    totalFrames = Self.frames(pattern.durationMilliseconds, self.sampleRate)
  }

  /// Fills `frames` with the next part, one channel within -1...1; answers how many frames there were, 0 at the end.
  public mutating func render(into frames: UnsafeMutableBufferPointer<Float>) -> Int {
    let count = min(frames.count, totalFrames - position)
    guard count > 0 else { return 0 }
    let part = UnsafeMutableBufferPointer(rebasing: frames[..<count])
    part.update(repeating: 0)
    startNotes(before: position + count)
    for index in voices.indices { voices[index].add(to: part, from: position) }
    voices.removeAll { $0.end <= position + count }
    position += count
    return count
  }

  private mutating func startNotes(before end: Int) {
    while nextNote < notes.count {
      let start = Self.frames(notes[nextNote].startMilliseconds, sampleRate)
      guard start < end else { return }
      voices.append(Voice(notes[nextNote], start: start, sampleRate: sampleRate))
      nextNote += 1
    }
  }

  static func frames(_ milliseconds: Int, _ sampleRate: Int) -> Int {
    (milliseconds * sampleRate + 500) / 1000
  }
}

/// A sounding note.
private struct Voice: Sendable {
  let end: Int
  private let start: Int
  private let rise: Int
  private let fall: Int
  private let decayPerFrame: Double
  private var decayed = 1.0
  private var oscillators: [Oscillator]

  init(_ note: Note, start: Int, sampleRate: Int) {
    self.start = start
    end = PatternSynthesizer.frames(note.endMilliseconds, sampleRate)
    rise = PatternSynthesizer.frames(note.riseMilliseconds, sampleRate)
    fall = PatternSynthesizer.frames(note.fallMilliseconds, sampleRate)
    decayPerFrame =
      note.decayMilliseconds.map { exp(-1000 / (Double($0) * Double(sampleRate))) } ?? 1
    let gain = pow(10, note.levelDecibels / 20) / note.timbre.peak
    // What a slow device cannot carry would come back as another tone.
    oscillators = note.timbre.partials.filter { $0.hertz < 0.45 * Double(sampleRate) }.map {
      Oscillator($0, gain: gain, sampleRate: sampleRate)
    }
  }

  /// Adds the note's frames to `frames`, the first of which is frame `origin` of the pattern.
  mutating func add(to frames: UnsafeMutableBufferPointer<Float>, from origin: Int) {
    let first = max(start, origin)
    let last = min(end, origin + frames.count)
    guard first < last else { return }
    for frame in first..<last {
      let envelope = decayed * shape(frame)
      decayed *= decayPerFrame
      var sum = 0.0
      for index in oscillators.indices { sum += oscillators[index].next() }
      frames[frame - origin] += Float(envelope * sum)
    }
  }

  /// The raised cosine of rise and fall, 0...1.
  private func shape(_ frame: Int) -> Double {
    Self.swell(frame - start, over: rise) * Self.swell(end - 1 - frame, over: fall)
  }

  private static func swell(_ frame: Int, over length: Int) -> Double {
    guard frame < length else { return 1 }
    return 0.5 - 0.5 * cos(.pi * Double(frame) / Double(length))
  }
}

/// A sine by rotation, started at its phase.
private struct Oscillator: Sendable {
  private var real: Double
  private var imaginary: Double
  private let stepReal: Double
  private let stepImaginary: Double

  init(_ partial: Partial, gain: Double, sampleRate: Int) {
    let amplitude = partial.amplitude * gain
    let phase = 2 * .pi * partial.phaseTurns
    (real, imaginary) = (amplitude * cos(phase), amplitude * sin(phase))
    let step = 2 * .pi * partial.hertz / Double(sampleRate)
    (stepReal, stepImaginary) = (cos(step), sin(step))
  }

  mutating func next() -> Double {
    let sine = imaginary
    (real, imaginary) = (
      real * stepReal - imaginary * stepImaginary, real * stepImaginary + imaginary * stepReal
    )
    return sine
  }
}
