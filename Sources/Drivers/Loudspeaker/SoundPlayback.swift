import Care
import Sounds

/// One sound on its way: renders parts, pauses and repetitions in order, at the level of the moment.
struct SoundPlayback {
  /// What a file has become.
  enum File {
    case ready(WAVSound)
    case unreadable
  }

  /// What ``render(into:)`` did.
  enum Progress {
    /// The whole block is filled.
    case filled
    /// Nothing was rendered: the next part is a file that is not read yet.
    case waitsForFile(String)
    /// The whole block is filled, and nothing comes after it.
    case ended
    /// None of the parts can be sounded.
    case unsoundable
  }

  private enum Source {
    case pattern(PatternSynthesizer)
    case file(WAVPlayer)
    case silence(frames: Int)
  }

  private static let fadeSeconds = 0.008
  private static let longestPauseMilliseconds: Int64 = 600_000

  let sampleRate: Int
  private let request: SoundRequest
  private var parts: [SoundPart]
  private var files: [String: File] = [:]
  private var nextPart = 0
  private var source: Source?
  private var repetitionsDone = 0
  private var hasSounded = false
  private var level: LevelRamp
  /// Frames of the running file, for its first few milliseconds swell.
  private var fileFrames = Int.max

  /// Whether a repetition has ended and the next one has not begun: the moment to let another sound in.
  private(set) var isBetweenRepetitions = false

  init(_ request: SoundRequest, sampleRate: Int) {
    self.request = request
    self.sampleRate = sampleRate
    parts = request.parts
    level = LevelRamp(request, sampleRate: sampleRate)
  }

  /// The files among the parts.
  var filePaths: [String] {
    parts.compactMap { if case .file(let path) = $0 { path } else { nil } }
  }

  mutating func take(_ file: File, for path: String) { files[path] = file }

  /// Begins the present repetition anew, after something else has sounded.
  mutating func restartRepetition() {
    source = nil
    nextPart = 0
    isBetweenRepetitions = false
  }

  /// Fills `block`, one channel.
  mutating func render(into block: UnsafeMutableBufferPointer<Float>) -> Progress {
    var filled = 0
    while filled < block.count {
      let rest = UnsafeMutableBufferPointer(rebasing: block[filled...])
      let count = renderSource(into: rest)
      if count > 0 {
        filled += count
        continue
      }
      source = nil
      if nextPart < parts.count {
        if case .file(let path) = parts[nextPart], files[path] == nil {
          if filled == 0 { return .waitsForFile(path) }
          break
        }
        beginPart()
      } else if isBetweenRepetitions {
        restartRepetition()
      } else {
        return endRepetition(block, filled)
      }
    }
    silence(block, from: filled)
    level.apply(to: block)
    return .filled
  }

  /// Fills `block` with what comes next, fading to silence within it.
  mutating func renderFadingOut(into block: UnsafeMutableBufferPointer<Float>) {
    if case .waitsForFile = render(into: block) { silence(block, from: 0) }
    let length = max(1, min(block.count, Int(Self.fadeSeconds * Double(sampleRate))))
    for index in block.indices { block[index] *= max(0, 1 - Float(index + 1) / Float(length)) }
  }

  private mutating func endRepetition(
    _ block: UnsafeMutableBufferPointer<Float>, _ filled: Int
  ) -> Progress {
    silence(block, from: filled)
    guard hasSounded else {
      guard request.priority == .emergency, parts != [.pattern("high")] else { return .unsoundable }
      parts = [.pattern("high")]
      restartRepetition()
      return filled == 0 ? render(into: block) : .filled
    }
    level.apply(to: block)
    hasSounded = false
    repetitionsDone += 1
    if let wanted = request.repetitions, repetitionsDone >= wanted { return .ended }
    isBetweenRepetitions = true
    source = .silence(frames: frames(pauseMilliseconds))
    return .filled
  }

  /// The pause that was asked for, or the one that belongs between two of the last pattern, whichever is longer.
  private var pauseMilliseconds: Int64 {
    guard case .pattern(let name) = parts.last, let pattern = SoundPattern.named(name) else {
      return request.pauseMilliseconds
    }
    return max(request.pauseMilliseconds, Int64(pattern.repeatPauseMilliseconds))
  }

  private mutating func beginPart() {
    defer { nextPart += 1 }
    switch parts[nextPart] {
    case .pattern(let name):
      source = SoundPattern.named(name).map {
        .pattern(PatternSynthesizer($0, sampleRate: sampleRate))
      }
    case .file(let path):
      guard case .ready(let sound) = files[path] else { return }
      source = .file(WAVPlayer(sound, sampleRate: sampleRate))
      fileFrames = 0
    case .pause(let milliseconds): source = .silence(frames: frames(milliseconds))
    case .speech, .clock, .recording: break
    }
  }

  private func frames(_ milliseconds: Int64) -> Int {
    Int(max(0, min(milliseconds, Self.longestPauseMilliseconds))) * sampleRate / 1000
  }

  private mutating func renderSource(into block: UnsafeMutableBufferPointer<Float>) -> Int {
    switch source {
    case .pattern(var synthesizer):
      let count = synthesizer.render(into: block)
      source = .pattern(synthesizer)
      if count > 0 { hasSounded = true }
      return count
    case .file(var player):
      let count = player.render(into: block)
      source = .file(player)
      swell(UnsafeMutableBufferPointer(rebasing: block[..<count]))
      if count > 0 { hasSounded = true }
      return count
    case .silence(let left):
      let count = min(left, block.count)
      silence(UnsafeMutableBufferPointer(rebasing: block[..<count]), from: 0)
      source = .silence(frames: left - count)
      return count
    case nil: return 0
    }
  }

  /// A recording may begin in the middle of a wave.
  private mutating func swell(_ block: UnsafeMutableBufferPointer<Float>) {
    let length = max(1, sampleRate / 300)
    guard fileFrames < length else { return }
    for index in block.indices {
      block[index] *= min(1, Float(fileFrames + index) / Float(length))
    }
    fileFrames += block.count
  }

  private func silence(_ block: UnsafeMutableBufferPointer<Float>, from start: Int) {
    guard start < block.count else { return }
    UnsafeMutableBufferPointer(rebasing: block[start...]).update(repeating: 0)
  }
}
