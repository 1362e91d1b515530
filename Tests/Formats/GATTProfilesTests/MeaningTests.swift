import Bytes
import Care
import GlucoseValues
import Moments
import Testing
import Texts

@testable import GATTProfiles

/// A finger-stick with one thing changed.
private func stick(
  bits: UInt16? = nil, unit: GlucoseMeasurement.ConcentrationUnit = .kilogramsPerLitre,
  origin: UInt8 = 0x11, status: GlucoseSensorStatus? = nil
) -> GlucoseMeasurement {
  GlucoseMeasurement(
    sequence: 7, baseTime: time(day: 19, 8, 0),
    sample: GlucoseMeasurement.Sample(
      concentration: SFLOAT(bits: bits ?? 0xB06F), unit: unit,
      origin: GlucoseSampleOrigin(octet: origin)), status: status)
}

@Suite("What a record means")
struct MeaningTests {
  /// Everything that a meter can say which is no glucose, and why.
  static let none: [(GlucoseMeasurement, GlucoseMeaning.Reason)] = [
    (GlucoseMeasurement(sequence: 7, baseTime: time(day: 19, 8, 0)), .noConcentration),
    (stick(origin: 0x1A), .controlSolution), (stick(origin: 0x41), .controlSolution),
    (stick(origin: 0x10), .reserved), (stick(origin: 0x1B), .reserved),
    (stick(status: .resultTooHigh), .aboveRange), (stick(status: .resultTooLow), .belowRange),
    (stick(status: [.resultTooLow, .resultTooHigh]), .sensorFault),
    (stick(status: .malfunction), .sensorFault), (stick(status: .sampleInsufficient), .sensorFault),
    (stick(status: .stripInsertion), .sensorFault), (stick(status: .stripType), .sensorFault),
    (stick(status: .temperatureTooHigh), .sensorFault),
    (stick(status: .temperatureTooLow), .sensorFault),
    (stick(status: .readInterrupted), .sensorFault), (stick(status: .generalFault), .sensorFault),
    (stick(status: GlucoseSensorStatus(rawValue: 1 << 12)), .reserved),
    (stick(bits: 0x07FF), .notANumber), (stick(bits: 0x0800), .notAtThisResolution),
    (stick(bits: 0x07FE), .infinite), (stick(bits: 0x0802), .infinite),
    (stick(bits: 0x0801), .reserved), (stick(bits: 0xB7FF), .reserved),
    (stick(bits: 0xB800), .reserved), (stick(bits: 0xFFFF), .absurd),
    (stick(bits: 0xB009), .absurd),
    (stick(bits: 0xB3E9), .absurd), (stick(bits: 0x0000), .absurd),
    (stick(bits: 0x006F), .unitUnclear), (stick(bits: 0xF03E), .unitUnclear),
    (stick(bits: 0xF03E, unit: .molesPerLitre), .unitUnclear),
  ]

  @Test("What is not surely somebody's glucose is no reading", arguments: none)
  func noReadings(record: GlucoseMeasurement, reason: GlucoseMeaning.Reason) {
    #expect(GlucoseMeaning(record) == .none(reason))
  }

  @Test(
    "A reading keeps its digits and its unit",
    arguments: [
      (0xB06F, GlucoseMeasurement.ConcentrationUnit.kilogramsPerLitre, "111 mg/dL"),
      (0xB00A, .kilogramsPerLitre, "10 mg/dL"), (0xB3E8, .kilogramsPerLitre, "1000 mg/dL"),
      (0xC03E, .molesPerLitre, "6.2 mmol/L"), (0xB26C, .molesPerLitre, "6.2 mmol/L"),
    ] as [(UInt16, GlucoseMeasurement.ConcentrationUnit, String)])
  func readings(bits: UInt16, unit: GlucoseMeasurement.ConcentrationUnit, text: String) throws {
    let amount = try #require(GlucoseMeaning(stick(bits: bits, unit: unit)).amount)
    #expect("\(amount.number) \(amount.unit.rawValue)" == text)
  }

  @Test("A low battery and a faulty clock leave the reading what it is")
  func harmlessStatus() {
    #expect(GlucoseMeaning(stick(status: [.batteryLow, .timeFault])).amount != nil)
    #expect(GlucoseMeaning(stick(status: [])).amount != nil)
  }

  @Test("A meal of 6 turns glucose into ketone, but only in the context of the same record")
  func ketone() throws {
    let record = stick(bits: 0xB00D)
    let context = GlucoseContext(sequence: 7, mealCode: 6)
    #expect(GlucoseMeaning(record, context: context) == .none(.ketone))
    #expect(record.sample?.ketoneMillimolesPerLitre?.description == "1.3")
    let other = GlucoseContext(sequence: 8, mealCode: 6)
    #expect(GlucoseMeaning(record, context: other).amount?.number.description == "13")
  }

  @Test(
    "Without its announced context a record is none, unless contexts of that meter change nothing")
  func missingContext() throws {
    #expect(GlucoseMeaning(stick(), isContextMissing: true) == .none(.contextMissing))
    let contour = MeterQuirk.of(DeviceInformation(manufacturer: "Ascensia", model: "Contour"))
    #expect(GlucoseMeaning(stick(), isContextMissing: true, quirk: contour).amount != nil)
    // What it is not, it is not for reasons that matter more.
    #expect(
      GlucoseMeaning(stick(status: .resultTooLow), isContextMissing: true) == .none(.belowRange))
  }

  @Test("No word, unit, type or status makes a reading that no person can have")
  func neverAbsurd() {
    var chance = SplitMix64(seed: 7)
    var readings = 0
    for _ in 0..<50_000 {
      let record = stick(
        bits: UInt16(truncatingIfNeeded: chance.next()),
        unit: chance.next() % 2 == 0 ? .kilogramsPerLitre : .molesPerLitre,
        origin: UInt8(truncatingIfNeeded: chance.next()),
        status: chance.next() % 2 == 0
          ? GlucoseSensorStatus(rawValue: 1 << (chance.next() % 16)) : nil)
      guard let amount = GlucoseMeaning(record).amount else { continue }
      readings += 1
      let milligrams = amount.double(in: .milligramsPerDecilitre)
      #expect((10...1000).contains(milligrams), "\(record)")
      #expect(record.sample?.origin.isControlSolution == false)
      #expect(record.status?.isDisjoint(with: [.resultTooHigh, .resultTooLow]) != false)
    }
    #expect(readings > 500)
  }

  @Test("A continuous monitor's faults, ranges and warm-up are no readings")
  func continuous() throws {
    let finger = CGMFeature(bits: 0, origin: GlucoseSampleOrigin(.interstitialFluid, .finger))
    let control = CGMFeature(bits: 0, origin: GlucoseSampleOrigin(.controlSolution, .finger))
    func meaning(
      _ bits: UInt16, _ annunciation: CGMAnnunciation = [], _ feature: CGMFeature? = nil
    ) -> GlucoseMeaning {
      GlucoseMeaning(
        CGMMeasurement(
          concentration: SFLOAT(bits: bits), timeOffsetMinutes: 1, annunciation: annunciation),
        feature: feature)
    }
    #expect(meaning(0x0064, [], finger).amount?.number.description == "100")
    #expect(meaning(0x0064, [.batteryLow, .fallingFast, .belowHypo]).amount != nil)
    #expect(meaning(0x0064, [], control) == .none(.controlSolution))
    for fault in [
      CGMAnnunciation.sessionStopped, .wrongSensorType, .malfunction, .generalFault,
      .temperatureTooHigh, .temperatureTooLow, [.resultTooHigh, .resultTooLow],
    ] { #expect(meaning(0x0064, fault) == .none(.sensorFault)) }
    #expect(meaning(0x0064, .calibrationRequired) == .none(.calibrationRequired))
    #expect(meaning(0x0064, .resultTooHigh) == .none(.aboveRange))
    #expect(meaning(0x0064, .resultTooLow) == .none(.belowRange))
    #expect(meaning(0x07FF) == .none(.notANumber))
    #expect(meaning(0xF03E) == .none(.unitUnclear), "6.2 can only be mmol/L")
    #expect(meaning(0x2FFF) == .none(.absurd))
  }

  @Test("Every reason says what to do in English and Chinese")
  func sentences() {
    for reason in GlucoseMeaning.Reason.allCases {
      let (english, chinese) = (reason.sentence.text(in: .en), reason.sentence.text(in: .zh))
      #expect(english.hasSuffix(".") && chinese.hasSuffix("。"), "\(reason)")
    }
    for doubt in GlucoseTimeDoubt.allCases {
      #expect(doubt.sentence.text(in: .zh) != doubt.sentence.text(in: .en), "\(doubt)")
    }
  }
}

@Suite("Ways of meters")
struct MeterQuirkTests {
  @Test(
    "A meter is known by what it says of itself",
    arguments: [
      (
        DeviceInformation(manufacturer: "Ascensia Diabetes Care", model: "Contour Next One"), nil,
        "Ascensia Contour"
      ),
      (DeviceInformation(manufacturer: "Roche", model: "923"), nil, "Accu-Chek"),
      (DeviceInformation(manufacturer: "TaiDoc Technology"), nil, "TaiDoc"),
      (DeviceInformation(manufacturer: "ForaCare Inc."), nil, "FORA"),
      (DeviceInformation(manufacturer: "i-SENS", model: "CareSens Dual"), nil, "CareSens Dual"),
      (DeviceInformation(manufacturer: "i-SENS"), "CareSens 0815", "CareSens"),
      (DeviceInformation(manufacturer: "LifeScan"), nil, "OneTouch Verio Flex"),
      (DeviceInformation(manufacturer: "Somebody"), "meter", "standard"),
      (DeviceInformation(), nil, "standard"),
    ] as [(DeviceInformation, String?, String)])
  func known(information: DeviceInformation, name: String?, quirk: String) {
    #expect(MeterQuirk.of(information, name: name).name == quirk)
  }

  @Test("Every entry names where it is known from, once")
  func sources() {
    #expect(Set(MeterQuirk.all.map(\.name)).count == MeterQuirk.all.count)
    for quirk in MeterQuirk.all {
      #expect(quirk.source.count > 20 && !quirk.manufacturers.isEmpty, "\(quirk.name)")
      #expect(quirk.manufacturers.allSatisfy { $0 == $0.lowercased() })
    }
  }

  @Test("A FORA that is full makes up a HI of 2037; an Accu-Chek's type 4 is skipped")
  func particulars() {
    let fora = MeterQuirk.of(DeviceInformation(manufacturer: "ForaCare"))
    var record = stick()
    record.baseTime.year = 2037
    #expect(GlucoseMeaning(record, quirk: fora) == .none(.madeUp))
    #expect(GlucoseMeaning(record).amount != nil)
    let roche = MeterQuirk.of(DeviceInformation(manufacturer: "Roche"))
    #expect(GlucoseMeaning(stick(origin: 0x14), quirk: roche) == .none(.reserved))
    #expect(GlucoseMeaning(stick(origin: 0x14)).amount != nil)
  }
}

@Suite("Companion services")
struct CompanionTests {
  @Test("Names lose what devices fill them up with, and damaged ones are refused")
  func names() throws {
    #expect(try DeviceInformation.text(Array("Roche\0\0 ".utf8)) == "Roche")
    #expect(try DeviceInformation.text([0, 0]) == nil)
    #expect(try DeviceInformation.text([]) == nil)
    #expect(throws: DecodeError(.invalidText, at: 1)) { try DeviceInformation.text([65, 7, 66]) }
    #expect(throws: DecodeError(.invalidText, at: 0)) { try DeviceInformation.text([0xC3, 0x28]) }
    #expect(throws: DecodeError(.tooLarge, at: 512)) {
      try DeviceInformation.text([UInt8](repeating: 65, count: 513))
    }
    var information = DeviceInformation()
    for (short, text) in [
      (0x2A29, "A"), (0x2A24, "B"), (0x2A25, "C"), (0x2A26, "D"), (0x2A00, "E"),
    ]
      as [(UInt16, String)]
    { try information.take(Array(text.utf8), of: BluetoothUUID(short)) }
    #expect(
      information == DeviceInformation(manufacturer: "A", model: "B", serial: "C", firmware: "D"))
  }

  @Test("A battery is at 0 to 100 percent")
  func battery() throws {
    #expect(try BatteryLevel.percent([100]) == 100)
    #expect(throws: DecodeError(.outOfRange, at: 0, field: "batteryLevel")) {
      try BatteryLevel.percent([101])
    }
  }

  @Test("Dates that are unknown or impossible are none")
  func dates() throws {
    #expect(time(day: 19, 8, 0).civil != nil)
    for date in [
      DateTime(year: 0, month: 1, day: 1, hour: 0, minute: 0, second: 0),
      DateTime(year: 2026, month: 0, day: 1, hour: 0, minute: 0, second: 0),
      DateTime(year: 2026, month: 2, day: 29, hour: 0, minute: 0, second: 0),
      DateTime(year: 2026, month: 1, day: 1, hour: 24, minute: 0, second: 0),
      DateTime(year: 0xFFFF, month: 255, day: 255, hour: 255, minute: 255, second: 255),
    ] {
      #expect(date.civil == nil)
      #expect(DateTime(packed: date.packed) == date)
    }
    #expect(DateTime(CivilDateTime(year: 2026, month: 11, day: 20)) != nil)
    #expect(DateTime(CivilDateTime(year: 1500, month: 11, day: 20)) == nil)
    #expect(DateTime(CivilDateTime(year: 2026, month: 13, day: 20)) == nil)
    #expect(throws: DecodeError(.outOfRange, at: 7, field: "dayOfWeek")) {
      try CurrentTime(hex("e807011e053a1b080000"))
    }
  }
}
