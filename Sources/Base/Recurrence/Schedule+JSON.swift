public import Bytes
import CivilTime
public import JSON
import Moments

extension Schedule: JSONCodable {
  private enum Kind: String {
    case never
    case calendar
    case elapsed
    case asNeeded = "as-needed"
  }

  /// Reads a schedule; `kind` is `never`, `calendar`, `elapsed` or `as-needed`.
  ///
  /// - Throws: ``DecodeError`` naming the member that does not fit, is out of its bounds, or is not known: a misspelt
  ///   `excluded` must not pass for none.
  public init(json: JSONValue) throws(DecodeError) {
    let reader = try JSONReader(json)
    switch try reader.word("kind", as: Kind.self) {
    case .never:
      try reader.refuseUnknown(besides: ["kind"])
      self = .never
    case .calendar: self = .calendar(try CalendarSchedule(reader))
    case .elapsed: self = .elapsed(try ElapsedSchedule(reader))
    case .asNeeded: self = .asNeeded(try AsNeededSchedule(reader))
    }
    if let fault { throw reader.error(fault.decodeCode, fault.field) }
  }

  /// The schedule as an object; what is the default is left out.
  public var json: JSONValue {
    switch self {
    case .never: ["kind": .string(Kind.never.rawValue)]
    case .calendar(let calendar):
      .object([
        "kind": .string(Kind.calendar.rawValue), "start": .string(calendar.start.localText),
        "timeZone": .string(calendar.timeZone),
        "rrule": calendar.rule.map { .string($0.text) },
        "times": .nonEmpty(calendar.times.map(\.text)),
        "excluded": .nonEmpty(calendar.excluded.map(\.localText)),
        "added": .nonEmpty(calendar.added.map(\.localText)),
        "monthEnd": calendar.monthEnd == .skip ? nil : .string(calendar.monthEnd.rawValue),
      ])
    case .elapsed(let elapsed):
      [
        "kind": .string(Kind.elapsed.rawValue), "everyMinutes": .integer(elapsed.everyMinutes),
        "first": .string(elapsed.first.localText), "timeZone": .string(elapsed.timeZone),
      ]
    case .asNeeded(let asNeeded):
      [
        "kind": .string(Kind.asNeeded.rawValue),
        "minimumGapMinutes": .integer(asNeeded.minimumGapMinutes),
        "dailyMaximum": .integer(Int64(asNeeded.dailyMaximum)),
      ]
    }
  }
}

extension Schedule {
  /// What it looks like in JSON.
  public static let shape = JSONShape.either([
    .object(name: "NoSchedule", [JSONShape.Member("kind", .words([Kind.never.rawValue]))]),
    .object(
      name: "CalendarSchedule",
      [
        JSONShape.Member("kind", .words([Kind.calendar.rawValue])),
        JSONShape.Member("start", .localTime), JSONShape.Member("timeZone", .timeZone),
        JSONShape.Member("rrule", RecurrenceRule.shape).optional,
        JSONShape.Member("times", .list(.timeOfDay)).optional,
        JSONShape.Member("excluded", .list(.localTime)).optional,
        JSONShape.Member("added", .list(.localTime)).optional,
        JSONShape.Member("monthEnd", .words(of: CalendarSchedule.MonthEnd.self)).optional,
      ]),
    .object(
      name: "ElapsedSchedule",
      [
        JSONShape.Member("kind", .words([Kind.elapsed.rawValue])),
        JSONShape.Member("everyMinutes", .whole), JSONShape.Member("first", .localTime),
        JSONShape.Member("timeZone", .timeZone),
      ]),
    .object(
      name: "AsNeededSchedule",
      [
        JSONShape.Member("kind", .words([Kind.asNeeded.rawValue])),
        JSONShape.Member("minimumGapMinutes", .whole), JSONShape.Member("dailyMaximum", .whole),
      ]),
  ])
}

extension RecurrenceRule {
  /// What it looks like in JSON: a rule of iCalendar.
  ///
  /// - Source: RFC 5545, 3.3.10.
  public static let shape = JSONShape.text(
    JSONShape.Writing(pattern: "^FREQ=.+$", example: "FREQ=WEEKLY;BYDAY=MO,TH"))
}

extension CalendarSchedule {
  fileprivate init(_ reader: JSONReader) throws(DecodeError) {
    try reader.refuseUnknown(besides: [
      "kind", "start", "timeZone", "rrule", "times", "excluded", "added", "monthEnd",
    ])
    self.init(
      start: try reader.local("start"), rule: try reader.rule("rrule"),
      times: try reader.times("times"), excluded: try reader.locals("excluded"),
      added: try reader.locals("added"), timeZone: try reader.string("timeZone"),
      monthEnd: try reader.optionalWord("monthEnd", as: MonthEnd.self) ?? .skip)
  }
}

extension ElapsedSchedule {
  fileprivate init(_ reader: JSONReader) throws(DecodeError) {
    try reader.refuseUnknown(besides: ["kind", "everyMinutes", "first", "timeZone"])
    self.init(
      everyMinutes: try reader.integer("everyMinutes"), first: try reader.local("first"),
      timeZone: try reader.string("timeZone"))
  }
}

extension AsNeededSchedule {
  fileprivate init(_ reader: JSONReader) throws(DecodeError) {
    try reader.refuseUnknown(besides: ["kind", "minimumGapMinutes", "dailyMaximum"])
    self.init(
      minimumGapMinutes: try reader.integer("minimumGapMinutes"),
      dailyMaximum: Int(clamping: try reader.integer("dailyMaximum")))
  }
}

extension RecurrenceRule: JSONCodable {
  /// Reads the text of a rule.
  ///
  /// - Throws: ``DecodeError`` with the fault's offset within the text.
  public init(json: JSONValue) throws(DecodeError) {
    guard let text = json.stringContent else { throw DecodeError(.wrongType, at: 0) }
    do throws(RecurrenceFault) { try self.init(text: text) } catch {
      throw DecodeError(error.decodeCode, at: error.offset, field: error.part)
    }
  }

  /// The rule's text.
  public var json: JSONValue { .string(text) }
}

extension JSONReader {
  fileprivate func local(_ name: String) throws(DecodeError) -> CivilDateTime {
    try Self.local(try string(name), error(.invalidText, name).field)
  }

  fileprivate func locals(_ name: String) throws(DecodeError) -> [CivilDateTime] {
    let field = error(.invalidText, name).field
    return try list(name) { (value) throws(DecodeError) in
      guard let text = value.stringContent else {
        throw DecodeError(.wrongType, at: 0, field: field)
      }
      return try Self.local(text, field)
    }
  }

  private static func local(_ text: String, _ field: String?) throws(DecodeError) -> CivilDateTime {
    do throws(DecodeError) { return try CivilDateTime(localText: text) } catch {
      throw DecodeError(error.code, at: error.offset, field: field)
    }
  }

  fileprivate func times(_ name: String) throws(DecodeError) -> [TimeOfDay] {
    try list(name) { (value) throws(DecodeError) in
      guard let text = value.stringContent else { throw error(.wrongType, name) }
      guard let time = TimeOfDay(text: text) else { throw error(.outOfRange, name) }
      return time
    }
  }

  fileprivate func rule(_ name: String) throws(DecodeError) -> RecurrenceRule? {
    guard let value = optional(name) else { return nil }
    do throws(DecodeError) { return try RecurrenceRule(json: value) } catch {
      let field = self.error(error.code, name).field ?? name
      throw DecodeError(
        error.code, at: error.offset, field: error.field.map { "\(field).\($0)" } ?? field)
    }
  }
}

extension JSONValue {
  /// Texts as an array; nil when there is none.
  fileprivate static func nonEmpty(_ texts: [String]) -> JSONValue? {
    texts.isEmpty ? nil : .array(texts.map { .string($0) })
  }
}

extension ScheduleFault {
  fileprivate var decodeCode: DecodeError.Code {
    switch code {
    case .dateInvalid, .numberOutOfRange, .combination, .noOccurrence: .outOfRange
    case .listTooLong: .tooLarge
    case .zoneMissing: .missingField
    }
  }
}

extension RecurrenceFault {
  fileprivate var decodeCode: DecodeError.Code {
    switch code {
    case .empty, .frequencyMissing: .missingField
    case .tooLong, .listTooLong: .tooLarge
    case .malformed: .unexpectedByte
    case .partUnknown, .partUnsupported: .unknownWord
    case .partTwice: .duplicateKey
    case .valueInvalid, .combination: .outOfRange
    }
  }
}
