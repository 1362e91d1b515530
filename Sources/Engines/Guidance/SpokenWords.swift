import Care
import Moments

/// What was said on a journey last, and whether it was heard.
struct SpokenWords: Hashable, Sendable {
  /// The last words, for whoever wants them again.
  private(set) var words: [String] = []
  /// What was to be done next when they were said, by its number on the way.
  private(set) var next: Int?
  /// When something was said last.
  private(set) var spoken: Tick?
  /// Whether nobody could speak the last words.
  private(set) var isUnheard = false
  /// Since when nothing could be spoken; nil while words are heard.
  private(set) var unheardSince: Tick?

  /// Nothing was said.
  init() {}

  /// Something is said; `next` is what is to be done next, by its number on the way.
  mutating func say(_ words: [String], next: Int?, at now: Tick) {
    spoken = now
    self.words = words
    self.next = next
    isUnheard = false
  }

  /// Hears what became of the words.
  mutating func hear(_ outcome: SoundReport.Outcome, at now: Tick) {
    switch outcome {
    case .failed, .wordless:
      isUnheard = true
      unheardSince = unheardSince ?? now
    case .started where !isUnheard: unheardSince = nil
    case .started, .finished, .stopped: break
    }
  }
}
