import Bytes
import Care
import GATTProfiles
import GlucoseValues

extension FuzzedMessage {
  /// A value of a characteristic: what is read must be the same when it is written and read again, and an error names a
  /// place within the bytes.
  static func value<Value: Equatable>(
    _ name: String, _ samples: [String], mend: @escaping ([UInt8]) -> [UInt8] = { $0 },
    read: @escaping ([UInt8]) throws(DecodeError) -> Value,
    write: @escaping (Value) -> [UInt8],
    brokenPromise: @escaping (Value) -> String? = { _ in nil }
  ) -> FuzzedMessage {
    FuzzedMessage(name: name, samples: samples.compactMap { Hexadecimal.bytes($0) }, mend: mend) {
      bytes in
      let value: Value
      do throws(DecodeError) { value = try read(bytes) } catch {
        return error.offset <= bytes.count ? .refused : .broken("an error lies outside")
      }
      guard (try? read(write(value))) == value else {
        return .broken("a message changed when it was written")
      }
      return brokenPromise(value).map { .broken($0) } ?? .read
    }
  }

  /// The Glucose Service, and what stands beside it.
  static func meterMessages() -> [FuzzedMessage] {
    [
      value(
        "glucose measurement",
        [
          "1b0f00e807011e053a1b53016fb0f80000", "131e00e2070914051b075cfe6fb0f1",
          "030100e407030e1717000000ffff11", "1b0100e307021b0b0a1efbff1e00120501",
          "030000e407030e171700000070b011", "000100d0070102030405",
        ]
      ) { bytes throws(DecodeError) in
        try GlucoseMeasurement(bytes)
      } write: {
        $0.octets
      } brokenPromise: {
        brokenPromise(of: $0)
      },
      value("glucose context", ["ff0000b303640004123c0032047b0059f1", "021e0002", "021e0006"]) {
        bytes throws(DecodeError) in
        try GlucoseContext(bytes)
      } write: {
        $0.octets
      } brokenPromise: {
        brokenPromise(of: $0)
      },
      value("glucose feature", ["f003", "ffff"]) { bytes throws(DecodeError) in
        try GlucoseFeature(bytes)
      } write: {
        $0.octets
      },
      value(
        "record access",
        [
          "0101", "0401", "0106", "0103012d00", "01040101000500",
          "020402e807011e053a1be807021e053a1b", "0300", "05000201", "06000106",
        ]
      ) { bytes throws(DecodeError) in
        try RecordAccess(bytes)
      } write: {
        $0.octets
      },
      value("current time", ["e807011e053a1b028001"]) { bytes throws(DecodeError) in
        try CurrentTime(bytes)
      } write: {
        $0.octets
      },
      value("local time", ["0804", "8000"]) { bytes throws(DecodeError) in
        try LocalTimeInformation(bytes)
      } write: {
        $0.octets
      },
      value("battery level", ["64", "00"]) { bytes throws(DecodeError) in
        try BatteryLevel.percent(bytes)
      } write: {
        [UInt8($0)]
      },
      shortFloats(),
    ]
  }

  /// Nothing that is surely no glucose of a person becomes a reading.
  private static func brokenPromise(of record: GlucoseMeasurement) -> String? {
    for quirk in [MeterQuirk.none] + MeterQuirk.all {
      guard let amount = GlucoseMeaning(record, quirk: quirk).amount else { continue }
      guard isPossible(amount) else { return "an absurd amount became a reading" }
      guard let sample = record.sample, !sample.origin.isControlSolution else {
        return "control solution became a reading"
      }
      if sample.concentration.special != nil { return "no number became a reading" }
      let status = record.status ?? []
      if !status.isDisjoint(with: [.resultTooHigh, .resultTooLow]) {
        return "HI or LO became a reading"
      }
    }
    return nil
  }

  /// A context that says ketone takes the glucose from its record, and from no other.
  private static func brokenPromise(of context: GlucoseContext) -> String? {
    guard let own = stick(context.sequence), let other = stick(context.sequence &+ 1) else {
      return "no record to hold it against"
    }
    let meaning = GlucoseMeaning(own, context: context)
    guard (meaning.reason == .ketone) == context.saysKetone else {
      return "ketones became a reading, or a reading ketones"
    }
    return GlucoseMeaning(other, context: context).amount == nil
      ? "a context counted for another record" : nil
  }

  private static func stick(_ sequence: UInt16) -> GlucoseMeasurement? {
    guard let concentration = SFLOAT(mantissa: 111, exponent: -5) else { return nil }
    return GlucoseMeasurement(
      sequence: sequence,
      baseTime: DateTime(year: 2026, month: 11, day: 20, hour: 8, minute: 0, second: 0),
      timeOffsetMinutes: 0,
      sample: GlucoseMeasurement.Sample(
        concentration: concentration, unit: .kilogramsPerLitre,
        origin: GlucoseSampleOrigin(.capillaryWholeBlood, .finger)))
  }

  static func isPossible(_ amount: GlucoseAmount) -> Bool {
    GlucoseMeaning.possibleMilligramsPerDecilitre.contains(
      amount.double(in: .milligramsPerDecilitre))
  }

  /// The samples are all words that there are.
  private static func shortFloats() -> FuzzedMessage {
    let samples = (UInt16.min...UInt16.max).map { word in
      [UInt8(truncatingIfNeeded: word), UInt8(word >> 8)]
    }
    return FuzzedMessage(name: "SFLOAT", samples: samples) { bytes in
      guard bytes.count == 2 else { return .refused }
      let float = SFLOAT(bits: UInt16(bytes[0]) | UInt16(bytes[1]) << 8)
      guard let decimal = float.decimal else {
        return float.special == nil ? .broken("neither a number nor none") : .read
      }
      if float.special != nil { return .broken("a number and none") }
      guard SFLOAT(mantissa: float.mantissa, exponent: float.exponent) == float else {
        return .broken("a number changed when it was written")
      }
      let isSame = decimal.double.isFinite && (decimal.double < 0) == (float.mantissa < 0)
      return isSame && !decimal.description.isEmpty ? .read : .broken("the number is another")
    }
  }
}
