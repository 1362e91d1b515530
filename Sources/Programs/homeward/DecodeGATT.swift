import Bytes
import GATTProfiles
import GlucoseValues
import JSON
import Moments

/// `homeward decode glucose-… | racp | cgm-…`: characteristics of glucose meters and continuous monitors.
enum DecodeGATT {
  static let kinds: [DecodedKind] = rows.map(\.decodedKind)

  private static let rows: [GATTKind] = [
    GATTKind(
      name: "glucose-measurement", summary: gettext("A meter's record (0x2A18)"),
      example: (
        "1b0f00e807011e053a1b53016fb0f80000", gettext("111 mg/dL, as an Accu-Chek Guide sent it.")
      )
    ) { octets throws(DecodeError) in measurement(try GlucoseMeasurement(octets)) },
    GATTKind(
      name: "glucose-context", summary: gettext("What belongs to a meter's record (0x2A34)"),
      example: ("021e0002", gettext("Record 30 was measured after a meal."))
    ) { octets throws(DecodeError) in context(try GlucoseContext(octets)) },
    GATTKind(
      name: "glucose-feature", summary: gettext("What a meter can find out (0x2A51)"),
      example: ("f003", gettext("Six of its eleven features."))
    ) { octets throws(DecodeError) in feature(try GlucoseFeature(octets)) },
    GATTKind(
      name: "racp", summary: gettext("A request for records, or its answer (0x2A52)"),
      example: ("06000106", gettext("The meter has no such records."))
    ) { octets throws(DecodeError) in recordAccess(try RecordAccess(octets)) },
    GATTKind(
      name: "cgm-measurement", summary: gettext("Records of a continuous monitor (0x2AA7)"),
      example: ("0fe3d2e405000214ff02f0e5f38e3f", gettext("One record, with its checksum."))
    ) { octets throws(DecodeError) in
      continuous(try CGMMeasurement.records(in: octets))
    },
    GATTKind(
      name: "cgm-feature", summary: gettext("What a continuous monitor can do (0x2AA8)"),
      example: ("6e9e01168ac1", gettext("Its features, with a checksum."))
    ) { octets throws(DecodeError) in continuousFeature(try CGMFeature(octets)) },
    GATTKind(
      name: "cgm-status", summary: gettext("How a continuous monitor does (0x2AA9)"),
      example: ("05003f3fffa7e0", gettext("Five minutes after the start, everything at once."))
    ) { octets throws(DecodeError) in status(try CGMStatus(octets)) },
    GATTKind(
      name: "cgm-session-start", summary: gettext("When a sensor's session began (0x2AAA)"),
      example: ("e20704180d08180804e0c2", gettext("24 April 2018 at 13:08:24, in summer time."))
    ) { octets throws(DecodeError) in sessionStart(try CGMSessionStart(octets)) },
    GATTKind(
      name: "cgm-control",
      summary: gettext("A request to a continuous monitor, or its answer (0x2AAC)"),
      example: ("1c0201", gettext("The monitor did what request 2 asked."))
    ) { octets throws(DecodeError) in
      let (message, hasCRC) = try CGMControl.read(octets)
      return control(message, hasCRC: hasCRC)
    },
  ]

  // MARK: Glucose Service

  private static func measurement(_ measurement: GlucoseMeasurement) -> DecodedMessage {
    var members: [JSONMember] = [
      JSONMember(key: "valid", value: true),
      JSONMember(key: "sequence", value: .integer(Int64(measurement.sequence))),
      JSONMember(key: "context_follows", value: .bool(measurement.contextFollows)),
      JSONMember(key: "base_time", value: .string(measurement.baseTime.description)),
      JSONMember(
        key: "time_offset_min",
        value: measurement.timeOffsetMinutes.map { .integer(Int64($0)) } ?? .null),
      JSONMember(
        key: "user_facing_time",
        value: measurement.userFacingTime.map { .string($0.localText) } ?? .null),
    ]
    if let sample = measurement.sample {
      members += [
        JSONMember(key: "unit", value: .string(sample.unit.rawValue)),
        JSONMember(key: "concentration", value: .string(sample.concentration.description)),
        JSONMember(
          key: "mg_dL", value: text(sample.amount, in: .milligramsPerDecilitre)),
        JSONMember(key: "mmol_L_18.0156", value: text(sample.amount, in: .millimolesPerLitre)),
      ]
      members += origin(sample.origin)
    }
    if let status = measurement.status {
      members.append(JSONMember(key: "status", value: .integer(Int64(status.rawValue))))
      members += bits(UInt32(status.rawValue), GlucoseSensorStatus.names, key: "status")
    }
    let meaning = GlucoseMeaning(measurement)
    members += meaningMembers(meaning)
    return DecodedMessage(json: .object(members), sentences: [sentence(meaning)])
  }

  private static func context(_ context: GlucoseContext) -> DecodedMessage {
    let json = JSONValue.object([
      "valid": true, "sequence": .integer(Int64(context.sequence)),
      "extended_flags": context.extendedFlags.map(code),
      "carbohydrate_id": context.carbohydrate.map { code($0.code) },
      "carbohydrate.kg": context.carbohydrate.map { number($0.amount) },
      "meal": context.mealCode.map(code),
      "tester": context.testerAndHealth.map { .integer(Int64($0 & 0x0F)) },
      "health": context.testerAndHealth.map { .integer(Int64($0 >> 4)) },
      "exercise_duration": context.exercise.map { .string("\($0.seconds)") },
      "exercise_intensity": context.exercise.map { .string("\($0.intensityPercent)") },
      "medication_id": context.medication.map { code($0.code) },
      context.isMedicationInLitres ? "medication.l" : "medication.kg":
        context.medication.map { number($0.amount) },
      "hba1c": context.hba1cPercent.map(number), "ketone": context.saysKetone ? true : nil,
    ])
    return DecodedMessage(
      json: json,
      sentences: context.saysKetone ? [GlucoseMeaning.Reason.ketone.sentence.spoken] : [])
  }

  private static func feature(_ feature: GlucoseFeature) -> DecodedMessage {
    DecodedMessage(
      json: .object(
        [
          JSONMember(key: "valid", value: true),
          JSONMember(key: "feature", value: .integer(Int64(feature.rawValue))),
        ] + bits(UInt32(feature.rawValue), GlucoseFeature.names, key: "feature")))
  }

  private static func recordAccess(_ message: RecordAccess) -> DecodedMessage {
    var members = [
      JSONMember(key: "valid", value: true),
      JSONMember(key: "opcode", value: .integer(Int64(message.opcode))),
      JSONMember(key: "operator", value: .integer(Int64(message.operatorCode))),
    ]
    switch message {
    case .abort: break
    case .recordCount(let count):
      members.append(JSONMember(key: "number_of_records", value: .integer(Int64(count))))
    case .response(let request, let code):
      members += response(request, code, RecordAccess.Answer(rawValue: code)?.name)
    case .request(_, let filter):
      switch filter {
      case .all, .first, .last: break
      case .atMost(let key): members += operand(key, "operand")
      case .atLeast(let key): members += operand(key, "operand")
      case .within(let from, let to):
        members += operand(from, "minimum") + operand(to, "maximum").dropFirst()
      }
    }
    return DecodedMessage(json: .object(members))
  }

  private static func operand(_ key: RecordAccess.Key, _ name: String) -> [JSONMember] {
    let content: JSONValue =
      switch key {
      case .number(let number): .integer(Int64(number))
      case .time(let time): .string(time.description)
      }
    return [
      JSONMember(key: "filter_type", value: .integer(Int64(key.filterType))),
      JSONMember(key: name, value: content),
    ]
  }

  private static func response(_ request: UInt8, _ code: UInt8, _ name: String?) -> [JSONMember] {
    [
      JSONMember(key: "request_opcode", value: .integer(Int64(request))),
      JSONMember(key: "response_code", value: .integer(Int64(code))),
      JSONMember(key: "response_name", value: .string(name ?? "reserved")),
    ]
  }

  // MARK: Continuous Glucose Monitoring Service

  private static func continuous(_ records: [CGMMeasurement]) -> DecodedMessage {
    let meanings = records.map { GlucoseMeaning($0, feature: nil) }
    let listed = zip(records, meanings).map { record, meaning in
      JSONValue.object(
        [
          JSONMember(key: "mg_dL", value: number(record.concentration)),
          JSONMember(key: "time_offset_min", value: .integer(Int64(record.timeOffsetMinutes))),
        ] + annunciation(record.annunciation)
          + [
            JSONMember(key: "trend_mg_dL_min", value: record.trend.map(number) ?? .null),
            JSONMember(key: "quality_percent", value: record.quality.map(number) ?? .null),
            JSONMember(key: "has_crc", value: .bool(record.hasCRC)),
          ] + meaningMembers(meaning))
    }
    return DecodedMessage(
      json: ["valid": true, "records": .array(listed)], sentences: meanings.map(sentence))
  }

  private static func continuousFeature(_ feature: CGMFeature) -> DecodedMessage {
    DecodedMessage(
      json: .object(
        [
          JSONMember(key: "valid", value: true),
          JSONMember(key: "feature", value: .integer(Int64(feature.bits))),
        ] + bits(feature.bits, CGMFeature.names, key: "feature") + origin(feature.origin)
          + [JSONMember(key: "has_crc", value: .bool(feature.hasCRC))]))
  }

  private static func status(_ status: CGMStatus) -> DecodedMessage {
    DecodedMessage(
      json: .object(
        [
          JSONMember(key: "valid", value: true),
          JSONMember(key: "time_offset_min", value: .integer(Int64(status.timeOffsetMinutes))),
        ] + annunciation(status.annunciation)
          + [JSONMember(key: "has_crc", value: .bool(status.hasCRC))]))
  }

  private static func sessionStart(_ start: CGMSessionStart) -> DecodedMessage {
    DecodedMessage(
      json: [
        "valid": true, "local_time": .string(start.dateTime.description),
        "zone_quarter_hours": .integer(Int64(start.localTime.zoneQuarterHours)),
        "dst_quarter_hours": .integer(Int64(start.localTime.daylightQuarterHours)),
        "utc": start.utc.map { .string($0.iso8601) } ?? .null, "has_crc": .bool(start.hasCRC),
      ])
  }

  private static func control(_ message: CGMControl, hasCRC: Bool) -> DecodedMessage {
    var members = [
      JSONMember(key: "valid", value: true),
      JSONMember(key: "opcode", value: .integer(Int64(message.opcode))),
    ]
    func add(_ key: String, _ value: JSONValue) {
      members.append(JSONMember(key: key, value: value))
    }
    switch message {
    case .setInterval(let minutes), .interval(let minutes):
      add("interval_min", .integer(Int64(minutes)))
    case .setCalibration(let calibration), .calibration(let calibration):
      add("mg_dL", number(calibration.concentration))
      add("time_offset_min", .integer(Int64(calibration.timeOffsetMinutes)))
      members += origin(calibration.origin)
      add("next_offset_min", .integer(Int64(calibration.nextOffsetMinutes)))
      add("record", .integer(Int64(calibration.record)))
      add("status", .integer(Int64(calibration.status)))
    case .getCalibration(let record): add("record", .integer(Int64(record)))
    case .setLevel(let level, let amount), .level(let level, let amount):
      add("level", .string(level.name))
      add("amount", number(amount))
    case .getLevel(let level): add("level", .string(level.name))
    case .response(let request, let code):
      members += response(request, code, CGMControl.Answer(rawValue: code)?.name)
    case .getInterval, .resetDeviceAlert, .startSession, .stopSession: break
    }
    add("has_crc", .bool(hasCRC))
    return DecodedMessage(json: .object(members))
  }

  // MARK: Parts

  private static func origin(_ origin: GlucoseSampleOrigin) -> [JSONMember] {
    [
      JSONMember(key: "type", value: .integer(Int64(origin.typeCode))),
      JSONMember(key: "type_name", value: .string(origin.type?.name ?? "reserved")),
      JSONMember(key: "location", value: .integer(Int64(origin.locationCode))),
      JSONMember(key: "location_name", value: .string(origin.location?.name ?? "reserved")),
    ]
  }

  private static func annunciation(_ annunciation: CGMAnnunciation) -> [JSONMember] {
    [JSONMember(key: "status", value: .integer(Int64(annunciation.rawValue)))]
      + bits(annunciation.rawValue, CGMAnnunciation.names, key: "status")
  }

  private static func bits(_ bits: UInt32, _ names: [String], key: String) -> [JSONMember] {
    let set = (0..<32).filter { bits & 1 << UInt32($0) != 0 }
    let words = set.map { place in
      let name = names.indices.contains(place) ? names[place] : ""
      return JSONValue.string(name.isEmpty ? "reserved" : name)
    }
    return [
      JSONMember(key: "\(key)_bits", value: .array(set.map { .integer(Int64($0)) })),
      JSONMember(key: "\(key)_names", value: .array(words)),
    ]
  }

  private static func meaningMembers(_ meaning: GlucoseMeaning) -> [JSONMember] {
    let word = meaning.reason?.rawValue ?? "reading"
    guard let amount = meaning.amount else {
      return [JSONMember(key: "meaning", value: .string(word))]
    }
    return [
      JSONMember(key: "meaning", value: .string(word)),
      JSONMember(
        key: "reading",
        value: [
          "number": .string(amount.number.description), "unit": .string(amount.unit.rawValue),
        ]),
    ]
  }

  private static func sentence(_ meaning: GlucoseMeaning) -> String {
    switch meaning {
    case .none(let reason): reason.sentence.spoken
    case .reading(let amount):
      gettext(
        "A reading: {number} {unit}.",
        ["number": amount.number, "unit": amount.unit.rawValue])
    }
  }

  private static func code(_ octet: UInt8) -> JSONValue {
    .string("0x" + Hexadecimal.text([octet]))
  }

  private static func number(_ float: SFLOAT) -> JSONValue { .string(float.description) }

  /// The digits that came where the unit is the one that came, three decimals elsewhere.
  private static func text(_ amount: GlucoseAmount?, in unit: GlucoseUnit) -> JSONValue {
    guard let amount else { return .null }
    return amount.unit == unit
      ? .string(amount.number.description) : fixed(amount.double(in: unit))
  }

  /// Three decimals; null for what has more digits than a number of 64 bits.
  private static func fixed(_ number: Double?) -> JSONValue {
    guard let number, let thousandths = Int64(exactly: (number * 1000).rounded()) else {
      return .null
    }
    let digits = String(thousandths.magnitude)
    let padded = String(repeating: "0", count: max(0, 4 - digits.utf8.count)) + digits
    return .string(
      (thousandths < 0 ? "-" : "") + padded.dropLast(3) + "." + padded.suffix(3))
  }
}
