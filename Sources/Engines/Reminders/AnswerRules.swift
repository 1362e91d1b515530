import Care
import Moments
import Texts

/// An answer that can be given, and what follows from it.
struct CheckedAnswer: Sendable {
  /// What is opened to be answered.
  enum Opening: Sendable {
    case slot(DueSlot)
    /// The last due time, once more.
    case again(Occurrence)
    /// One that is counted on a day, in days since 1970.
    case asNeeded(DueSlot, day: Int64)
  }

  enum Verdict: Sendable {
    case done
    case notNow
    case skip(reason: String)
    case putOff(minutes: Int64)
    /// What was said of a due time ahead of it is taken back: it is asked at its time as if nothing had been said.
    case takeBack(Occurrence)
  }

  /// Nil for what is open.
  var opening: Opening?
  var verdict: Verdict
}

/// Whether an answer to an item can be given now, and what it is about.
struct AnswerRules {
  let course: Course
  let household: Household
  let now: Moment

  private static let dayMilliseconds: Int64 = 86_400_000

  private var timing: ReminderSettings { household.timing(of: course.item) }
  private var title: String { course.item.title }

  /// What follows from an answer.
  ///
  /// - Throws: why it cannot be given.
  func check(
    _ answer: RoutineRequest.Answer, slot: String?
  ) throws(CommandReply.Refusal) -> CheckedAnswer {
    guard course.item.isOn else {
      throw conflict(
        Message(
          "{title} is switched off. Switch it on: homeward routine on {id}",
          ["title": title, "id": course.id]))
    }
    switch course.dueTimes.own {
    case .asNeeded(let gap, let maximum):
      guard answer == .done else {
        throw conflict(
          Message("{title} is taken when needed; it can only be done.", ["title": title]))
      }
      return try asNeeded(gap: gap, maximum: maximum)
    case .never:
      throw conflict(
        Message("{title} is written down only; it is never due.", ["title": title]))
    case .calendar, .elapsed, .unknown:
      if answer == .undo {
        return CheckedAnswer(verdict: .takeBack(try saidAhead(slot)))
      }
      if let open = course.open?.occurrence, slot == nil || slot == open.slot {
        return CheckedAnswer(verdict: try verdict(answer, of: open))
      }
      if let ahead = ahead(slot, answer) {
        return CheckedAnswer(opening: .slot(ahead), verdict: try verdict(answer))
      }
      return try closed(slot, answer)
    }
  }

  // MARK: What is open

  private func verdict(
    _ answer: RoutineRequest.Answer, of open: Occurrence
  ) throws(CommandReply.Refusal) -> CheckedAnswer.Verdict {
    switch answer {
    case .done, .skip: try verdict(answer)
    case .notNow:
      course.item.isCritical ? .putOff(minutes: try snooze(nil, of: open)) : .notNow
    case .snooze(let minutes): .putOff(minutes: try snooze(minutes, of: open))
    case .undo: .takeBack(try saidAhead(open.slot))
    }
  }

  /// Done or left out, which is all that can be said of what is not open.
  private func verdict(
    _ answer: RoutineRequest.Answer
  ) throws(CommandReply.Refusal) -> CheckedAnswer.Verdict {
    guard case .skip(let reason) = answer else { return .done }
    guard (1...500).contains(reason.unicodeScalars.count) else {
      throw CommandReply.Refusal(
        .invalid, Message("Say why it is left out, in 1 through 500 characters."))
    }
    return .skip(reason: reason)
  }

  /// For how many minutes an open due time is put off.
  private func snooze(
    _ minutes: Int64?, of open: Occurrence
  ) throws(CommandReply.Refusal) -> Int64 {
    let timing = timing
    guard (1...240).contains(minutes ?? 1) else {
      throw CommandReply.Refusal(
        .invalid, Message("A reminder can be put off for 1 to 240 minutes."))
    }
    guard open.snoozes < timing.snoozeLimit else {
      throw conflict(
        Message(
          "{title} was put off {n} time already. Please do it now, or leave it out with a reason.",
          plural:
            "{title} was put off {n} times already. Please do it now, or leave it out with a reason.",
          Int(clamping: open.snoozes), ["title": title]))
    }
    return minutes ?? timing.snoozeMinutes
  }

  // MARK: What lies ahead

  /// The coming due time that an answer is about; nil when the answer is about none that lies ahead.
  private func ahead(_ slot: String?, _ answer: RoutineRequest.Answer) -> DueSlot? {
    guard course.open == nil, now.quality.isTrusted, let next = course.nextSlot(at: now),
      next.instant > now.utc, slot == nil || slot == next.key
    else { return nil }
    switch answer {
    case .done: return earliest(next) <= now.utc ? next : nil
    case .skip:
      if slot != nil || earliest(next) <= now.utc { return next }
      // What was missed just now is meant before what comes tomorrow.
      if let newest = course.closed.newest(at: now.utc), newest.takes(answer) { return nil }
      return next.instant.milliseconds(since: now.utc) <= Self.dayMilliseconds ? next : nil
    case .notNow, .snooze, .undo: return nil
    }
  }

  private func earliest(_ next: DueSlot) -> Timestamp {
    course.earlyWindow(timing).start(of: next)
  }

  /// What was said of a due time that has not come yet.
  private func saidAhead(_ slot: String?) throws(CommandReply.Refusal) -> Occurrence {
    guard let said = course.closed.newestAhead(slot, at: now) else {
      throw conflict(
        Message(
          "Nothing was said of {title} ahead of its time, and only that can be taken back.",
          ["title": title]))
    }
    return said
  }

  // MARK: What is over

  /// The last due time may be done, or left out, until the next one comes (DC-5).
  private func closed(
    _ slot: String?, _ answer: RoutineRequest.Answer
  ) throws(CommandReply.Refusal) -> CheckedAnswer {
    guard let newest = course.closed.newest(at: now.utc), slot == nil || slot == newest.slot,
      newest.takes(answer)
    else { throw notDue(slot) }
    return CheckedAnswer(opening: .again(newest), verdict: try verdict(answer))
  }

  private func notDue(_ slot: String?) -> CommandReply.Refusal {
    let next = course.nextSlot(at: now)
    if let slot, course.known(slot) == nil, next?.key != slot {
      return CommandReply.Refusal(
        .unknownTarget,
        Message(
          "{title} is not due at {slot}. See: homeward routine list",
          ["title": title, "slot": String(slot.prefix(40))]))
    }
    guard let next else { return conflict(whatIsInstead) }
    return conflict(
      Message(
        "{what} It is not due until {next}; done early it counts from {from} on.",
        [
          "what": whatIsInstead, "next": spoken(next.instant), "from": spoken(earliest(next)),
        ]))
  }

  /// Why there is nothing to answer.
  private var whatIsInstead: Message {
    let newest = course.closed.newestAhead(at: now) ?? course.closed.newest(at: now.utc)
    let values: Message.Values = [
      "title": title, "when": newest.map { spoken($0.changedAt) } ?? "",
    ]
    return switch newest?.state {
    case .done: Message("{title} was done on {when}.", values)
    case .skipped: Message("{title} was left out on {when}.", values)
    case nil, .pending, .prompted, .snoozed, .notNow, .missed, .cancelled:
      Message("{title} is not due now.", values)
    }
  }

  // MARK: As needed

  private func asNeeded(
    gap: Int64, maximum: Int64
  ) throws(CommandReply.Refusal) -> CheckedAnswer {
    guard now.quality.isTrusted else {
      throw CommandReply.Refusal(
        .notNow,
        Message(
          "The gateway's clock is not set yet, so it cannot be said how long ago it was last taken. Write the time down and try again soon."
        ))
    }
    try checkGap(gap)
    let today = household.localDay(of: course.item.resident, at: now.utc)
    let taken = course.doses.taken(on: today)
    guard taken < maximum else {
      throw conflict(
        Message(
          "{title} was taken {n} time today, which is the most. Wait until tomorrow, or ask the doctor.",
          plural:
            "{title} was taken {n} times today, which is the most. Wait until tomorrow, or ask the doctor.",
          Int(clamping: taken), ["title": title]))
    }
    var key = now.utc.iso8601
    while course.known(key) != nil { key += "+" }
    return CheckedAnswer(
      opening: .asNeeded(DueSlot(key: key, instant: now.utc), day: today), verdict: .done)
  }

  private func checkGap(_ gap: Int64) throws(CommandReply.Refusal) {
    guard let last = course.last, !last.isEstimated else { return }
    let end = last.utc.advanced(byMilliseconds: gap)
    guard now.utc < end else { return }
    throw conflict(
      Message(
        "Too early: {title} was last taken on {last}. Wait until {end}.",
        ["title": title, "last": spoken(last.utc), "end": spoken(end)]))
  }

  // MARK: Words

  private func spoken(_ utc: Timestamp) -> String { household.spoken(utc, course.item) }

  private func conflict(_ message: Message) -> CommandReply.Refusal {
    CommandReply.Refusal(.conflict, message)
  }
}
