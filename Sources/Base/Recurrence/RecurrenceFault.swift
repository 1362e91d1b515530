public import Texts

/// Why a recurrence rule cannot be used, and where.
public struct RecurrenceFault: Error, Hashable, Sendable, CustomStringConvertible {
  /// Kinds of fault.
  public enum Code: String, Hashable, Sendable, CaseIterable {
    /// There is no text.
    case empty
    /// The text is longer than 1,000 bytes.
    case tooLong = "too-long"
    /// A part is not of the form `NAME=VALUE`.
    case malformed
    /// A part has a name that iCalendar does not know.
    case partUnknown = "part-unknown"
    /// A part of iCalendar that Homeward does not do.
    case partUnsupported = "part-unsupported"
    /// A part stands there twice.
    case partTwice = "part-twice"
    /// `FREQ` is missing.
    case frequencyMissing = "frequency-missing"
    /// A value is no number, weekday or date, or out of its range.
    case valueInvalid = "value-invalid"
    /// A list has more than 100 entries.
    case listTooLong = "list-too-long"
    /// Parts that do not go together.
    case combination
  }

  /// The kind of fault.
  public var code: Code
  /// One or two plain sentences: what is wrong, and what is allowed.
  public var message: Message
  /// The part concerned, such as `BYDAY`; nil where it is the rule as a whole.
  public var part: String?
  /// Offset in bytes of the part's value, or of what does not fit; 0 for a rule made of parts.
  public var offset: Int

  /// The message.
  public var description: String { message.description }

  init(_ code: Code, _ message: Message, part: String? = nil, at offset: Int = 0) {
    self.code = code
    self.message = message
    self.part = part
    self.offset = offset
  }
}

// MARK: Sentences

extension RecurrenceFault {
  static let empty = RecurrenceFault(
    .empty,
    Message("There is no rule. Write one such as FREQ=DAILY or FREQ=WEEKLY;BYDAY=MO,TH."))
  static let tooLong = RecurrenceFault(
    .tooLong,
    Message("The rule is longer than 1,000 bytes. Split it into several schedules."))
  static let listTooLong = RecurrenceFault(
    .listTooLong,
    Message("A list of the rule has more than 100 entries. Split it into several schedules."))
  static let frequencyMissing = RecurrenceFault(
    .frequencyMissing,
    Message("FREQ is missing. Begin with FREQ=HOURLY, DAILY, WEEKLY, MONTHLY or YEARLY."),
    part: "FREQ")
  static let countAndUntil = RecurrenceFault(
    .combination, Message("COUNT and UNTIL exclude each other. Keep one of them."), part: "UNTIL")

  static let interval = invalid("INTERVAL", Message("a whole number from 1 to 10000"))
  static let count = invalid("COUNT", Message("a whole number from 1 to 100000"))
  static let until = invalid(
    "UNTIL",
    Message(
      "a date from 1900 on, such as 20261231, 20261231T200000 (local) or 20261231T190000Z (UTC)"))
  static let month = invalid("BYMONTH", Message("months from 1 to 12, with commas between"))
  static let monthDay = invalid(
    "BYMONTHDAY", Message("days from 1 to 31, or from -1 (the last) to -31, with commas between"))
  static let weekday = invalid(
    "BYDAY",
    Message("weekdays MO, TU, WE, TH, FR, SA, SU, with commas between; 3TU is the third Tuesday"))
  static let hour = invalid("BYHOUR", Message("hours from 0 to 23, with commas between"))
  static let minute = invalid("BYMINUTE", Message("minutes from 0 to 59, with commas between"))
  static let setPosition = invalid(
    "BYSETPOS",
    Message("positions from 1 to 366, or from -1 (the last) to -366, with commas between"))
  static let weekStart = invalid("WKST", Message("one of MO, TU, WE, TH, FR, SA, SU"))

  static func ordinal(upTo limit: Int) -> RecurrenceFault {
    invalid(
      "BYDAY",
      Message(
        "such as 1MO to {limit}MO, or -1MO (the last) to -{limit}MO, here", ["limit": limit]))
  }

  static let ordinalNeedsMonth = RecurrenceFault(
    .combination,
    Message("A weekday with a number, such as 3TU in BYDAY, needs FREQ=MONTHLY or FREQ=YEARLY."),
    part: "BYDAY")
  static let monthDayInWeek = RecurrenceFault(
    .combination,
    Message(
      "BYMONTHDAY does not go with FREQ=WEEKLY. Use FREQ=MONTHLY, or BYDAY for days of the week."),
    part: "BYMONTHDAY")
  static let setPositionAlone = RecurrenceFault(
    .combination,
    Message(
      "BYSETPOS chooses among the times of another part. Add one, such as BYDAY, or leave it out."),
    part: "BYSETPOS")

  static func frequency(_ word: String) -> RecurrenceFault {
    let isKnown = word == "SECONDLY" || word == "MINUTELY"
    return RecurrenceFault(
      isKnown ? .partUnsupported : .valueInvalid,
      Message(
        "FREQ={word} is not possible. Write HOURLY, DAILY, WEEKLY, MONTHLY or YEARLY.",
        ["word": shown(word)]),
      part: "FREQ")
  }

  static func unsupported(_ name: String) -> RecurrenceFault {
    RecurrenceFault(
      .partUnsupported,
      Message(
        "{part} is not possible here. Say it with {parts}.", ["part": name, "parts": allowedParts]),
      part: name)
  }

  static func unknown(_ name: String) -> RecurrenceFault {
    RecurrenceFault(
      .partUnknown,
      Message(
        "\"{part}\" is no part of a rule. There are {parts}.",
        ["part": shown(name), "parts": allowedParts]),
      part: shown(name))
  }

  static func twice(_ name: String) -> RecurrenceFault {
    RecurrenceFault(
      .partTwice, Message("{part} stands there twice. Keep one of them.", ["part": name]),
      part: name)
  }

  static func malformed(_ part: String) -> RecurrenceFault {
    RecurrenceFault(
      .malformed,
      Message(
        "\"{part}\" is not of the form NAME=VALUE. Write parts with semicolons between, such as "
          + "FREQ=DAILY;COUNT=5.", ["part": shown(part)]))
  }

  private static let allowedParts = Message(
    "FREQ, INTERVAL, COUNT, UNTIL, BYMONTH, BYMONTHDAY, BYDAY, BYHOUR, BYMINUTE, BYSETPOS and WKST")

  private static func invalid(_ part: String, _ allowed: Message) -> RecurrenceFault {
    RecurrenceFault(
      .valueInvalid, Message("{part} must be {allowed}.", ["part": part, "allowed": allowed]),
      part: part)
  }

  /// The beginning of a text from outside, without what would disturb a terminal.
  private static func shown(_ text: String) -> String {
    text.unicodeScalars.prefix(20).map { $0.escaped(asASCII: true) }.joined()
  }
}
