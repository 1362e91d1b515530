import CivilTime
import Moments
public import Texts

/// Says in plain words when a schedule is due, so that a person can see whether it is what they meant.
///
/// All words and sentences of this module are in this file and in `ScheduleWords+Time.swift`.
public enum ScheduleWords {
  /// Such as `every day at 08:00 and 20:00`, without a capital letter and a full stop.
  public static func sentence(for schedule: Schedule) -> Message {
    switch schedule {
    case .never: return Message("never; it is written down only")
    case .calendar(let calendar): return sentence(for: calendar)
    case .elapsed(let elapsed):
      return Message(
        "{span} after it was last done, first on {date} at {time}",
        [
          "span": span(minutes: elapsed.everyMinutes), "date": date(elapsed.first),
          "time": clock(elapsed.first),
        ])
    case .asNeeded(let asNeeded):
      let times = times(asNeeded.dailyMaximum)
      guard asNeeded.minimumGapMinutes > 0 else {
        return Message("when needed, at most {times} a day", ["times": times])
      }
      return Message(
        "when needed, at least {span} apart, at most {times} a day",
        ["span": span(minutes: asNeeded.minimumGapMinutes), "times": times])
    }
  }

  /// As ``sentence(for:)-(Schedule)``.
  public static func sentence(for schedule: CalendarSchedule) -> Message {
    guard let rule = schedule.rule else {
      let once = Message(
        "once, on {date} at {time}",
        ["date": date(schedule.start), "time": clock(schedule, nil)])
      return withExceptions(once, schedule)
    }
    var text = days(rule, schedule.start)
    if rule.frequency != .hourly {
      text = Message("{days} at {times}", ["days": text, "times": clock(schedule, rule)])
    }
    if rule.interval > 1 {
      text = Message(
        "{schedule}, counted from {date}", ["schedule": text, "date": date(schedule.start)])
    }
    text = withEnd(withChosen(text, rule), rule, isSeveralTimes: schedule.times.count > 1)
    return withExceptions(withMissingDays(text, schedule, rule), schedule)
  }
}

// MARK: Days

extension ScheduleWords {
  private static func days(_ rule: RecurrenceRule, _ start: CivilDateTime) -> Message {
    switch rule.frequency {
    case .hourly: withLimits(hours(rule, start), rule)
    case .daily: withLimits(every(rule.interval, .daily), rule)
    case .weekly: withMonths(weekdays(rule, start), rule)
    case .monthly: monthly(rule, start)
    case .yearly: yearly(rule, start)
    }
  }

  private static func hours(_ rule: RecurrenceRule, _ start: CivilDateTime) -> Message {
    let minutes = rule.byMinute.isEmpty ? [start.minute] : rule.byMinute
    let every = every(rule.interval, .hourly)
    let past =
      minutes == [0]
      ? Message("{hours}, on the hour", ["hours": every])
      : Message(
        "{hours}, at {minutes} minutes past the hour",
        ["hours": every, "minutes": all(minutes.map { Message(verbatim: String($0)) })])
    guard !rule.byHour.isEmpty else { return past }
    return Message(
      "{hours}, only in the hours that begin at {times}",
      ["hours": past, "times": all(rule.byHour.map { Message(verbatim: "\(two($0)):00") })])
  }

  /// `every Monday and Thursday`, `every second week on Monday`.
  private static func weekdays(_ rule: RecurrenceRule, _ start: CivilDateTime) -> Message {
    let days = rule.byDay.isEmpty ? [start.weekday] : rule.byDay.map(\.weekday)
    let names = days == workdays ? Message("Monday to Friday") : all(days.map(name))
    if rule.interval == 1 { return Message("every {weekdays}", ["weekdays": names]) }
    return Message(
      "{weeks} on {weekdays}", ["weeks": every(rule.interval, .weekly), "weekdays": names])
  }

  private static func monthly(_ rule: RecurrenceRule, _ start: CivilDateTime) -> Message {
    let which = dayOfMonth(rule, start)
    let every = every(rule.interval, .monthly)
    if rule.byMonth.isEmpty {
      let isBoth = !rule.byDay.isEmpty && !rule.byMonthDay.isEmpty
      return rule.interval == 1 && isBoth
        ? Message("{days} of the month", context: "each month", ["days": which])
        : Message("{days} of {months}", ["days": which, "months": every])
    }
    if rule.interval == 1 {
      return Message("{days} of {months}", ["days": which, "months": all(rule.byMonth.map(name))])
    }
    return Message(
      "{days} of {every} if it is {months}",
      ["days": which, "every": every, "months": either(rule.byMonth.map(name))])
  }

  private static func yearly(_ rule: RecurrenceRule, _ start: CivilDateTime) -> Message {
    let every = every(rule.interval, .yearly)
    if rule.byMonth.isEmpty, rule.byDay.isEmpty, rule.byMonthDay.isEmpty {
      let date = Message("{day} {month}", ["day": start.day, "month": name(month: start.month)])
      return Message("{years} on {date}", ["years": every, "date": date])
    }
    var text: Message
    if rule.byMonth.isEmpty, rule.byMonthDay.isEmpty {
      if rule.byDay.contains(where: { $0.ordinal != nil }) {
        let days = Message("on {days}", ["days": all(rule.byDay.map(weekday))])
        return Message("{days} of {months}", ["days": days, "months": every])
      }
      text = Message("every {weekdays}", ["weekdays": all(rule.byDay.map { name($0.weekday) })])
    } else {
      let months =
        rule.byMonth.isEmpty ? Message("every month") : all(rule.byMonth.map(name))
      text = Message(
        "{days} of {months}", ["days": dayOfMonth(rule, start), "months": months])
    }
    if rule.interval > 1 { text = Message("{days}, {years}", ["days": text, "years": every]) }
    return text
  }

  /// `on the 15th`, `on the third Tuesday`, `on every Friday that is the 13th`.
  private static func dayOfMonth(_ rule: RecurrenceRule, _ start: CivilDateTime) -> Message {
    if let day = lastOrEarlier(rule) {
      return Message("on {day}, else on the last day,", ["day": monthDay(day)])
    }
    if let workday = chosenWorkday(rule) {
      return Message("on the {position} day from Monday to Friday", ["position": workday])
    }
    let isImplied = rule.byMonthDay.isEmpty && rule.byDay.isEmpty
    let numbers = (isImplied ? [start.day] : rule.byMonthDay).map(monthDay)
    let weekdays = rule.byDay.map(weekday)
    if weekdays.isEmpty { return Message("on {days}", ["days": all(numbers)]) }
    if numbers.isEmpty { return Message("on {days}", ["days": all(weekdays)]) }
    return Message(
      "on {weekdays} that is {days}", ["weekdays": all(weekdays), "days": either(numbers)])
  }

  /// 31 for days 28 through 31 of which the last is taken: how calendars say "on the 31st or the last day".
  private static func lastOrEarlier(_ rule: RecurrenceRule) -> Int? {
    guard rule.byDay.isEmpty, rule.bySetPosition == [-1], let last = rule.byMonthDay.last,
      last > 28, rule.byMonthDay == Array(28...last), rule.byHour.count < 2, rule.byMinute.count < 2
    else { return nil }
    return last
  }

  /// `last` for Monday to Friday of which the last is taken.
  private static func chosenWorkday(_ rule: RecurrenceRule) -> Message? {
    guard rule.byDay == workdays.map({ .init(nil, $0) }), rule.byMonthDay.isEmpty,
      let number = rule.bySetPosition.first, rule.bySetPosition.count == 1,
      rule.frequency == .monthly || rule.byMonth.count == 1, rule.byHour.count < 2,
      rule.byMinute.count < 2
    else { return nil }
    return position(number)
  }

  /// ` that is a Monday or Thursday and the 1st of the month in January`.
  private static func withLimits(_ days: Message, _ rule: RecurrenceRule) -> Message {
    var conditions: [Message] = []
    if !rule.byDay.isEmpty {
      conditions.append(
        Message("a {weekdays}", ["weekdays": either(rule.byDay.map { name($0.weekday) })]))
    }
    if !rule.byMonthDay.isEmpty {
      conditions.append(
        Message("{days} of the month", ["days": either(rule.byMonthDay.map(monthDay))]))
    }
    guard let first = conditions.first, let last = conditions.last else {
      return withMonths(days, rule)
    }
    let both =
      conditions.count == 1
      ? first
      : Message("{one} and {other}", context: "conditions", ["one": first, "other": last])
    return withMonths(
      rule.frequency == .hourly
        ? Message("{hours}, on each day that is {conditions}", ["hours": days, "conditions": both])
        : Message("{days} that is {conditions}", ["days": days, "conditions": both]), rule)
  }

  private static func withMonths(_ days: Message, _ rule: RecurrenceRule) -> Message {
    guard !rule.byMonth.isEmpty else { return days }
    return Message("{days} in {months}", ["days": days, "months": all(rule.byMonth.map(name))])
  }
}

// MARK: Times, ends and remarks

extension ScheduleWords {
  private static func clock(_ schedule: CalendarSchedule, _ rule: RecurrenceRule?) -> Message {
    if !schedule.times.isEmpty {
      return all(Set(schedule.times).sorted().map { Message(verbatim: $0.text) })
    }
    guard let rule, !rule.byHour.isEmpty || !rule.byMinute.isEmpty else {
      return clock(schedule.start)
    }
    let hours = rule.byHour.isEmpty ? [schedule.start.hour] : rule.byHour
    let minutes = rule.byMinute.isEmpty ? [schedule.start.minute] : rule.byMinute
    return all(
      hours.flatMap { hour in minutes.map { Message(verbatim: "\(two(hour)):\(two($0))") } })
  }

  /// `, of these only the first and the last in each month`.
  private static func withChosen(_ text: Message, _ rule: RecurrenceRule) -> Message {
    guard !rule.bySetPosition.isEmpty, lastOrEarlier(rule) == nil, chosenWorkday(rule) == nil else {
      return text
    }
    let positions = all(
      rule.bySetPosition.map {
        Message("the {position}", context: "time of a schedule", ["position": position($0)])
      })
    let values: Message.Values = ["schedule": text, "positions": positions]
    return switch rule.frequency {
    case .hourly: Message("{schedule}, of these only {positions} in each hour", values)
    case .daily: Message("{schedule}, of these only {positions} in each day", values)
    case .weekly: Message("{schedule}, of these only {positions} in each week", values)
    case .monthly: Message("{schedule}, of these only {positions} in each month", values)
    case .yearly: Message("{schedule}, of these only {positions} in each year", values)
    }
  }

  private static func withEnd(
    _ text: Message, _ rule: RecurrenceRule, isSeveralTimes: Bool
  ) -> Message {
    switch rule.end {
    case .forever: text
    case .count(1):
      isSeveralTimes
        ? Message("{schedule}, only once each", ["schedule": text])
        : Message("{schedule}, only once", ["schedule": text])
    case .count(let count):
      isSeveralTimes
        ? Message("{schedule}, {times} each", ["schedule": text, "times": times(count)])
        : Message("{schedule}, {times}", ["schedule": text, "times": times(count)])
    case .untilLocal(let local):
      Message(
        "{schedule}, until {date} at {time}",
        ["schedule": text, "date": date(local), "time": clock(local)])
    case .untilDate(let day):
      Message(
        "{schedule}, until {date}, that day included", ["schedule": text, "date": date(day)])
    case .untilUTC(let moment):
      Message(
        "{schedule}, until {date} at {time} UTC",
        [
          "schedule": text, "date": date(CivilDateTime(utc: moment)),
          "time": clock(CivilDateTime(utc: moment)),
        ])
    }
  }

  /// What happens in months that lack the day.
  private static func withMissingDays(
    _ text: Message, _ schedule: CalendarSchedule, _ rule: RecurrenceRule
  ) -> Message {
    guard rule.frequency == .monthly || rule.frequency == .yearly, lastOrEarlier(rule) == nil else {
      return text
    }
    let values: Message.Values = ["schedule": text]
    let isSkipped = schedule.monthEnd == .skip
    let isImplied = rule.byMonthDay.isEmpty && rule.byDay.isEmpty
    let day = (isImplied ? [schedule.start.day] : rule.byMonthDay).max() ?? 0
    let isLeapDay =
      rule.frequency == .yearly && isImplied && rule.byMonth.isEmpty
    if isLeapDay {
      guard schedule.start.month == 2, schedule.start.day == 29 else { return text }
      return isSkipped
        ? Message("{schedule}; only in leap years", values)
        : Message("{schedule}; in other years on 28 February", values)
    }
    if day > 28 {
      return isSkipped
        ? Message("{schedule}; months without that day are skipped", values)
        : Message("{schedule}; in shorter months on the last day", values)
    }
    guard rule.byDay.contains(where: { $0.ordinal?.magnitude == 5 }) else { return text }
    return Message("{schedule}; months that have only four of them are skipped", values)
  }

  private static func withExceptions(_ text: Message, _ schedule: CalendarSchedule) -> Message {
    var text = text
    if !schedule.excluded.isEmpty {
      text = Message(
        "{schedule}; {times} left out",
        ["schedule": text, "times": times(schedule.excluded.count)])
    }
    if !schedule.added.isEmpty {
      text = Message(
        "{schedule}; {times} besides", ["schedule": text, "times": times(schedule.added.count)])
    }
    return text
  }
}
