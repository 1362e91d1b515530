import Moments
import Testing

@testable import Buttons

@Suite struct EdgeClockTests {
  /// Awake for 100 s of the 400 s since boot, on a day in 2030.
  private let clock = EdgeClock(
    tick: .seconds(400), monotonicNanoseconds: 100_000_000_000,
    realtimeNanoseconds: 1_900_000_000_000_000_000)

  @Test(
    arguments: [
      // By the monotonic clock, which does not count suspend.
      (100_000_000_000, 400), (99_000_000_000, 399), (70_000_000_000, 370),
      // By the wall clock, as kernels before 5.7 stamp GPIO edges.
      (1_900_000_000_000_000_000, 400), (1_899_999_997_000_000_000, 397),
      // From the future: never later than now.
      (105_000_000_000, 400), (1_900_000_060_000_000_000, 400),
      // Of no clock at all.
      (50_000_000_000_000, 400), (Int64.max, 400), (Int64.min, 400),
    ] as [(Int64, Int64)]) func aStampBecomesATickOfTheClockThatItIsNearTo(
      _ stamp: Int64, _ seconds: Int64
    )
  {
    #expect(clock.tick(ofStamp: stamp) == .seconds(seconds))
  }

  @Test func readingsOfTheClocksAgree() {
    let first = EdgeClock()
    let second = EdgeClock()
    let monotonic = second.monotonicNanoseconds - first.monotonicNanoseconds
    let ticks = second.tick.nanoseconds - first.tick.nanoseconds
    #expect(monotonic >= 0 && ticks >= 0)
    #expect(second.tick(ofStamp: first.monotonicNanoseconds) <= second.tick)
    #expect(second.tick(ofStamp: first.realtimeNanoseconds) <= second.tick)
  }
}
