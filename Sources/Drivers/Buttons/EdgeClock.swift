import Glibc
import Loop
import Moments

/// Readings of the clocks that the kernel stamps edges by, taken at the same moment.
struct EdgeClock: Hashable {
  var tick: Tick
  var monotonicNanoseconds: Int64
  var realtimeNanoseconds: Int64

  /// An edge is not older than this when it is read, or the watchdog had ended us; a stamp further away is of another
  /// clock.
  private static let farthestNanoseconds: Int64 = 60_000_000_000

  init(tick: Tick, monotonicNanoseconds: Int64, realtimeNanoseconds: Int64) {
    self.tick = tick
    self.monotonicNanoseconds = monotonicNanoseconds
    self.realtimeNanoseconds = realtimeNanoseconds
  }

  /// Reads the clocks.
  init() {
    var attempts = 0
    repeat {
      monotonicNanoseconds = Self.read(CLOCK_MONOTONIC)
      tick = EventLoop.now
      realtimeNanoseconds = Self.read(CLOCK_REALTIME)
      attempts += 1
      // Another program's turn in between would shift them against each other.
    } while attempts < 4 && Self.read(CLOCK_MONOTONIC) - monotonicNanoseconds > 200_000
  }

  /// When an edge was, never later than now: by the monotonic clock when its stamp is near, else by the wall clock, else
  /// now.
  func tick(ofStamp stamp: Int64) -> Tick {
    for clock in [monotonicNanoseconds, realtimeNanoseconds] {
      let (age, overflows) = clock.subtractingReportingOverflow(stamp)
      guard !overflows, abs(age) <= Self.farthestNanoseconds else { continue }
      return Tick(nanoseconds: tick.nanoseconds - max(0, age))
    }
    return tick
  }

  private static func read(_ clock: clockid_t) -> Int64 {
    var now = timespec()
    clock_gettime(clock, &now)
    return Int64(now.tv_sec) &* 1_000_000_000 &+ Int64(now.tv_nsec)
  }
}
