import Care
import CivilTime
import JSON
import Moments
import Recurrence
import Texts

/// The due times of a schedule as a table, or as JSON.
struct ScheduleListing {
  var schedule: CalendarSchedule
  var zone: CivilTimeZone
  var slots: [Slot]
  /// Whether there are more.
  var goesOn: Bool
  /// Hours whose times are marked; nil for none.
  var quietHours: DailyHours?

  func show(_ session: Session) {
    if session.wantsJSON {
      return session.terminal.write(.array(slots.map { .string(isoText($0.instant)) }))
    }
    session.terminal.writeLine(
      gettext(
        "Due {schedule} ({zone}).\n",
        ["schedule": ScheduleWords.sentence(for: schedule), "zone": zone.name]))
    var table = Table([gettext("DAY"), gettext("TIME"), "UTC", gettext("REMARK")])
    for (index, slot) in slots.enumerated() {
      let local = zone.local(at: slot.instant)
      table.add([
        "\(ScheduleWords.name(local.civil.weekday).spoken) \(local.civil.iso8601Date)",
        clock(local.civil), offsetText(seconds: local.offsetSeconds),
        remarks(slot, local.civil, after: index > 0 ? slots[index - 1] : nil),
      ])
    }
    session.terminal.write(table.text)
    if !goesOn { session.terminal.writeLine(gettext("\nThat is all: nothing is due after that.")) }
  }

  /// The answer for what is never due.
  static func showNever(_ session: Session) {
    if session.wantsJSON { return session.terminal.write(.array([])) }
    session.terminal.writeLine(
      gettext("Due {schedule}.", ["schedule": ScheduleWords.sentence(for: .never)]))
  }

  private func remarks(_ slot: Slot, _ shown: CivilDateTime, after previous: Slot?) -> String {
    let isQuiet = quietHours?.minutesLeft(at: shown) != nil
    let quiet = isQuiet ? gettext("in the quiet hours") : ""
    return [quiet, remark(slot, after: previous)].filter { !$0.isEmpty }.joined(separator: "; ")
  }

  /// What the clock does at that time, or that the moment was listed just before; empty where there is nothing to say.
  private func remark(_ slot: Slot, after previous: Slot?) -> String {
    let meant = clock(slot.local)
    switch slot.resolution {
    case .unique:
      guard slot.instant == previous?.instant else { return "" }
      return gettext("this is the same moment as the line above; it is reminded of once")
    case .ambiguous:
      return gettext(
        "{time} comes twice on that day, because the clock is set back; it is due the first time only",
        ["time": meant])
    case .gap:
      let shown = zone.local(at: slot.instant).civil
      let isSameDay = shown.iso8601Date == slot.local.iso8601Date
      let named =
        isSameDay
        ? Message(verbatim: meant)
        : Message("{time} on {date}", ["time": meant, "date": slot.local.iso8601Date])
      return gettext(
        "{time} does not exist, because the clock is set forward; it is due at {instead} instead",
        ["time": named, "instead": clock(shown)])
    }
  }

  /// `2026-03-29T03:30:00+02:00`.
  ///
  /// An offset that has seconds, as some had until 1972, is cut to minutes, and the local time is that of the cut
  /// offset: the text means the same moment, and every reader of RFC 3339 takes it.
  private func isoText(_ instant: Timestamp) -> String {
    let seconds = zone.local(at: instant).offsetSeconds / 60 * 60
    let local = CivilDateTime(utc: instant.advanced(byMilliseconds: Int64(seconds) * 1000))
    return local.localText + offsetText(seconds: seconds)
  }

  /// `+02:00`, `-03:30`, with seconds where there are some.
  private func offsetText(seconds: Int) -> String {
    let magnitude = seconds.magnitude
    let parts =
      [magnitude / 3600, magnitude / 60 % 60] + (magnitude % 60 == 0 ? [] : [magnitude % 60])
    return (seconds < 0 ? "-" : "+")
      + parts.map { $0 < 10 ? "0\($0)" : "\($0)" }.joined(separator: ":")
  }

  private func clock(_ local: CivilDateTime) -> String {
    local.second == 0 ? String(local.iso8601Time.dropLast(3)) : local.iso8601Time
  }
}
