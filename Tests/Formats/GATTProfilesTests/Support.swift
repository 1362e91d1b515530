import Bytes
import GATTProfiles
import Moments

/// The bytes of hexadecimal digits; none for what is no hexadecimal number.
func hex(_ digits: String) -> [UInt8] {
  Hexadecimal.bytes(digits.filter { $0 != " " }) ?? []
}

/// So many seconds after a start at 2026-11-20T12:00:00Z, with a trusted clock.
func moment(_ seconds: Double, quality: TimeQuality = .synchronised) -> Moment {
  let start = CivilDateTime(year: 2026, month: 11, day: 20, hour: 12).asUTC
  let milliseconds = Int64(seconds * 1000)
  return Moment(
    tick: Tick(nanoseconds: 0).advanced(byMilliseconds: milliseconds),
    utc: start.advanced(byMilliseconds: milliseconds), quality: quality)
}

/// What the hub's clock shows at the start.
let hubClock = CivilDateTime(year: 2026, month: 11, day: 20, hour: 13)

/// A date and time of November 2026.
func time(day: UInt8, _ hour: UInt8, _ minute: UInt8) -> DateTime {
  DateTime(year: 2026, month: 11, day: day, hour: hour, minute: minute, second: 0)
}

/// A finger-stick of so many mg/dL.
func stick(
  _ sequence: UInt16, _ milligrams: Int = 100, at baseTime: DateTime? = nil,
  contextFollows: Bool = false, status: GlucoseSensorStatus? = nil
) -> GlucoseMeasurement {
  let minutes = Int(sequence) % 60
  return GlucoseMeasurement(
    sequence: sequence,
    baseTime: baseTime ?? time(day: 19, UInt8(Int(sequence) / 60 % 24), UInt8(minutes)),
    timeOffsetMinutes: 0,
    sample: GlucoseMeasurement.Sample(
      concentration: SFLOAT(mantissa: milligrams, exponent: -5) ?? SFLOAT(bits: 0x07FF),
      unit: .kilogramsPerLitre,
      origin: GlucoseSampleOrigin(.capillaryWholeBlood, .finger)),
    status: status, contextFollows: contextFollows)
}

/// What a reader made of bytes: nil when it refused them, else what it wrote of what it had read.
typealias Reading = (_ bytes: [UInt8]) -> [UInt8]?

/// Every reader of the module, with messages that it accepts whole.
struct ReaderUnderTest: Sendable, CustomStringConvertible {
  var description: String
  var samples: [[UInt8]]
  /// Whether octets behind the end are ignored rather than refused.
  var ignoresMore = false
  /// Lengths below the whole at which a message is whole too.
  var wholePrefixes: [Int] = []
  /// Reads, writes what was read, and reads that again; nil when refused.
  var roundTrip: @Sendable ([UInt8]) -> RoundTrip?

  struct RoundTrip {
    var octets: [UInt8]
    var isSameAgain: Bool
  }

  init<Message: Equatable & SendableMetatype>(
    _ name: String, _ samples: [String], ignoresMore: Bool = false, wholePrefixes: [Int] = [],
    read: @escaping @Sendable ([UInt8]) throws(DecodeError) -> Message,
    write: @escaping @Sendable (Message) -> [UInt8]
  ) {
    description = name
    self.samples = samples.map(hex)
    self.ignoresMore = ignoresMore
    self.wholePrefixes = wholePrefixes
    roundTrip = { bytes in
      guard let message = try? read(bytes) else { return nil }
      let octets = write(message)
      return RoundTrip(octets: octets, isSameAgain: (try? read(octets)) == message)
    }
  }

  /// A message of the specific ops control point with what it came with.
  struct Control: Equatable {
    var message: CGMControl
    var hasCRC: Bool
  }

  static let all: [ReaderUnderTest] = [
    ReaderUnderTest(
      "glucose measurement",
      [
        "1b0f00e807011e053a1b53016fb0f80000", "030000e407030e171700000070b011",
        "000100d0070102030405",
      ],
      ignoresMore: true
    ) { bytes throws(DecodeError) in
      try GlucoseMeasurement(bytes)
    } write: {
      $0.octets
    },
    ReaderUnderTest(
      "glucose context", ["ff0000b303640004123c0032047b0059f1", "021e0002", "000100"],
      ignoresMore: true
    ) { bytes throws(DecodeError) in
      try GlucoseContext(bytes)
    } write: {
      $0.octets
    },
    ReaderUnderTest("glucose feature", ["f003"], ignoresMore: true) {
      bytes throws(DecodeError) in
      try GlucoseFeature(bytes)
    } write: {
      $0.octets
    },
    ReaderUnderTest(
      "record access",
      [
        "0101", "0401", "0106", "0103012d00", "010401010005 00",
        "0204 02 e807011e053a1b e807021e053a1b",
        "0300", "05000201", "06000106",
      ]
    ) { bytes throws(DecodeError) in
      try RecordAccess(bytes)
    } write: {
      $0.octets
    },
    ReaderUnderTest(
      "CGM measurement",
      ["0fe3d2e405000214ff02f0e5f38e3f", "06000c100600", "0600640005000600650006000600660007 00"],
      wholePrefixes: [6, 12]
    ) { bytes throws(DecodeError) in
      try CGMMeasurement.records(in: bytes)
    } write: {
      $0.flatMap(\.octets)
    },
    ReaderUnderTest("CGM feature", ["6e9e01168ac1", "6e8e0116ffff"]) {
      bytes throws(DecodeError) in
      try CGMFeature(bytes)
    } write: {
      $0.octets
    },
    ReaderUnderTest("CGM status", ["05003f3fffa7e0", "05003f3fff"], wholePrefixes: [5]) {
      bytes throws(DecodeError) in
      try CGMStatus(bytes)
    } write: {
      $0.octets
    },
    ReaderUnderTest(
      "CGM session start", ["e20704180d08180804e0c2", "e20704180d08180804"], wholePrefixes: [9]
    ) { bytes throws(DecodeError) in
      try CGMSessionStart(bytes)
    } write: {
      $0.octets
    },
    ReaderUnderTest("CGM session run time", ["6801"]) {
      bytes throws(DecodeError) in
      try CGMSessionRunTime(bytes)
    } write: {
      $0.octets
    },
    ReaderUnderTest(
      "CGM control", ["1c0201", "0601200a00321400010004bfb2", "0f0100", "1a", "0105"],
      wholePrefixes: [11]
    ) { bytes throws(DecodeError) in
      let (message, hasCRC) = try CGMControl.read(bytes)
      return Control(message: message, hasCRC: hasCRC)
    } write: {
      $0.hasCRC ? E2ECRC.appended(to: $0.message.octets) : $0.message.octets
    },
    ReaderUnderTest("date time", ["e807011e053a1b"], ignoresMore: true) {
      bytes throws(DecodeError) in
      try DateTime(bytes)
    } write: {
      $0.octets
    },
    ReaderUnderTest("current time", ["e807011e053a1b028001"], ignoresMore: true) {
      bytes throws(DecodeError) in
      try CurrentTime(bytes)
    } write: {
      $0.octets
    },
    ReaderUnderTest("local time information", ["0804"], ignoresMore: true) {
      bytes throws(DecodeError) in
      try LocalTimeInformation(bytes)
    } write: {
      $0.octets
    },
    ReaderUnderTest("battery level", ["64"], ignoresMore: true) {
      bytes throws(DecodeError) in
      try BatteryLevel.percent(bytes)
    } write: {
      [UInt8($0)]
    },
  ]
}
