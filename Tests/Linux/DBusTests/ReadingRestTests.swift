import DBus
import Moments
import Testing

@Suite("A reader to whom much is told") struct ReadingRestTests {
  /// A round: how many messages were read in which millisecond, and whether it ended a rest.
  private typealias Round = (messages: Int, milliseconds: Int64, followsRest: Bool)

  /// After which of the rounds it rests.
  private func rests(_ milliseconds: Int64, _ rounds: [Round]) -> [Bool] {
    var rest = ReadingRest(milliseconds: milliseconds)
    return rounds.map { round in
      rest.isDue(
        after: round.messages, at: Tick(nanoseconds: round.milliseconds * 1_000_000),
        followsRest: round.followsRest)
    }
  }

  @Test("What comes seldom is read when it comes, one wake-up each")
  func seldom() {
    let rounds: [Round] = (0..<10).map { (1, 100 * $0, false) }
    #expect(rests(100, rounds) == Array(repeating: false, count: 10))
  }

  @Test("Fifty a second are read ten times a second; when they stop, so do the rests")
  func often() {
    let much: [Round] = (1...50).map { (5, 20 + 100 * $0, true) }
    #expect(
      rests(100, [(1, 0, false), (1, 20, false)] + much) == [false]
        + Array(repeating: true, count: 51))
    #expect(
      rests(100, [(1, 0, false), (1, 20, false), (1, 120, true), (0, 220, false), (1, 900, false)])
        == [false, true, false, false, false])
  }

  @Test("Without a length nobody rests")
  func never() {
    #expect(rests(0, [(9, 0, false), (9, 1, true), (9, 2, false)]) == [false, false, false])
  }
}
