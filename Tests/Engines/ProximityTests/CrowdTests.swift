import Bytes
import Care
import Moments
import Testing

@testable import Proximity

@Suite("Crowd")
struct CrowdTests {
  static let salt = [UInt8](0..<16)

  static func address(_ number: UInt64) throws -> BluetoothAddress {
    try #require(BluetoothAddress(bits: number, kind: .random))
  }

  static func count(of numbers: some Sequence<UInt64>, salt: [UInt8] = salt) throws -> CrowdCount {
    var counter = CrowdCounter()
    _ = counter.roll(salt: salt, at: House.start)
    for number in numbers { counter.note(try address(number)) }
    let counted = counter.roll(salt: [], at: House.start.advanced(byMilliseconds: 300_000))
    return try #require(counted)
  }

  @Test("The count is right within two per cent", arguments: [0, 1, 5, 20, 100, 500, 2000])
  func counts(devices: Int) throws {
    var random = SplitMix64(seed: UInt64(devices))
    let numbers = Set((0..<devices).map { _ in random.next() >> 16 })
    let found = try Self.count(of: numbers)
    #expect(!found.isSaturated)
    #expect(abs(found.count - numbers.count) <= max(1, numbers.count / 50))
  }

  @Test("A device heard a thousand times is one")
  func repeats() throws {
    #expect(try Self.count(of: (0..<1000).map { _ in 7 }).count == 1)
  }

  @Test("Neither address nor hash is kept: two crowds in one window leave the same map")
  func nothingIsKept() throws {
    var one = CrowdCounter()
    _ = one.roll(salt: Self.salt, at: House.start)
    let empty = one
    one.note(try Self.address(1))
    let text = String(describing: one)
    #expect(!text.contains("000001"))
    // A bit is shared by so many addresses that another one with the same bit is soon found.
    var twin: UInt64?
    for number in 2..<60_000 as Range<UInt64> {
      var other = empty
      other.note(try Self.address(number))
      if other == one {
        twin = number
        break
      }
    }
    #expect(twin != nil)
  }

  @Test("A new salt leaves nothing of the window before")
  func rolls() throws {
    var counter = CrowdCounter()
    #expect(counter.nextWake == nil)
    counter.note(try Self.address(1))
    #expect(counter == CrowdCounter())
    let before = counter.roll(salt: Self.salt, at: House.start)
    #expect(before == nil)
    let fresh = counter
    counter.note(try Self.address(1))
    let later = House.start.advanced(byMilliseconds: 300_000)
    #expect(counter.nextWake == later.tick)
    let counts = [later, House.start].map { counter.roll(salt: Self.salt, at: $0)?.count }
    #expect(counts == [1, 0])
    #expect(counter == fresh)
    let last = counter.roll(salt: [1, 2, 3], at: later)
    #expect(last != nil)
    #expect(counter == CrowdCounter())
  }

  @Test("More than can be counted is said to be more")
  func saturates() throws {
    var counter = CrowdCounter()
    _ = counter.roll(salt: Self.salt, at: House.start)
    for index in counter.bits.indices { counter.bits[index] = .max }
    let counted = counter.roll(salt: [], at: House.start.advanced(byMilliseconds: 300_000))
    let found = try #require(counted)
    #expect(found.isSaturated)
    #expect(found.count > 100_000)
  }
}
