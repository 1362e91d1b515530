import Care
import Moments

/// Lets through as many sightings of a tag as its presence needs, and no more: each one is a step that is recorded.
///
/// A tag that was silent is let through twice, since one advertisement alone is not believed; afterwards once in ten
/// seconds, or in a third of its patience where that is shorter, and at once when it comes or goes noticeably.
struct SightingThinner {
  static let usualMilliseconds: Int64 = 10_000
  static let soonestMilliseconds: Int64 = 1_000
  /// Two sightings closer than this are one advertisement, heard on two channels.
  static let apartMilliseconds: Int64 = 150
  static let silentMilliseconds: Int64 = 25_000
  /// Decibels against the last one that was let through; what fades is believed slowly anyway.
  static let riseDB = 6
  static let fallDB = 10

  private struct Memory {
    var strengthDBm: Int
    var passed: Tick
    /// When it was heard last, let through or not.
    var heard: Tick
    var isConfirmed: Bool
  }

  private var tags: [TagID: Memory] = [:]

  /// Whether a sighting is passed on.
  mutating func admits(
    _ tag: TagID, strengthDBm: Int, awaySeconds: Int64, at now: Tick
  ) -> Bool {
    guard var memory = tags[tag], now.milliseconds(since: memory.heard) < Self.silentMilliseconds
    else {
      tags[tag] = Memory(strengthDBm: strengthDBm, passed: now, heard: now, isConfirmed: false)
      return true
    }
    memory.heard = now
    let passed = now.milliseconds(since: memory.passed)
    let change = strengthDBm - memory.strengthDBm
    let isTelling = change >= Self.riseDB || change <= -Self.fallDB
    let patience = min(Self.usualMilliseconds, awaySeconds.multipliedClamped(by: 333))
    let isDue =
      memory.isConfirmed
      ? passed >= patience || isTelling && passed >= Self.soonestMilliseconds
      : passed >= Self.apartMilliseconds
    if isDue {
      memory = Memory(strengthDBm: strengthDBm, passed: now, heard: now, isConfirmed: true)
    }
    tags[tag] = memory
    return isDue
  }

  mutating func keep(_ known: Set<TagID>) { tags = tags.filter { known.contains($0.key) } }
}
