import Advertisements
import Bytes
import Care
import JSON
import Moments
import Testing

@Suite("Presses of a button that is heard many times")
struct PressFilterTests {
  static func address(_ number: UInt64) throws -> BluetoothAddress {
    try #require(BluetoothAddress(bits: number))
  }

  /// Frames at milliseconds, and whether each is a press.
  private func check(
    _ steps: [(Int64, String, Bool)], sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    var filter = BTHomePressFilter()
    let button = try Self.address(1)
    for (milliseconds, hex, isPress) in steps {
      let presses = filter.presses(
        in: try Samples.bthome(hex), from: button,
        at: Tick(nanoseconds: milliseconds * 1_000_000))
      #expect(!presses.isEmpty == isPress, "\(milliseconds) \(hex)", sourceLocation: sourceLocation)
    }
  }

  @Test("One press with a packet id counts once, however often it is heard")
  func packetID() throws {
    try check([
      (0, "4400053a01", true), (20, "4400053a01", false), (900, "4400053a01", false),
      (1000, "4400063a01", true), (1010, "4400053a01", false), (1020, "4400063a01", false),
      (1500, "4400ff3a01", false), (2000, "4400073a00", false), (2100, "4400083a80", true),
    ])
  }

  @Test("Packet ids go round")
  func packetIDsWrap() throws {
    try check([
      (0, "4400fe3a01", true), (100, "4400ff3a01", true), (200, "4400003a01", true),
      (300, "4400ff3a01", false), (400, "4400013a01", true),
    ])
  }

  @Test("After a minute of silence the same packet id is a new press: the battery was changed")
  func newBattery() throws {
    try check([
      (0, "4400013a01", true), (59_000, "4400013a01", false), (118_000, "4400013a01", false),
      (178_000, "4400013a01", true), (179_000, "4400003a01", false), (238_000, "4400003a01", true),
    ])
  }

  @Test("Without a packet id the same within three seconds is one press")
  func withoutPacketID() throws {
    try check([
      (0, "443a01", true), (500, "443a01", false), (3400, "443a01", false), (6400, "443a01", true),
      (6500, "443a02", true), (6600, "44015d", false), (6700, "443a02", false),
    ])
  }

  @Test("A device with several buttons tells which")
  func severalButtons() throws {
    var filter = BTHomePressFilter()
    let frame = try Samples.bthome("4400013a003a013a80")
    #expect(
      filter.presses(in: frame, from: try Self.address(1), at: .seconds(1)) == [
        BTHomePress(button: 1, gesture: .press), BTHomePress(button: 2, gesture: .hold),
      ])
  }

  @Test("What is still sealed is no press")
  func sealed() throws {
    try check([(0, "4562511158bd25b8f093645b573115", false)])
  }

  @Test("A clock that goes back loses no press with a new packet id")
  func clockGoesBack() throws {
    try check([(5000, "4400013a01", true), (0, "4400013a01", false), (1, "4400023a01", true)])
  }

  @Test("However many devices there are, memory stays bounded and the newest are remembered")
  func bounded() throws {
    var filter = BTHomePressFilter()
    let frame = try Samples.bthome("4400013a01")
    for number in 0..<1000 {
      #expect(
        !filter.presses(
          in: frame, from: try Self.address(UInt64(number)), at: .seconds(Int64(number) / 1000)
        ).isEmpty)
    }
    let newest = try Self.address(999)
    #expect(filter.presses(in: frame, from: newest, at: .seconds(1)).isEmpty)
    let oldest = try Self.address(0)
    #expect(!filter.presses(in: frame, from: oldest, at: .seconds(1)).isEmpty)
  }

  @Test("Damaged counters of an earlier run are refused")
  func damagedState() throws {
    for text in [
      "3", #"{"counters":[{}]}"#, #"{"counters":[{"kind":"public","address":"x","counter":1}]}"#,
      #"{"counters":[{"kind":"public","address":"00:00:00:00:00:01","counter":-1}]}"#,
      #"{"counters":[{"kind":"blue","address":"00:00:00:00:00:01","counter":1}]}"#,
    ] {
      #expect(throws: DecodeError.self) {
        try BTHomePressFilter(json: try JSONValue(parsing: text))
      }
    }
  }
}
