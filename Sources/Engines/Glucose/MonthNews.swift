import Care
import CivilTime
import GlucoseFigures
import GlucoseValues
import JSON
import Moments
import Texts

/// What is told of a month at the end of a day: its means through that day.
struct MonthNews {
  private let means: GlucoseMonth
  /// Whether all readings of the month were there to reckon with.
  private let isComplete: Bool
  private let day: CivilDateTime

  /// - Parameter day: the last local day that is over.
  init(
    _ month: CalendarMonth, through day: CivilDateTime, of log: GlucoseLog, in zone: CivilTimeZone
  ) {
    let start = month.start(in: zone)
    // Through the end of the day that is over, or of the month.
    let next = day.adding(days: 1)
    let end = min(month.next.start(in: zone), zone.instant(of: next))
    let isComplete = log.isComplete(since: start)
    let readings = log.readings.filter {
      isComplete && $0.isTimeCertain && $0.sensor == .fingerStick && $0.time >= start
        && $0.time < end
    }
    means = GlucoseMonth(month, isOver: month < CalendarMonth(next), readings: readings)
    self.isComplete = isComplete
    self.day = day
  }

  /// The event about a resident.
  func event(of resident: ResidentID, in words: GlucoseWords) -> EventDraft {
    EventDraft(
      type: .glucoseMonth, lane: .record, resident: resident,
      facts: means.json.setting("through", to: .string(day.iso8601Date))
        .setting("isComplete", to: .bool(isComplete))
        .setting(
          "explanation",
          to: .string(words.month(means, isComplete: isComplete).text(in: words.language))))
  }
}
