import CivilTime
import Moments

extension RecurrenceRule {
  /// The rule as the value of an iCalendar `RRULE`, such as `FREQ=MONTHLY;INTERVAL=2;BYDAY=3TU`.
  ///
  /// Parts stand in one order, lists are sorted, what is the default is left out; the text reads back as an equal rule.
  public var text: String {
    var parts = ["FREQ=\(frequency.rawValue)"]
    if interval != 1 { parts.append("INTERVAL=\(interval)") }
    switch end {
    case .forever: break
    case .count(let count): parts.append("COUNT=\(count)")
    case .untilLocal(let local): parts.append("UNTIL=\(local.iCalendarText)")
    case .untilUTC(let moment):
      parts.append("UNTIL=\(CivilDateTime(utc: moment).iCalendarText)Z")
    case .untilDate(let day): parts.append("UNTIL=\(day.iCalendarDate)")
    }
    let lists = [
      ("BYMONTH", byMonth.map(String.init)), ("BYMONTHDAY", byMonthDay.map(String.init)),
      ("BYDAY", byDay.map(\.text)), ("BYHOUR", byHour.map(String.init)),
      ("BYMINUTE", byMinute.map(String.init)), ("BYSETPOS", bySetPosition.map(String.init)),
    ]
    for (name, words) in lists where !words.isEmpty {
      parts.append("\(name)=\(words.joined(separator: ","))")
    }
    if weekStart != .monday { parts.append("WKST=\(weekStart.iCalendarWord)") }
    return parts.joined(separator: ";")
  }

  /// Reads the value of an iCalendar `RRULE`, upper or lower case, with or without `RRULE:` in front.
  ///
  /// - Throws: ``RecurrenceFault`` for what iCalendar forbids and what is outside of the subset; nothing is ignored.
  /// - Source: RFC 5545, section 3.3.10.
  public init(text: String) throws(RecurrenceFault) {
    guard text.utf8.count <= Self.maximumTextBytes else { throw .tooLong }
    let parts = try RuleParts(text)
    do throws(RecurrenceFault) {
      try self.init(
        try parts.frequency(), interval: try parts.number("INTERVAL", .interval) ?? 1,
        end: try parts.end(), byMonth: try parts.numbers("BYMONTH", .month),
        byMonthDay: try parts.numbers("BYMONTHDAY", .monthDay), byDay: try parts.weekdays(),
        byHour: try parts.numbers("BYHOUR", .hour),
        byMinute: try parts.numbers("BYMINUTE", .minute),
        bySetPosition: try parts.numbers("BYSETPOS", .setPosition),
        weekStart: try parts.weekStart())
    } catch { throw parts.located(error) }
  }
}

extension RecurrenceRule.DayOfWeek {
  fileprivate var text: String { (ordinal.map(String.init) ?? "") + weekday.iCalendarWord }

  fileprivate init?(text: Substring) {
    guard let weekday = Weekday(iCalendarWord: String(text.suffix(2))) else { return nil }
    let number = text.dropLast(2)
    if number.isEmpty {
      self.init(nil, weekday)
    } else {
      guard let ordinal = RuleParts.integer(number, maximumDigits: 2), ordinal != 0 else {
        return nil
      }
      self.init(ordinal, weekday)
    }
  }
}

/// The parts of a rule's text by name, each with the offset of its value.
private struct RuleParts {
  private struct Part {
    var name: String
    var text: Substring
    var offset: Int
  }

  private static let known: Set<String> = [
    "FREQ", "INTERVAL", "COUNT", "UNTIL", "BYMONTH", "BYMONTHDAY", "BYDAY", "BYHOUR", "BYMINUTE",
    "BYSETPOS", "WKST",
  ]
  private static let unsupported: Set<String> = [
    "BYSECOND", "BYWEEKNO", "BYYEARDAY", "BYEASTER", "RSCALE", "SKIP",
  ]

  private var parts: [Part] = []

  init(_ original: String) throws(RecurrenceFault) {
    let upper = original.uppercasedASCII
    let text = upper.hasPrefix("RRULE:") ? upper.dropFirst(6) : upper[...]
    guard !text.isEmpty else { throw .empty }
    var offset = upper.utf8.count - text.utf8.count
    for piece in text.split(separator: ";", omittingEmptySubsequences: false) {
      let words = piece.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      guard words.count == 2, !words[0].isEmpty, !words[1].isEmpty else {
        throw RecurrenceFault.malformed(String(piece)).at(offset)
      }
      let name = String(words[0])
      if Self.unsupported.contains(name) { throw RecurrenceFault.unsupported(name).at(offset) }
      guard Self.known.contains(name) else { throw RecurrenceFault.unknown(name).at(offset) }
      if parts.contains(where: { $0.name == name }) {
        throw RecurrenceFault.twice(name).at(offset)
      }
      parts.append(Part(name: name, text: words[1], offset: offset + name.utf8.count + 1))
      offset += piece.utf8.count + 1
    }
  }

  private func value(_ name: String) -> Substring? { parts.first { $0.name == name }?.text }

  /// The fault with the place of the part that it names.
  func located(_ fault: RecurrenceFault) -> RecurrenceFault {
    fault.at(parts.first { $0.name == fault.part }?.offset ?? 0)
  }

  func frequency() throws(RecurrenceFault) -> RecurrenceRule.Frequency {
    guard let word = value("FREQ") else { throw .frequencyMissing }
    guard let frequency = RecurrenceRule.Frequency(rawValue: String(word)) else {
      throw .frequency(String(word))
    }
    return frequency
  }

  func number(_ name: String, _ fault: RecurrenceFault) throws(RecurrenceFault) -> Int? {
    guard let text = value(name) else { return nil }
    guard let number = Self.integer(text, maximumDigits: 9) else { throw fault }
    return number
  }

  func numbers(_ name: String, _ fault: RecurrenceFault) throws(RecurrenceFault) -> [Int] {
    guard let text = value(name) else { return [] }
    var numbers: [Int] = []
    for word in text.split(separator: ",", omittingEmptySubsequences: false) {
      guard let number = Self.integer(word, maximumDigits: 3) else { throw fault }
      numbers.append(number)
    }
    return numbers
  }

  func weekdays() throws(RecurrenceFault) -> [RecurrenceRule.DayOfWeek] {
    guard let text = value("BYDAY") else { return [] }
    var days: [RecurrenceRule.DayOfWeek] = []
    for word in text.split(separator: ",", omittingEmptySubsequences: false) {
      guard let day = RecurrenceRule.DayOfWeek(text: word) else { throw .weekday }
      days.append(day)
    }
    return days
  }

  func weekStart() throws(RecurrenceFault) -> Weekday {
    guard let text = value("WKST") else { return .monday }
    guard let weekday = Weekday(iCalendarWord: String(text)) else { throw .weekStart }
    return weekday
  }

  func end() throws(RecurrenceFault) -> RecurrenceRule.End {
    let count = try number("COUNT", .count)
    guard let until = value("UNTIL") else { return count.map { .count($0) } ?? .forever }
    if count != nil { throw .countAndUntil }
    let isUTC = until.hasSuffix("Z")
    let digits = String(isUTC ? until.dropLast() : until)
    guard let civil = try? CivilDateTime(iCalendarText: digits) else { throw .until }
    let isDate = digits.utf8.count == 8
    if isUTC, isDate { throw .until }
    return isUTC ? .untilUTC(civil.asUTC) : isDate ? .untilDate(civil) : .untilLocal(civil)
  }

  /// A whole number with an optional sign; nil for anything else, or for more digits.
  static func integer(_ text: Substring, maximumDigits: Int) -> Int? {
    let digits = text.hasPrefix("-") || text.hasPrefix("+") ? text.dropFirst() : text
    guard (1...maximumDigits).contains(digits.utf8.count),
      digits.utf8.allSatisfy({ (0x30...0x39).contains($0) })
    else { return nil }
    return Int(text)
  }
}

extension RecurrenceFault {
  fileprivate func at(_ offset: Int) -> RecurrenceFault {
    var fault = self
    fault.offset = offset
    return fault
  }
}

extension String {
  /// Letters a through z in upper case; all other characters as they are.
  fileprivate var uppercasedASCII: String {
    String(decoding: utf8.map { (0x61...0x7A).contains($0) ? $0 - 0x20 : $0 }, as: UTF8.self)
  }
}
