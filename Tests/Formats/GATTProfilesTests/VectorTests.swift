import Bytes
import Care
import GlucoseValues
import Moments
import Testing

@testable import GATTProfiles

/// Values that others published, with what they say; sources are in the shared data folder's glucose_vectors.json.
@Suite("Published values")
struct VectorTests {
  @Test("An Accu-Chek Guide: the offset is no time zone, base time and offset count together")
  func accuChek() throws {
    let record = try GlucoseMeasurement(hex("1b0f00e807011e053a1b53016fb0f80000"))
    #expect(record.sequence == 15 && record.contextFollows && record.timeOffsetMinutes == 339)
    #expect(record.baseTime.description == "2024-01-30T05:58:27")
    #expect(record.userFacingTime?.localText == "2024-01-30T11:37:27")
    #expect(record.sample?.origin.type == .undeterminedPlasma)
    #expect(record.sample?.origin.location == .notAvailable && record.status == [])
    let amount = try #require(GlucoseMeaning(record).amount)
    #expect(amount.number.description == "111" && amount.unit == .milligramsPerDecilitre)
  }

  @Test("A Contour Next in California: UTC and an offset below zero")
  func contour() throws {
    let record = try GlucoseMeasurement(hex("131e00e2070914051b075cfe6fb0f1"))
    #expect(record.timeOffsetMinutes == -420)
    #expect(record.userFacingTime?.localText == "2018-09-19T22:27:07")
    let context = try GlucoseContext(hex("021e0002"))
    #expect(context.sequence == record.sequence && context.meal == .after)
  }

  @Test("The placeholder of a ketone meter is no reading of -10,000 mg/dL")
  func placeholder() throws {
    let record = try GlucoseMeasurement(hex("030100e407030e1717000000ffff11"))
    #expect(record.sample?.amount?.number.description == "-10000")
    #expect(GlucoseMeaning(record) == .none(.absurd))
  }

  @Test("All optional fields of a context, in their order")
  func fullContext() throws {
    let context = try GlucoseContext(hex("ff0000b303640004123c0032047b0059f1"))
    #expect(context.extendedFlags == 0xB3 && context.carbohydrate?.code == 3)
    #expect(context.carbohydrate?.amount.description == "100" && context.meal == .casual)
    #expect(context.testerAndHealth == 0x12 && context.exercise?.seconds == 60)
    #expect(context.exercise?.intensityPercent == 50 && context.medication?.code == 4)
    #expect(context.medication?.amount.description == "123" && context.isMedicationInLitres)
    #expect(context.hba1cPercent?.description == "34.5")
  }

  @Test("High is bit 5 and low is bit 6, which one well-known library has the other way round")
  func statusBits() throws {
    let record = try GlucoseMeasurement(hex("1b0100e307021b0b0a1efbff1e00120501"))
    #expect(record.status == [.batteryLow, .sampleInsufficient, .temperatureTooLow])
    #expect(GlucoseSensorStatus.resultTooHigh.rawValue == 32)
    #expect(GlucoseMeaning(stick(1, status: .resultTooHigh)) == .none(.aboveRange))
    #expect(GlucoseMeaning(stick(1, status: .resultTooLow)) == .none(.belowRange))
  }

  @Test("A continuous monitor's record: octets in the order status, calibration, warnings")
  func continuousRecord() throws {
    let records = try CGMMeasurement.records(in: hex("0fe3d2e405000214ff02f0e5f38e3f"))
    let record = try #require(records.first)
    #expect(records.count == 1 && record.concentration.description == "12.34")
    #expect(record.timeOffsetMinutes == 5 && record.trend?.description == "0.2")
    #expect(record.quality?.description == "99.7" && record.hasCRC)
    #expect(
      record.annunciation.isSuperset(of: [
        .batteryLow, .calibrationRecommended, .temperatureTooHigh,
      ]))
    #expect(record.annunciation.rawValue == 0xFF_1402)
  }

  @Test("Several records in one notification, with and without checksums")
  func severalRecords() throws {
    let records = try CGMMeasurement.records(
      in: hex("060064000500") + E2ECRC.appended(to: hex("080065000600")) + hex("060066000700"))
    #expect(records.map(\.timeOffsetMinutes) == [5, 6, 7])
    #expect(records.map(\.hasCRC) == [false, true, false])
  }

  @Test("Zone and summer time of a session's start are quarters of an hour")
  func sessionStart() throws {
    let start = try CGMSessionStart(hex("e20704180d08180804e0c2"))
    #expect(start.dateTime.description == "2018-04-24T13:08:24")
    #expect(start.localTime.minutesAheadOfUTC == 180)
    #expect(start.utc?.iso8601 == "2018-04-24T10:08:24.000Z")
    let unknown = LocalTimeInformation(zoneQuarterHours: -128, daylightQuarterHours: 0)
    #expect(CGMSessionStart(dateTime: start.dateTime, localTime: unknown).utc == nil)
  }

  @Test("Feature, status, run time and control point of a continuous monitor")
  func continuousRest() throws {
    let feature = try CGMFeature(hex("6e9e01168ac1"))
    #expect(
      (0..<24).filter { feature.bits & 1 << $0 != 0 } == [1, 2, 3, 5, 6, 9, 10, 11, 12, 15, 16])
    #expect(feature.origin.type == .arterialPlasma && feature.origin.location == .finger)
    #expect(try CGMStatus(hex("05003f3fffa7e0")).annunciation.rawValue == 0xFF_3F3F)
    #expect(try CGMSessionRunTime(hex("6801")).hours == 360)
    #expect(
      try CGMControl.read(hex("1c0201")).message == .response(request: 2, code: 1))
    let (message, hasCRC) = try CGMControl.read(hex("0601200a00321400010004bfb2"))
    guard case .calibration(let calibration) = message else {
      Issue.record("\(message)")
      return
    }
    #expect(hasCRC && calibration.concentration.description == "100")
    #expect(calibration.timeOffsetMinutes == 10 && calibration.nextOffsetMinutes == 20)
    #expect(calibration.origin.type == .capillaryPlasma && calibration.record == 1)
    #expect(
      try CGMControl.read(hex("0f0100")).message
        == .level(.hypo, try #require(SFLOAT(mantissa: 1))))
  }

  @Test("Every operation of a continuous monitor's control point has its opcode")
  func everyOperation() throws {
    var opcodes: [UInt8] = []
    let amount = SFLOAT(bits: 0x0064)
    let calibration = CGMControl.Calibration(
      concentration: amount, timeOffsetMinutes: 1,
      origin: GlucoseSampleOrigin(.capillaryWholeBlood, .finger), nextOffsetMinutes: 2)
    var messages: [CGMControl] = [
      .setInterval(minutes: 5), .getInterval, .interval(minutes: 5), .setCalibration(calibration),
      .getCalibration(record: 0xFFFF), .calibration(calibration),
    ]
    for level in CGMControl.AlertLevel.allCases {
      messages += [.setLevel(level, amount), .getLevel(level), .level(level, amount)]
    }
    messages += [
      .resetDeviceAlert, .startSession, .stopSession, .response(request: 26, code: 4),
    ]
    for message in messages {
      #expect(try CGMControl.read(message.octets, crc: .absent).message == message)
      #expect(
        try CGMControl.read(E2ECRC.appended(to: message.octets), crc: .required).message == message)
      opcodes.append(message.opcode)
    }
    #expect(opcodes == Array(1...28))
  }

  @Test(
    "Requests for records are written as meters know them",
    arguments: [
      (RecordAccess.request(.report, .all), "0101"), (.request(.count, .all), "0401"),
      (.request(.report, .atLeast(.number(45))), "0103012d00"),
      (.request(.report, .atMost(.number(258))), "0102010201"),
      (.request(.report, .within(.number(1), .number(5))), "01040101000500"),
      (.request(.delete, .first), "0205"), (.request(.report, .last), "0106"),
      (.request(.report, .atLeast(.time(time(day: 2, 3, 4)))), "010302ea070b02030400"),
      (.abort, "0300"), (.recordCount(258), "05000201"),
      (.response(request: 1, code: 6), "06000106"),
    ])
  func requests(message: RecordAccess, digits: String) throws {
    #expect(Hexadecimal.text(message.octets) == digits)
    #expect(try RecordAccess(hex(digits)) == message)
  }

  @Test(
    "What is no message of the record access control point is refused",
    arguments: ["0001", "0700", "0100", "0107", "0103", "01030300", "0301", "0501aa00", "06010101"])
  func noRequests(digits: String) {
    #expect(throws: DecodeError.self) { try RecordAccess(hex(digits)) }
  }
}
