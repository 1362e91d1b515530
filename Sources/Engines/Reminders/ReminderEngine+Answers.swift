import Care
import CivilTime
import JSON
import Moments
import Texts

/// What people answer: done, not now, left out, later.
extension ReminderEngine {
  mutating func answer(
    _ id: RoutineItemID, slot: String?, _ answer: RoutineRequest.Answer, by person: String,
    _ step: inout Step
  ) throws(CommandReply.Refusal) {
    let course = try course(id)
    guard course.item.isOn else {
      throw refusal(
        .conflict,
        Message(
          "{title} is switched off. Switch it on: homeward routine on {id}",
          ["title": course.item.title, "id": id]))
    }
    switch course.dueTimes.own {
    case .asNeeded(let gap, let maximum):
      guard answer == .done else {
        throw refusal(
          .conflict,
          Message(
            "{title} is taken when needed; it can only be done.", ["title": course.item.title]))
      }
      try takeAsNeeded(id, gap: gap, maximum: maximum, by: person, &step)
    case .never:
      throw refusal(
        .conflict,
        Message("{title} is written down only; it is never due.", ["title": course.item.title]))
    case .calendar, .elapsed, .unknown:
      if answer == .undo {
        try takeBack(id, slot: slot, by: person, &step)
      } else if let open = course.open?.occurrence, slot == nil || slot == open.slot {
        try answerOpen(id, answer, by: person, &step)
      } else if let ahead = ahead(course, slot, answer, at: step.now) {
        try answerAhead(id, ahead, answer, by: person, &step)
      } else {
        try answerClosed(id, slot: slot, answer, by: person, &step)
      }
    }
    step.outcome.reply = reply(id, &step)
  }

  private func reply(_ id: RoutineItemID, _ step: inout Step) -> JSONValue {
    guard let course = courses[id] else { return .object([]) }
    let latest = course.open?.occurrence ?? course.closed.newest
    let next = course.trustedNext(at: step.now)
    let isEarly = latest.map { $0.isAhead(at: step.now) } ?? false
    return .object([
      "item": .string(id.rawValue), "slot": latest.map { .string($0.slot) },
      "state": latest.map { .string($0.state.rawValue) },
      "due": latest.map { .string($0.due.iso8601) }, "isEarly": isEarly ? true : nil,
      "nextDue": next.map { .string($0.instant.iso8601) },
    ])
  }

  // MARK: What is open

  private mutating func answerOpen(
    _ id: RoutineItemID, _ answer: RoutineRequest.Answer, by person: String, _ step: inout Step
  ) throws(CommandReply.Refusal) {
    switch answer {
    case .done: finishDone(id, by: person, &step)
    case .notNow:
      if courses[id]?.item.isCritical == true {
        return try snooze(id, minutes: nil, by: person, &step)
      }
      let closed = close(id, as: .notNow, by: person, &step)
      tell(.reminderNotNow, id, of: closed, &step)
    case .skip(let reason):
      try check(reason: reason)
      let closed = close(id, as: .skipped, by: person, reason: reason, &step)
      tell(.reminderSkipped, id, of: closed, &step)
      settle(id, &step)
    case .snooze(let minutes): try snooze(id, minutes: minutes, by: person, &step)
    case .undo: break
    }
  }

  mutating func finishDone(_ id: RoutineItemID, by person: String, _ step: inout Step) {
    let closed = close(id, as: .done, by: person, &step)
    tell(.reminderDone, id, of: closed, &step)
    settle(id, &step)
    takeDose(id, &step)
  }

  private mutating func snooze(
    _ id: RoutineItemID, minutes: Int64?, by person: String, _ step: inout Step
  ) throws(CommandReply.Refusal) {
    guard let course = courses[id], let open = course.open else { return }
    let timing = household.timing(of: course.item)
    guard (1...240).contains(minutes ?? 1) else {
      throw refusal(.invalid, Message("A reminder can be put off for 1 to 240 minutes."))
    }
    guard open.occurrence.snoozes < timing.snoozeLimit else {
      throw refusal(
        .conflict,
        Message(
          "{title} was put off {n} time already. Please do it now, or leave it out with a reason.",
          plural:
            "{title} was put off {n} times already. Please do it now, or leave it out with a reason.",
          Int(clamping: open.occurrence.snoozes), ["title": course.item.title]))
    }
    courses[id]?.open?.putOff(
      minutes: minutes ?? timing.snoozeMinutes, by: person, at: step.now)
    leaveRoom(id, &step)
    keep(id, &step)
    tell(.reminderSnoozed, id, &step)
    plan(id, at: step.now)
  }

  func check(reason: String) throws(CommandReply.Refusal) {
    guard (1...500).contains(reason.unicodeScalars.count) else {
      throw refusal(.invalid, Message("Say why it is left out, in 1 through 500 characters."))
    }
  }

  // MARK: What is not open

  /// Opens a due time so that it can be closed with an answer at once.
  mutating func openNow(_ id: RoutineItemID, _ slot: DueSlot, _ step: inout Step) {
    guard let course = courses[id] else { return }
    courses[id]?.open = OpenDue(slot, of: course.item, at: step.now)
    courses[id]?.announced = nil
    room.notices.remove(id)
  }

  /// The last due time may be done, or left out, until the next one comes (DC-5).
  private mutating func answerClosed(
    _ id: RoutineItemID, slot: String?, _ answer: RoutineRequest.Answer, by person: String,
    _ step: inout Step
  ) throws(CommandReply.Refusal) {
    let course = try course(id)
    guard let newest = course.closed.newest(at: step.now.utc), slot == nil || slot == newest.slot,
      newest.takes(answer)
    else { throw notDue(course, slot, at: step.now) }
    if case .skip(let reason) = answer { try check(reason: reason) }
    courses[id]?.open = OpenDue(again: newest, at: step.now)
    switch answer {
    case .done: finishDone(id, by: person, &step)
    case .skip(let reason):
      let closed = close(id, as: .skipped, by: person, reason: reason, &step)
      tell(.reminderSkipped, id, of: closed, &step)
      settle(id, &step)
    case .notNow, .snooze, .undo: break
    }
    plan(id, at: step.now)
  }

  private func notDue(
    _ course: Course, _ slot: String?, at now: Moment
  ) -> CommandReply.Refusal {
    let title = course.item.title
    let next = course.nextSlot(at: now)
    if let slot, course.known(slot) == nil, next?.key != slot {
      return refusal(
        .unknownTarget,
        Message(
          "{title} is not due at {slot}. See: homeward routine list",
          ["title": title, "slot": String(slot.prefix(40))]))
    }
    let what = whatIsInstead(course, at: now)
    guard let next else { return refusal(.conflict, what) }
    return refusal(
      .conflict,
      Message(
        "{what} It is not due until {next}; done early it counts from {from} on.",
        [
          "what": what, "next": household.spoken(next.instant, course.item),
          "from": household.spoken(
            course.earliest(next, by: household.timing(of: course.item)), course.item),
        ]))
  }

  /// Why there is nothing to answer.
  private func whatIsInstead(_ course: Course, at now: Moment) -> Message {
    let newest = course.closed.newestAhead(at: now) ?? course.closed.newest(at: now.utc)
    let values: Message.Values = [
      "title": course.item.title,
      "when": newest.map { household.spoken($0.changedAt, course.item) } ?? "",
    ]
    return switch newest?.state {
    case .done: Message("{title} was done on {when}.", values)
    case .skipped: Message("{title} was left out on {when}.", values)
    case nil, .pending, .prompted, .snoozed, .notNow, .missed, .cancelled:
      Message("{title} is not due now.", values)
    }
  }

  // MARK: As needed

  private mutating func takeAsNeeded(
    _ id: RoutineItemID, gap: Int64, maximum: Int64, by person: String, _ step: inout Step
  ) throws(CommandReply.Refusal) {
    let course = try course(id)
    let now = step.now
    guard now.quality.isTrusted else {
      throw refusal(
        .notNow,
        Message(
          "The gateway's clock is not set yet, so it cannot be said how long ago it was last taken. Write the time down and try again soon."
        ))
    }
    try checkGap(course, gap, at: now)
    let today = household.localDay(of: course.item.resident, at: now.utc)
    let taken = course.day == today ? course.dayCount : 0
    guard taken < maximum else {
      throw refusal(
        .conflict,
        Message(
          "{title} was taken {n} time today, which is the most. Wait until tomorrow, or ask the doctor.",
          plural:
            "{title} was taken {n} times today, which is the most. Wait until tomorrow, or ask the doctor.",
          Int(clamping: taken), ["title": course.item.title]))
    }
    courses[id]?.day = today
    courses[id]?.dayCount = taken + 1
    var key = now.utc.iso8601
    while course.known(key) != nil { key += "+" }
    openNow(id, DueSlot(key: key, instant: now.utc), &step)
    finishDone(id, by: person, &step)
    plan(id, at: step.now)
  }

  private func checkGap(
    _ course: Course, _ gap: Int64, at now: Moment
  ) throws(CommandReply.Refusal) {
    guard let last = course.last, !last.isEstimated else { return }
    let end = last.utc.advanced(byMilliseconds: gap)
    guard now.utc < end else { return }
    throw refusal(
      .conflict,
      Message(
        "Too early: {title} was last taken on {last}. Wait until {end}.",
        [
          "title": course.item.title, "last": household.spoken(last.utc, course.item),
          "end": household.spoken(end, course.item),
        ]))
  }

  // MARK: Stock

  private mutating func takeDose(_ id: RoutineItemID, _ step: inout Step) {
    guard var stock = courses[id]?.item.stock else { return }
    stock.units.hundredths = max(0, stock.units.hundredths - stock.unitsPerDose.hundredths)
    courses[id]?.item.stock = stock
    guard let course = courses[id] else { return }
    step.outcome.changes.append(.putRoutineItem(course.item))
    guard let days = course.daysLeft(at: step.now.utc), days <= stock.warnDays,
      !course.isStockTold
    else { return }
    courses[id]?.isStockTold = true
    step.touched.insert(id)
    if let course = courses[id] { step.tellStock(course, stock, days: days) }
  }

  // MARK: Shared

  func refusal(_ code: CommandReply.Refusal.Code, _ message: Message) -> CommandReply.Refusal {
    CommandReply.Refusal(code, message)
  }

  func course(_ id: RoutineItemID) throws(CommandReply.Refusal) -> Course {
    guard let course = courses[id] else {
      throw refusal(
        .unknownTarget,
        Message(
          "There is no item \"{id}\". List them with: homeward routine list",
          ["id": String(id.rawValue.prefix(64))]))
    }
    return course
  }
}
