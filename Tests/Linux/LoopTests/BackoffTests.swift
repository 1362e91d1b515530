import Bytes
import Loop
import Testing

@Suite("Pauses that grow")
struct BackoffTests {
  @Test(
    "Each pause is twice the one before, up to the longest, and begins anew when it works again",
    arguments: [
      (first: 500, longest: 30_000, pauses: [500, 1000, 2000, 4000, 8000, 16_000, 30_000, 30_000]),
      (first: 1000, longest: 300_000, pauses: [1000, 2000, 4000, 8000, 16_000, 32_000, 64_000]),
      (first: 250, longest: 5000, pauses: [250, 500, 1000, 2000, 4000, 5000, 5000]),
      (first: 20_000, longest: 30_000, pauses: [20_000, 30_000, 30_000]),
      (first: 500, longest: 500, pauses: [500, 500]), (first: 500, longest: 20, pauses: [20, 20]),
      (first: 0, longest: 500, pauses: [0, 0]),
    ] as [(first: Int64, longest: Int64, pauses: [Int64])])
  func doubles(first: Int64, longest: Int64, pauses: [Int64]) {
    var backoff = Backoff(firstMilliseconds: first, longestMilliseconds: longest)
    for _ in 0..<2 {
      for (count, pause) in pauses.enumerated() {
        #expect(backoff.count == count)
        #expect(backoff.next() == pause)
      }
      backoff.reset()
    }
    #expect(backoff == Backoff(firstMilliseconds: first, longestMilliseconds: longest))
  }

  @Test("Half of each pause is chance for whoever wants it", arguments: [UInt64(1), 2, 3])
  func jitter(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    var backoff = Backoff(firstMilliseconds: 500, longestMilliseconds: 30_000)
    for whole: Int64 in [500, 1000, 2000, 4000, 8000, 16_000, 30_000, 30_000] {
      let pause = backoff.next(using: &random)
      #expect((whole / 2...whole).contains(pause))
    }
    let pauses = (0..<1000).map { _ in backoff.next(using: &random) }
    #expect(pauses.allSatisfy { (15_000...30_000).contains($0) })
    #expect(pauses.contains { $0 < 16_000 } && pauses.contains { $0 > 29_000 })
    backoff.reset()
    let first = backoff.next(using: &random)
    #expect((250...500).contains(first))
  }

  @Test("However often something fails, the pause is never shorter for it, nor is it too long")
  func manyFailures() {
    var backoff = Backoff(firstMilliseconds: 3, longestMilliseconds: .max)
    var last: Int64 = 0
    for _ in 0..<1000 {
      let pause = backoff.next()
      #expect(pause >= last)
      last = pause
    }
    var bounded = Backoff(firstMilliseconds: 3, longestMilliseconds: 60_000)
    let pauses = (0..<1000).map { _ in bounded.next() }
    #expect(pauses.last == 60_000 && pauses.max() == 60_000)
  }
}
