import CivilTime
import JSON
import Moments
import Recurrence
import Texts

/// Times, distances and names as they are said to somebody who is looked after: in words, without figures where there is a word.
struct ResidentWords {
  let visit: Visit
  let resident: JSONValue?

  private func local(_ moment: Timestamp) -> CivilDateTime {
    visit.zone(of: resident).local(at: moment).civil
  }

  /// Hours and minutes, as a clock on the wall has them.
  var clock: String {
    let now = local(visit.now)
    return Self.digits(now)
  }

  private static func digits(_ time: CivilDateTime) -> String {
    "\(time.hour):\(time.minute < 10 ? "0" : "")\(time.minute)"
  }

  /// The day and the part of it, such as "Sunday afternoon".
  var day: String {
    let now = local(visit.now)
    return visit.gettext(
      "{weekday} {part}",
      [
        "weekday": ScheduleWords.name(now.weekday).text(in: visit.visitor.language),
        "part": Self.part(of: now.hour).text(in: visit.visitor.language),
      ])
  }

  /// What a script puts together to the same: the names of the days from Monday on, then the parts of the day.
  var dayNames: JSONValue {
    .object([
      "days": .array(
        Weekday.allCases.map { .string(ScheduleWords.name($0).text(in: visit.visitor.language)) }),
      "parts": .array(
        Self.partHours.map { .string(Self.part(of: $0).text(in: visit.visitor.language)) }),
      "both": .string(visit.gettext("{weekday} {part}")),
    ])
  }

  /// When something is: "3 o’clock in the afternoon", "tomorrow, 8 o’clock in the morning".
  func when(_ iso: String?) -> String {
    guard let iso, let moment = try? Timestamp(iso8601: iso) else { return "–" }
    let (then, now) = (local(moment), local(visit.now))
    let time = time(of: then)
    switch Int(then.daysSinceEpoch - now.daysSinceEpoch) {
    case 0: return time
    case 1: return visit.gettext("tomorrow, {time}", ["time": time])
    case -1: return visit.gettext("yesterday, {time}", ["time": time])
    case 2...6:
      return visit.gettext(
        "{weekday}, {time}",
        [
          "weekday": ScheduleWords.name(then.weekday).text(in: visit.visitor.language),
          "time": time,
        ])
    case let days where days > 6:
      return visit.ngettext("in {n} day", "in {n} days", days, ["n": days])
    case let days: return visit.ngettext("{n} day ago", "{n} days ago", -days, ["n": -days])
    }
  }

  /// The time of day in words.
  private func time(of then: CivilDateTime) -> String {
    switch (then.hour, then.minute) {
    case (0, 0): visit.gettext("midnight")
    case (12, 0): visit.gettext("noon")
    case (let hour, 0):
      visit.gettext(
        "{hour} o’clock {part}",
        [
          "hour": Self.hours(hour),
          "part": Self.time(in: hour).text(in: visit.visitor.language),
        ])
    case (let hour, let minute):
      visit.gettext(
        "{hour}:{minute} {part}",
        [
          "hour": Self.hours(hour), "minute": minute < 10 ? "0\(minute)" : "\(minute)",
          "part": Self.time(in: hour).text(in: visit.visitor.language),
        ])
    }
  }

  /// It is so late now, as a sentence.
  var itIs: String { visit.gettext("It is {time}", ["time": time(of: local(visit.now))]) }

  private static func hours(_ hour: Int) -> Int { hour % 12 == 0 ? 12 : hour % 12 }

  /// One hour of each part of a day.
  static let partHours = [0, 5, 12, 18, 22]

  /// The part of a day that an hour belongs to, after the name of the day.
  static func part(of hour: Int) -> Message {
    switch hour {
    case 5..<12: Message("morning", context: "part of a day")
    case 12..<18: Message("afternoon", context: "part of a day")
    case 18..<22: Message("evening", context: "part of a day")
    default: Message("night", context: "part of a day")
    }
  }

  /// The part of a day that an hour belongs to, after a time.
  private static func time(in hour: Int) -> Message {
    switch hour {
    case 5..<12: Message("in the morning", context: "after a time")
    case 12..<18: Message("in the afternoon", context: "after a time")
    case 18..<22: Message("in the evening", context: "after a time")
    default: Message("at night", context: "after a time")
    }
  }

  /// The beginning of what somebody wrote, whole words of it, so that it fits on a screen with large letters.
  static func brief(_ text: String, most: Int = 80) -> String {
    let line = text.split(whereSeparator: \.isNewline).joined(separator: " ")
    guard line.count > most else { return line }
    let head = line.prefix(most)
    let cut = head.lastIndex(of: " ") ?? head.endIndex
    return head[..<cut] + " …"
  }
}
