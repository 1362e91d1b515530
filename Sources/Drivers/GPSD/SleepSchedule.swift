import Care
import Moments

/// When an economical source may sleep: after a few fixes, unless somebody wants a burst.
struct SleepSchedule {
  /// Fixes taken before each sleep; the first after a cold start is often poor.
  private static let fixesBeforeSleep = 3

  private let sampling: GPSDSource.Sampling
  private var fixes = 0
  private var burstEnd: Tick?
  private(set) var isAsleep = false

  init(sampling: GPSDSource.Sampling) { self.sampling = sampling }

  /// Length of a sleep.
  var intervalMilliseconds: Int64 {
    switch sampling {
    case .continuous: 0
    case .economy(let seconds): Int64(max(1, min(seconds, 86_400))) * 1000
    }
  }

  /// No sleep until the tick.
  mutating func burst(until end: Tick) { burstEnd = max(burstEnd ?? end, end) }

  /// Counts a fix; true when the source may sleep now.
  mutating func shouldSleep(after fix: FixReport, at now: Tick) -> Bool {
    guard sampling != .continuous, !isAsleep, fix.mode.hasPosition else { return false }
    fixes += 1
    if let burstEnd, now < burstEnd { return false }
    return fixes >= Self.fixesBeforeSleep
  }

  mutating func sleep() { isAsleep = true }

  mutating func wake() {
    isAsleep = false
    fixes = 0
  }
}
