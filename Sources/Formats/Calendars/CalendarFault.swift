public import Texts

/// Why a file cannot be taken as a calendar at all, in one sentence that says what to do next.
///
/// What is wrong with one event never is a fault: the event is left out and named, see ``CalendarImport/LeftOut``.
public struct CalendarFault: Error, Hashable, Sendable, CustomStringConvertible {
  /// Kinds of fault.
  public enum Code: String, Hashable, Sendable, CaseIterable {
    /// There is nothing in the file.
    case empty
    /// The file is no iCalendar file; often it is a web page that asks for a password.
    case notCalendar = "not-a-calendar"
    /// The end is missing.
    case truncated
    /// The file is larger than is read.
    case tooLarge = "too-large"
    /// The file holds more events than are read.
    case tooMany = "too-many"
    /// The home's time zone is unknown, so that nothing can be placed.
    case zone
  }

  /// The kind.
  public var code: Code
  /// The sentence.
  public var message: Message

  /// The sentence in English.
  public var description: String { message.description }

  static let empty = CalendarFault(
    code: .empty, message: Message("The file is empty. Export the calendar again."))
  static let notCalendar = CalendarFault(
    code: .notCalendar,
    message: Message(
      "This is no iCalendar file: it does not begin with BEGIN:VCALENDAR. "
        + "Export the calendar as .ics, or check the address."))
  static let webPage = CalendarFault(
    code: .notCalendar,
    message: Message(
      "This is a web page and no calendar. Perhaps it asks for a password: "
        + "use the calendar's own address that ends in .ics."))
  static let truncated = CalendarFault(
    code: .truncated,
    message: Message(
      "The file ends in the middle: END:VCALENDAR is missing. Fetch or export it again."))
  static let tooLarge = CalendarFault(
    code: .tooLarge,
    message: Message(
      "The file is larger than {size} MiB. Export a shorter span of the calendar.",
      ["size": CalendarFile.maximumBytes >> 20]))
  static let tooMany = CalendarFault(
    code: .tooMany,
    message: Message(
      "The file has more than {most} events. Export a shorter span of the calendar.",
      ["most": CalendarFile.maximumEvents]))

  static func zone(_ name: String) -> CalendarFault {
    CalendarFault(
      code: .zone,
      message: Message(
        "The time zone {zone} of the home is unknown on this machine. "
          + "Correct it with the resident, or install the package tzdata.", ["zone": name]))
  }
}
