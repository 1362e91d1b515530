import Bytes
import Testing

@Suite("Numbers that look random")
struct SplitMix64Tests {
  /// - Source: Vigna, splitmix64.c, whose numbers these are.
  @Test(
    "They follow from the seed as in the reference",
    arguments: [
      (0, [0xE220_A839_7B1D_CDAF, 0x6E78_9E6A_A1B9_65F4]),
      (
        1_234_567,
        [
          6_457_827_717_110_365_317, 3_203_168_211_198_807_973, 9_817_491_932_198_370_423,
          4_593_380_528_125_082_431, 16_408_922_859_458_223_821,
        ]
      ),
    ] as [(UInt64, [UInt64])])
  func reference(seed: UInt64, numbers: [UInt64]) {
    var random = SplitMix64(seed: seed)
    for expected in numbers {
      let number = random.next()
      #expect(number == expected)
    }
  }

  @Test("Fractions are from 0 up to 1, and evenly spread")
  func fractions() {
    var random = SplitMix64(seed: 987_654_321)
    var counts = [Int](repeating: 0, count: 5)
    for _ in 0..<100_000 {
      let part = random.nextUnit()
      guard (0..<1).contains(part) else {
        Issue.record("\(part)")
        return
      }
      counts[Int(part * 5)] += 1
    }
    #expect(counts == [20_027, 19_892, 20_073, 19_978, 20_030])
  }
}
