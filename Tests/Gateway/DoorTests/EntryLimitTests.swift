import Door
import Moments
import Testing

@Suite("How often somebody may try to come in") struct EntryLimitTests {
  @Test("Twenty times a minute from one address, and others still may")
  func one() {
    var limit = EntryLimit()
    for second in 0..<EntryLimit.ofOne {
      #expect(limit.takes(from: "192.0.2.7", at: .seconds(Int64(second))) == true)
    }
    #expect(limit.takes(from: "192.0.2.7", at: .seconds(20)) == false)
    #expect(limit.takes(from: "192.0.2.8", at: .seconds(20)) == true)
    #expect(limit.takes(from: nil, at: .seconds(20)) == true)
    // What was refused does not count: a minute after the first there is room for one.
    #expect(limit.takes(from: "192.0.2.7", at: .seconds(60)) == true)
    #expect(limit.takes(from: "192.0.2.7", at: .seconds(60)) == false)
  }

  @Test("A hundred times a minute from all together, however many addresses somebody has")
  func all() {
    var limit = EntryLimit()
    let taken = (0..<1_000).count { limit.takes(from: "2001:db8::\($0)", at: .seconds(1)) }
    #expect(taken == EntryLimit.ofAll)
    #expect(limit.takes(from: "2001:db8::1", at: .seconds(61)) == true)
  }
}
