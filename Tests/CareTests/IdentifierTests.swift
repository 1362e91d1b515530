import Care
import Foundation
import Moments
import Testing

@Suite struct IdentifierTests {
  @Test func identifiersFollowFromTheirSeedAndTime() {
    var first = IdentifierGenerator(seed: 42)
    var second = IdentifierGenerator(seed: 42)
    var other = IdentifierGenerator(seed: 43)
    let time = Timestamp(milliseconds: 1_790_000_000_123)
    let ids = (0..<100).map { _ in first.next(at: time) }
    #expect(ids == (0..<100).map { _ in second.next(at: time) })
    #expect(Set(ids).isDisjoint(with: (0..<100).map { _ in other.next(at: time) }))
  }

  @Test func identifiersAreUniqueAndHaveTheLayoutOfUUIDVersion7() throws {
    var generator = IdentifierGenerator(seed: 1)
    var seen: Set<String> = []
    for index in 0..<100_000 {
      let id = generator.next(at: Timestamp(milliseconds: 1_790_000_000_000 + Int64(index / 5000)))
      #expect(seen.insert(id).inserted)
    }
    let id = try #require(seen.first)
    #expect(id.count == 36)
    #expect(Array(id)[14] == "7")
    #expect("89ab".contains(Array(id)[19]))
    #expect(UUID(uuidString: id) != nil)
  }

  @Test func identifiersSortByTimeAndBearNegativeTimes() {
    var generator = IdentifierGenerator(seed: 9)
    let early = generator.next(at: Timestamp(milliseconds: 1_000))
    let late = generator.next(at: Timestamp(milliseconds: 1_790_000_000_000))
    #expect(early < late)
    #expect(generator.next(at: Timestamp(milliseconds: -5)).hasPrefix("00000000-0000-7"))
  }
}
