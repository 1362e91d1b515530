import Moments

/// Smooths the signal strength of one tag at one device: approach is believed fast, retreat slowly.
///
/// Bodies, walls and reflections make signals weaker far more often than stronger, so a strong reading says more than a
/// weak one. A reading that jumps up further than a step towards the device can explain waits for a second one.
///
/// - Source: 123,718 recorded readings of phones at known distances vary by 3–10 dB (standard deviation) in one place.
struct SignalFilter: Hashable, Sendable {
  /// The smoothed strength in dBm; nil before the first reading.
  var levelDBm: Double?
  /// When the newest believed reading came.
  var heard: Stamp?
  /// A reading that waits for the next one to confirm it.
  var held: Held?

  struct Held: Hashable, Sendable {
    var strengthDBm: Double
    var stamp: Stamp
  }

  /// What became of a reading.
  enum Verdict: Hashable, Sendable {
    /// It counts.
    case believed
    /// It is the same advertisement, heard on another channel.
    case repeated
    /// It jumps, and the next one decides.
    case held
  }

  static let riseShare = 0.6
  static let fallDBPerSecond = 1.5
  static let longestFallSeconds = 6.0
  static let repeatMilliseconds: Int64 = 100
  static let jumpDB = 25.0
  static let confirmDB = 12.0
  static let confirmMilliseconds: Int64 = 10_000
  /// A level older than this says nothing about the next one.
  static let memoryMilliseconds: Int64 = 30_000

  /// Takes one reading.
  mutating func take(_ strengthDBm: Double, at now: Moment) -> Verdict {
    guard let level = levelDBm, let heard, !isForgotten(heard, at: now) else {
      return begin(strengthDBm, at: now)
    }
    let passed = heard.age(at: now)
    if passed < Self.repeatMilliseconds {
      if strengthDBm > level, strengthDBm - level <= Self.jumpDB { rise(to: strengthDBm, level) }
      return .repeated
    }
    if strengthDBm - level > Self.jumpDB, !confirms(strengthDBm, at: now) {
      held = Held(strengthDBm: strengthDBm, stamp: Stamp(now))
      return .held
    }
    held = nil
    self.heard = Stamp(now)
    if strengthDBm > level {
      rise(to: strengthDBm, level)
    } else {
      let seconds = min(Self.longestFallSeconds, Double(passed) / 1000)
      levelDBm = max(strengthDBm, level - Self.fallDBPerSecond * seconds)
    }
    return .believed
  }

  private mutating func begin(_ strengthDBm: Double, at now: Moment) -> Verdict {
    levelDBm = strengthDBm
    heard = Stamp(now)
    held = nil
    return .believed
  }

  private mutating func rise(to strengthDBm: Double, _ level: Double) {
    levelDBm = level + Self.riseShare * (strengthDBm - level)
  }

  private func isForgotten(_ heard: Stamp, at now: Moment) -> Bool {
    heard.isEstimated || heard.age(at: now) > Self.memoryMilliseconds
  }

  private func confirms(_ strengthDBm: Double, at now: Moment) -> Bool {
    guard let held, !held.stamp.isEstimated else { return false }
    let passed = held.stamp.age(at: now)
    return passed >= Self.repeatMilliseconds && passed <= Self.confirmMilliseconds
      && abs(strengthDBm - held.strengthDBm) <= Self.confirmDB
  }

  mutating func mapStamps(_ change: (inout Stamp) -> Void) {
    heard?.map(change)
    held?.stamp.map(change)
  }
}

extension Stamp {
  mutating func map(_ change: (inout Stamp) -> Void) { change(&self) }

  /// The moment that the stamp labels.
  var moment: Moment { Moment(tick: tick, utc: utc, quality: quality) }
}
