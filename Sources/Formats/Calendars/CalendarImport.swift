public import Care
public import CivilTime
public import Moments
public import Texts

/// What a calendar file becomes: items of a resident's routine, and a report of everything that does not become one.
public struct CalendarImport: Hashable, Sendable {
  /// Where and when a file is read.
  public struct Context: Sendable {
    /// Whose routine it is for.
    public var resident: ResidentID
    /// The calendar's name among the resident's calendars; it stands in each item's `source`.
    public var source: String
    /// The resident's zone, for times without one.
    public var timeZone: String
    /// What is over is left out as seen from here.
    public var now: Timestamp
    /// When an all-day event is due; nil for 09:00.
    public var allDayTime: TimeOfDay?
    /// The resident's language, for what they hear of an event that has no title.
    public var language: Language
    /// A zone by its name, such as `Europe/Madrid`; nil when there is no such zone.
    public var zone: @Sendable (String) -> CivilTimeZone?

    /// A context from its parts.
    public init(
      resident: ResidentID, source: String, timeZone: String, now: Timestamp,
      allDayTime: TimeOfDay? = nil, language: Language = .en,
      zone: @escaping @Sendable (String) -> CivilTimeZone?
    ) {
      self.resident = resident
      self.source = source
      self.timeZone = timeZone
      self.now = now
      self.allDayTime = allDayTime
      self.language = language
      self.zone = zone
    }
  }

  /// One event that did not become an item.
  public struct LeftOut: Hashable, Sendable {
    /// Kinds of reason.
    public enum Code: String, Hashable, Sendable, CaseIterable {
      /// It comes again by a rule that Homeward does not do, or never.
      case rule
      /// Its time zone is unknown.
      case zone
      /// It has no beginning, or none that can be read.
      case start
      /// "This and all later ones" were moved at once.
      case range
      /// It is too long, or has too many dates.
      case tooLong = "too-long"
    }

    /// The event's title, shortened to 100 Unicode scalars.
    public var title: String
    /// The kind of reason.
    public var code: Code
    /// The reason in one or two sentences.
    public var reason: Message
  }

  /// The most items that a resident has.
  public static let maximumItems = 1000
  /// The most events that are named one by one.
  public static let maximumNamed = 200
  /// How long what is over still counts, so that what is just being reminded of stays, in milliseconds: a day.
  public static let keptMilliseconds: Int64 = 86_400_000

  /// The items, at most ``maximumItems``, in the file's order.
  public var items: [RoutineItem] = []
  /// Events that did not become items, at most ``maximumNamed`` of them.
  public var leftOut: [LeftOut] = []
  /// How many did not become items for one of these reasons.
  public var leftOutCount = 0
  /// How many were over for more than a day.
  public var pastCount = 0
  /// How many were cancelled, or done already.
  public var cancelledCount = 0
  /// How many lie further ahead than there is room for; they come in with a later import.
  public var laterCount = 0
  /// How many had a text that was shortened.
  public var shortenedCount = 0
  /// How many events and tasks the file holds, changed single dates of a repeated one included.
  public var componentCount = 0
  /// What the calendar is called; nil when it does not say.
  public var calendarName: String?

  mutating func leave(_ title: String, _ code: LeftOut.Code, _ reason: Message) {
    leftOutCount += 1
    guard leftOut.count < Self.maximumNamed else { return }
    leftOut.append(
      LeftOut(title: CalendarText.shortened(title, to: 100), code: code, reason: reason))
  }
}

/// Why one event cannot become an item.
struct EventFault: Error {
  var code: CalendarImport.LeftOut.Code
  var reason: Message

  static let start = EventFault(
    code: .start,
    reason: Message("It has no beginning that can be read. Give it a date and a time."))
  static let range = EventFault(
    code: .range,
    reason: Message(
      "Some of its dates were moved together with all later ones. "
        + "End the old series in the calendar and make a new one."))
  static let tooLong = EventFault(
    code: .tooLong,
    reason: Message("It is too long, or has too many dates. Make several events of it."))
  static let severalRules = EventFault(
    code: .rule, reason: Message("It has several rules. Make one event of each."))
  static let never = EventFault(
    code: .rule, reason: Message("By its rule it never happens. Correct the rule in the calendar."))

  static func zone(_ name: String) -> EventFault {
    EventFault(
      code: .zone,
      reason: Message(
        "Its time zone \"{zone}\" is unknown. Choose one such as Europe/Madrid in the calendar.",
        ["zone": CalendarText.shortened(CalendarText.line(name), to: 60)]))
  }
}
