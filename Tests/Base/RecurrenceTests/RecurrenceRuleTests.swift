import Bytes
import CivilTime
import JSON
import Moments
import Recurrence
import Testing
import Texts

@Suite("The text of recurrence rules")
struct RecurrenceRuleTests {
  @Test(
    "A rule in its usual order is read and written without a change",
    arguments: [
      "FREQ=HOURLY", "FREQ=DAILY", "FREQ=WEEKLY", "FREQ=MONTHLY", "FREQ=YEARLY",
      "FREQ=DAILY;INTERVAL=10000;COUNT=100000", "FREQ=DAILY;UNTIL=20261231",
      "FREQ=DAILY;UNTIL=20261231T235959", "FREQ=DAILY;UNTIL=20261231T225959Z",
      "FREQ=DAILY;UNTIL=19000101T000000Z", "FREQ=DAILY;UNTIL=99991231T235959Z",
      "FREQ=WEEKLY;INTERVAL=2;BYDAY=MO,WE,SU;WKST=SU", "FREQ=MONTHLY;BYDAY=TU,3TU,-1FR",
      "FREQ=YEARLY;BYDAY=1MO,53TU,-53WE,-1TH", "FREQ=MONTHLY;BYMONTHDAY=1,15,31,-31,-1",
      "FREQ=MONTHLY;BYMONTHDAY=28,29,30,31;BYSETPOS=-1",
      "FREQ=YEARLY;COUNT=3;BYMONTH=1,12;BYMONTHDAY=5;BYDAY=SA;BYHOUR=0,23;BYMINUTE=0,59;BYSETPOS=1,366,-366,-1;WKST=WE",
    ])
  func roundTrip(text: String) throws {
    let rule = try RecurrenceRule(text: text)
    #expect(rule.text == text)
    #expect(try RecurrenceRule(text: rule.text) == rule)
    #expect(try RecurrenceRule(json: rule.json) == rule)
  }

  @Test(
    "Other ways to write a rule mean the same",
    arguments: [
      ("RRULE:FREQ=DAILY", "FREQ=DAILY"), ("rrule:freq=weekly;byday=mo", "FREQ=WEEKLY;BYDAY=MO"),
      ("INTERVAL=1;FREQ=DAILY;WKST=MO", "FREQ=DAILY"),
      ("BYDAY=WE,MO,WE,+1TU;FREQ=MONTHLY", "FREQ=MONTHLY;BYDAY=MO,WE,1TU"),
      ("FREQ=YEARLY;BYMONTH=12,01,1", "FREQ=YEARLY;BYMONTH=1,12"),
      ("FREQ=MONTHLY;BYMONTHDAY=-1,31,+2,-31", "FREQ=MONTHLY;BYMONTHDAY=2,31,-31,-1"),
    ])
  func sameMeaning(written: String, canonical: String) throws {
    let rule = try RecurrenceRule(text: written)
    #expect(rule.text == canonical)
    #expect(try RecurrenceRule(text: canonical) == rule)
  }

  struct Bad: Sendable {
    var text: String
    var code: RecurrenceFault.Code
    var offset: Int
    var sentence: String
  }

  static let bad = [
    Bad(text: "", code: .empty, offset: 0, sentence: "There is no rule. Write one such as"),
    Bad(text: "RRULE:", code: .empty, offset: 0, sentence: "There is no rule."),
    Bad(
      text: "FREQ", code: .malformed, offset: 0, sentence: "\"FREQ\" is not of the form NAME=VALUE"),
    Bad(text: "FREQ=DAILY;", code: .malformed, offset: 11, sentence: "semicolons between"),
    Bad(text: "FREQ=DAILY;COUNT=", code: .malformed, offset: 11, sentence: "\"COUNT=\" is not"),
    Bad(text: "INTERVAL=2", code: .frequencyMissing, offset: 0, sentence: "FREQ is missing. Begin"),
    Bad(
      text: "FREQ=SECONDLY", code: .partUnsupported, offset: 5,
      sentence: "FREQ=SECONDLY is not possible. Write HOURLY"),
    Bad(
      text: "FREQ=MINUTELY", code: .partUnsupported, offset: 5,
      sentence: "FREQ=MINUTELY is not possible"),
    Bad(text: "FREQ=FORTNIGHTLY", code: .valueInvalid, offset: 5, sentence: "Write HOURLY, DAILY"),
    Bad(
      text: "FREQ=\u{1B}[31m", code: .valueInvalid, offset: 5, sentence: "FREQ=\\u{1B}[31M is not"),
    Bad(
      text: "FREQ=DAILY;BYSECOND=5", code: .partUnsupported, offset: 11,
      sentence: "BYSECOND is not possible here. Say it with FREQ"),
    Bad(text: "FREQ=YEARLY;BYWEEKNO=5", code: .partUnsupported, offset: 12, sentence: "BYWEEKNO"),
    Bad(text: "FREQ=YEARLY;BYYEARDAY=5", code: .partUnsupported, offset: 12, sentence: "BYYEARDAY"),
    Bad(text: "FREQ=YEARLY;BYEASTER=0", code: .partUnsupported, offset: 12, sentence: "BYEASTER"),
    Bad(text: "RSCALE=CHINESE;FREQ=YEARLY", code: .partUnsupported, offset: 0, sentence: "RSCALE"),
    Bad(text: "FREQ=MONTHLY;SKIP=BACKWARD", code: .partUnsupported, offset: 13, sentence: "SKIP"),
    Bad(
      text: "FREQ=DAILY;X-FOO=1", code: .partUnknown, offset: 11,
      sentence: "\"X-FOO\" is no part of a rule. There are FREQ"),
    Bad(
      text: "FREQ=DAILY;FREQ=DAILY", code: .partTwice, offset: 11,
      sentence: "FREQ stands there twice"),
    Bad(
      text: "FREQ=DAILY;INTERVAL=0", code: .valueInvalid, offset: 20,
      sentence: "INTERVAL must be a whole number from 1 to 10000"),
    Bad(text: "FREQ=DAILY;INTERVAL=10001", code: .valueInvalid, offset: 20, sentence: "INTERVAL"),
    Bad(text: "FREQ=DAILY;INTERVAL=1.5", code: .valueInvalid, offset: 20, sentence: "INTERVAL"),
    Bad(
      text: "FREQ=DAILY;INTERVAL=99999999999999999999", code: .valueInvalid, offset: 20,
      sentence: "INTERVAL"),
    Bad(text: "FREQ=DAILY;COUNT=0", code: .valueInvalid, offset: 17, sentence: "COUNT must be"),
    Bad(
      text: "FREQ=DAILY;COUNT=100001", code: .valueInvalid, offset: 17, sentence: "COUNT must be"),
    Bad(text: "FREQ=DAILY;COUNT=-3", code: .valueInvalid, offset: 17, sentence: "COUNT must be"),
    Bad(
      text: "FREQ=DAILY;UNTIL=2026-12-31", code: .valueInvalid, offset: 17,
      sentence: "UNTIL must be a date"),
    Bad(text: "FREQ=DAILY;UNTIL=20260230", code: .valueInvalid, offset: 17, sentence: "UNTIL"),
    Bad(text: "FREQ=DAILY;UNTIL=20261231Z", code: .valueInvalid, offset: 17, sentence: "UNTIL"),
    Bad(
      text: "FREQ=DAILY;UNTIL=18991231", code: .valueInvalid, offset: 17, sentence: "from 1900 on"),
    Bad(
      text: "FREQ=DAILY;COUNT=3;UNTIL=20261231", code: .combination, offset: 25,
      sentence: "COUNT and UNTIL exclude each other"),
    Bad(
      text: "FREQ=DAILY;BYMONTH=13", code: .valueInvalid, offset: 19,
      sentence: "BYMONTH must be months from 1 to 12"),
    Bad(text: "FREQ=DAILY;BYMONTH=-1", code: .valueInvalid, offset: 19, sentence: "BYMONTH"),
    Bad(text: "FREQ=DAILY;BYMONTH=5L", code: .valueInvalid, offset: 19, sentence: "BYMONTH"),
    Bad(
      text: "FREQ=MONTHLY;BYMONTHDAY=0", code: .valueInvalid, offset: 24,
      sentence: "BYMONTHDAY must be days"),
    Bad(
      text: "FREQ=MONTHLY;BYMONTHDAY=1,,2", code: .valueInvalid, offset: 24, sentence: "BYMONTHDAY"),
    Bad(
      text: "FREQ=WEEKLY;BYMONTHDAY=1", code: .combination, offset: 23,
      sentence: "BYMONTHDAY does not go with FREQ=WEEKLY"),
    Bad(
      text: "FREQ=WEEKLY;BYDAY=MONDAY", code: .valueInvalid, offset: 18,
      sentence: "BYDAY must be weekdays MO"),
    Bad(
      text: "FREQ=WEEKLY;BYDAY=1MO", code: .combination, offset: 18,
      sentence: "needs FREQ=MONTHLY or FREQ=YEARLY"),
    Bad(
      text: "FREQ=MONTHLY;BYDAY=6MO", code: .valueInvalid, offset: 19,
      sentence: "such as 1MO to 5MO"),
    Bad(text: "FREQ=YEARLY;BYDAY=54MO", code: .valueInvalid, offset: 18, sentence: "1MO to 53MO"),
    Bad(text: "FREQ=YEARLY;BYDAY=0MO", code: .valueInvalid, offset: 18, sentence: "BYDAY"),
    Bad(
      text: "FREQ=YEARLY;BYMONTH=2;BYDAY=-6MO", code: .valueInvalid, offset: 28,
      sentence: "1MO to 5MO"),
    Bad(
      text: "FREQ=DAILY;BYHOUR=24", code: .valueInvalid, offset: 18,
      sentence: "BYHOUR must be hours"),
    Bad(
      text: "FREQ=DAILY;BYMINUTE=60", code: .valueInvalid, offset: 20,
      sentence: "BYMINUTE must be minutes"),
    Bad(
      text: "FREQ=MONTHLY;BYDAY=MO;BYSETPOS=0", code: .valueInvalid, offset: 31,
      sentence: "BYSETPOS must be"),
    Bad(
      text: "FREQ=MONTHLY;BYSETPOS=1", code: .combination, offset: 22,
      sentence: "BYSETPOS chooses among"),
    Bad(
      text: "FREQ=WEEKLY;WKST=XX", code: .valueInvalid, offset: 17,
      sentence: "WKST must be one of MO"),
    Bad(
      text: "FREQ=DAILY;BYHOUR=" + [String](repeating: "1", count: 101).joined(separator: ","),
      code: .listTooLong, offset: 0, sentence: "more than 100 entries"),
    Bad(
      text: "FREQ=DAILY;" + String(repeating: "X", count: 990), code: .tooLong, offset: 0,
      sentence: "longer than 1,000 bytes"),
  ]

  @Test("Whatever is wrong is said with its place and with what is allowed", arguments: bad)
  func badRules(_ bad: Bad) throws {
    let fault = try #require(throws: RecurrenceFault.self) { try RecurrenceRule(text: bad.text) }
    #expect(
      fault.code == bad.code && fault.offset == bad.offset, "\(fault.code) at \(fault.offset)")
    #expect(fault.description.contains(bad.sentence), "\(fault.message)")
    #expect(fault.description.hasSuffix("."))
    #expect(fault.description.utf8.count < 250)
    let chinese = fault.message.text(in: .zh)
    #expect(
      chinese != fault.description && chinese.firstMatch(of: /\{[a-z]+\}/) == nil, "\(chinese)")
    let error = try #require(throws: DecodeError.self) {
      try RecurrenceRule(json: .string(bad.text))
    }
    #expect(error.offset == bad.offset)
  }

  @Test("Parts are refused as texts are")
  func badParts() {
    #expect(throws: RecurrenceFault.self) { try RecurrenceRule(.daily, interval: 0) }
    #expect(throws: RecurrenceFault.self) { try RecurrenceRule(.daily, end: .count(.max)) }
    #expect(throws: RecurrenceFault.self) { try RecurrenceRule(.daily, byMonth: [.min]) }
    #expect(throws: RecurrenceFault.self) {
      try RecurrenceRule(.yearly, byDay: [.init(.min, .monday)])
    }
    #expect(throws: RecurrenceFault.self) {
      try RecurrenceRule(.daily, end: .untilUTC(Timestamp(milliseconds: .max)))
    }
    #expect(throws: RecurrenceFault.self) {
      try RecurrenceRule(
        .daily, end: .untilLocal(CivilDateTime(year: .max, month: .min, day: .max)))
    }
    #expect(throws: RecurrenceFault.self) {
      try RecurrenceRule(.daily, byHour: Array(repeating: 1, count: 101))
    }
    // Short enough as lists, too long as a text that could be read again.
    let days = (-53...53).filter { $0 != 0 }.prefix(98).map {
      RecurrenceRule.DayOfWeek($0, .monday)
    }
    let numbers = (1...98).map { -$0 - 200 }
    #expect(throws: RecurrenceFault.self) {
      try RecurrenceRule(
        .yearly, byDay: Array(days), byHour: Array(0...23), byMinute: Array(0...59),
        bySetPosition: numbers)
    }
  }

  @Test("Every rule made of parts reads back from its text")
  func seededRoundTrip() throws {
    var numbers = SplitMix64(seed: 5)
    var made = 0
    for _ in 0..<5000 {
      guard let rule = Self.chanceRule(&numbers) else { continue }
      made += 1
      #expect(try RecurrenceRule(text: rule.text) == rule, "\(rule.text)")
    }
    #expect(made > 2000)
  }

  private static func chanceRule(_ numbers: inout SplitMix64) -> RecurrenceRule? {
    func list(_ range: ClosedRange<Int>, _ numbers: inout SplitMix64) -> [Int] {
      let count = max(0, Int.random(in: -3...4, using: &numbers))
      return (0..<count).map { _ in Int.random(in: range, using: &numbers) }
    }
    let ends: [RecurrenceRule.End] = [
      .forever, .count(Int.random(in: 1...100_000, using: &numbers)),
      .untilUTC(.seconds(Int64.random(in: -2_000_000_000...4_000_000_000, using: &numbers))),
      .untilDate(
        CivilDateTime(utc: .seconds(Int64.random(in: 0...4_000_000_000, using: &numbers)))),
      .untilLocal(
        CivilDateTime(utc: .seconds(Int64.random(in: 0...4_000_000_000, using: &numbers)))),
    ]
    let days = list(1...7, &numbers).map { number in
      let ordinal = Int.random(in: -5...5, using: &numbers)
      return RecurrenceRule.DayOfWeek(ordinal == 0 ? nil : ordinal, Weekday.allCases[number - 1])
    }
    guard let frequency = RecurrenceRule.Frequency.allCases.randomElement(using: &numbers),
      let end = ends.randomElement(using: &numbers),
      let weekStart = Weekday.allCases.randomElement(using: &numbers)
    else { return nil }
    return try? RecurrenceRule(
      frequency, interval: Int.random(in: 1...10_000, using: &numbers), end: end,
      byMonth: list(1...12, &numbers), byMonthDay: list(-31...31, &numbers).filter { $0 != 0 },
      byDay: days, byHour: list(0...23, &numbers), byMinute: list(0...59, &numbers),
      bySetPosition: list(-366...366, &numbers).filter { $0 != 0 }, weekStart: weekStart)
  }

  @Test("No text stops the reader")
  func hostileTexts() {
    var numbers = SplitMix64(seed: 6)
    let pieces = [
      "FREQ=", "DAILY", ";", "=", ",", "BYDAY=", "-", "+", "5", "MO", "UNTIL=", "20261231", "T",
      "Z", "\u{0}", "é", "\u{301}", "🙂", "BYSETPOS=", "99999999999999999999", " ", "\n", "RRULE:",
    ]
    var accepted = 0
    for _ in 0..<20_000 {
      let count = Int.random(in: 0...12, using: &numbers)
      let text = (0..<count).compactMap { _ in pieces.randomElement(using: &numbers) }.joined()
      do throws(RecurrenceFault) {
        let rule = try RecurrenceRule(text: text)
        accepted += 1
        #expect(rule == (try? RecurrenceRule(text: rule.text)))
      } catch { #expect(error.offset <= text.utf8.count && !error.description.isEmpty) }
    }
    #expect(accepted > 0)
  }
}
