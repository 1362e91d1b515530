import Bytes
import Care

/// Draws short words of letters and digits that cannot be mistaken for each other.
struct CodeWords: Sendable {
  private var random: SplitMix64

  init(seed: UInt64) { random = SplitMix64(seed: seed) }

  /// Four of them, unlike the tags of all alarms that are known.
  mutating func tag(unlike alarms: [LiveAlarm]) -> String {
    while true {
      let tag = draw(4, of: "ABCDEFGHJKLMNPQRSTUVWXYZ23456789")
      if !alarms.contains(where: { $0.tag == tag }) { return tag }
    }
  }

  /// Six of them, to be typed again.
  mutating func code() -> String { draw(6, of: "23456789ABCDEFGHJKLMNPQRSTUVWXYZ") }

  private mutating func draw(_ count: Int, of text: String) -> String {
    let letters = Array(text)
    var word = random.next()
    var drawn = ""
    for _ in 0..<count {
      drawn.append(letters[Int(word % UInt64(letters.count))])
      word /= UInt64(letters.count)
    }
    return drawn
  }
}
