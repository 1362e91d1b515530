import Bytes
import Care
import JSON
import Moments
import Recurrence

/// An item with where it stands, and what becomes of its due times.
///
/// It says in a step what follows: what is stored and told, when it wants to be looked at, and what is to be heard of it.
struct Course: Sendable {
  private(set) var item: RoutineItem
  /// When it is due.
  private(set) var dueTimes: DueTimes
  /// The due time that waits for an answer.
  private(set) var open: OpenDue?
  /// Due times that are closed.
  private(set) var closed = ClosedDues()
  /// The next due time; nil when there is none, or while it cannot be said.
  private(set) var next: DueSlot?
  /// Up to when due times were judged; the rows of due times alone may not reach back so far.
  private var cursor: Timestamp?
  /// The due time that was announced before its time.
  private(set) var announced: String?
  /// When the last due time was closed; what an elapsed schedule counts from.
  private(set) var last: Mark?
  /// Whether an alarm was raised that nobody has settled.
  private var isAlarmed = false
  /// Whether caregivers know that the stock runs out.
  private var isStockTold = false
  /// How often an as-needed item was done on a day.
  private(set) var doses = DoseCount()
  /// Who changed the item last, and when.
  private(set) var changedBy = ""
  private(set) var changedAt: Timestamp?

  /// More due times of one item than this, or an older one than this, are told as one gap.
  private static let missedAtMost = 50
  private static let longestAbsence: Int64 = 7 * 86_400_000

  var id: RoutineItemID { item.id }

  init(_ item: RoutineItem, in household: Household, since: Mark) {
    self.item = item
    dueTimes = DueTimes(household.times(of: item), since: since)
  }

  /// Gives way to quiet hours as if they had always been these.
  mutating func takeQuietTimes(in household: Household) {
    dueTimes.giveWay(to: household.quietTimes(of: item))
  }

  /// What is remembered of its due times.
  var occurrences: [Occurrence] { closed.all + (open.map { [$0.occurrence] } ?? []) }

  /// A due time that was opened or closed before.
  func known(_ key: String) -> Occurrence? {
    if let open, open.occurrence.slot == key { return open.occurrence }
    return closed[key]
  }

  /// Until when all due times were judged, by a trusted clock.
  func judged(at utc: Timestamp) -> Timestamp {
    var judged = min(dueTimes.since.utc, utc)
    if let cursor, cursor <= utc { judged = max(judged, cursor) }
    if let known = closed.judged(at: utc) { judged = max(judged, known) }
    if let open, open.occurrence.due <= utc { judged = max(judged, open.occurrence.due) }
    return judged
  }

  // MARK: When it wants to be looked at

  /// Finds what comes next from where it stands; says when it wants to be looked at.
  mutating func plan(_ timing: ReminderSettings, at now: Moment) -> Wake {
    if now.quality.isTrusted {
      dueTimes.lookAhead(after: judged(at: now.utc))
      next = nextSlot(at: now)
    }
    return Wake(
      item: id, due: dueTime(timing),
      wait: open?.waitEnds(timing, isCritical: item.isCritical)?.first)
  }

  mutating func plan(_ step: inout Step) {
    step.wakes.append(plan(step.household.timing(of: item), at: step.now))
  }

  /// When the wall clock brings something: the notice or the due time itself.
  private func dueTime(_ timing: ReminderSettings) -> Timestamp? {
    guard let next else { return nil }
    let notice = timing.noticeMinutes
    guard notice > 0, announced != next.key else { return next.instant }
    return next.instant.advanced(byMilliseconds: -notice * 60_000)
  }

  // MARK: When it is due

  /// Judges what has come by the clock.
  mutating func judge(_ step: inout Step) {
    guard item.isOn, let next else { return }
    let now = step.now
    let utc = now.utc
    guard next.instant <= utc else { return announce(next, &step) }
    // Whatever becomes of it, it is judged: the next look goes on from here.
    cursor = next.instant
    step.touched.insert(id)
    guard case .calendar = dueTimes.own else { return take([next], &step) }
    var slots = dueTimes.slots(from: next.instant, through: utc, limit: Self.missedAtMost + 1)
    if slots.count > Self.missedAtMost
      || utc.milliseconds(since: next.instant) > Self.longestAbsence
    {
      step.tellGap(self, from: next.instant)
      slots = dueTimes.latest(atOrBefore: utc).map { [$0] } ?? []
      cursor = utc
    }
    if let last = slots.last { cursor = last.instant }
    // Once for the events that tell of it and for the next wake.
    dueTimes.lookAhead(after: judged(at: utc))
    let unsettled = slots.filter { !isSettled($0, at: now) }
    take(unsettled, &step)
  }

  /// A due time has come that may be prompted still.
  mutating func begin(_ slot: DueSlot, _ step: inout Step) {
    start(slot, late: max(0, step.now.utc.milliseconds(since: slot.instant)), &step)
    closed.forget(slot.key)
    step.tell(.reminderDue, self)
    prompt(&step)
  }

  // MARK: Opening and closing

  /// Opens a due time that came so many milliseconds ago.
  mutating func start(_ slot: DueSlot, late milliseconds: Int64 = 0, _ step: inout Step) {
    open = OpenDue(slot, of: item, late: milliseconds, at: step.now)
    announced = nil
    step.room.append(.begun(id))
  }

  /// Opens what an answer is about.
  mutating func start(_ opening: CheckedAnswer.Opening, _ step: inout Step) {
    switch opening {
    case .slot(let slot): start(slot, &step)
    case .again(let occurrence): open = OpenDue(again: occurrence, at: step.now)
    case .asNeeded(let slot, let today):
      doses.add(on: today)
      start(slot, &step)
    }
  }

  /// Closes the open due time; the caller tells of it.
  mutating func close(
    as state: Occurrence.State, by person: String, reason: String = "", _ step: inout Step
  ) -> Occurrence? {
    guard let occurrence = open?.closed(as: state, by: person, reason: reason, at: step.now)
    else { return nil }
    open = nil
    last = Mark(step.now)
    closed.remember(occurrence, at: step.now.utc)
    step.room.append(.over(id))
    step.outcome.changes.append(.putOccurrence(occurrence))
    step.touched.insert(id)
    return occurrence
  }

  /// Stores the open due time as it is.
  private func keep(_ step: inout Step) {
    guard let occurrence = open?.occurrence else { return }
    step.outcome.changes.append(.putOccurrence(occurrence))
    step.touched.insert(id)
  }

  /// Something dangerous was left out: an alarm, until it is done or left out by decision.
  mutating func raise(_ step: inout Step) {
    open?.noteAlarm()
    isAlarmed = true
    step.touched.insert(id)
    step.tell(.medicineMissed, self)
  }

  /// The alarm about the item is over: it was done, left out by decision, or is not asked for any more.
  mutating func settle(_ step: inout Step) {
    guard isAlarmed else { return }
    isAlarmed = false
    step.touched.insert(id)
    step.tell(.medicineSettled, self)
  }

  // MARK: While it is open

  /// Does what the waits that have ended were for.
  mutating func runWaits(_ step: inout Step) {
    let timing = step.household.timing(of: item)
    guard let ends = open?.waitEnds(timing, isCritical: item.isCritical) else { return }
    let tick = step.now.tick
    if let missed = ends.missed, missed <= tick { return miss("no-answer", &step) }
    if let critical = ends.critical, critical <= tick { raise(&step) }
    if let caregiver = ends.caregiver, caregiver <= tick {
      open?.noteTold()
      keep(&step)
      step.tell(.reminderUnanswered, self)
    }
    guard let again = ends.prompt, again <= tick else { return }
    if dueTimes.isSilent, !(open?.wasSaid ?? true), dueTimes.holdEnd(at: step.now) == nil {
      return letPass(&step)
    }
    prompt(&step)
  }

  /// Reminds the resident once more; in quiet hours, where the item gives way to them, that waits for their end.
  private mutating func prompt(_ step: inout Step) {
    guard open != nil else { return }
    if let end = dueTimes.holdEnd(at: step.now) {
      open?.hold(until: end)
      return keep(&step)
    }
    open?.prompt(at: step.now)
    keep(&step)
    step.tell(.reminderPrompted, self)
    step.room.append(.due(id))
  }

  /// The resident is left alone for so many minutes.
  mutating func putOff(minutes: Int64, by person: String, _ step: inout Step) {
    open?.putOff(minutes: minutes, by: person, at: step.now)
    step.room.append(.over(id))
    keep(&step)
    step.tell(.reminderSnoozed, self)
    plan(&step)
  }

  // MARK: Before it is due

  /// Says that something will be due soon.
  private mutating func announce(_ slot: DueSlot, isLeaving: Bool = false, _ step: inout Step) {
    announced = slot.key
    step.touched.insert(id)
    step.tellNotice(self, slot, isLeaving: isLeaving)
    if dueTimes.quietEnd(at: step.now) == nil { step.room.append(.ahead(id)) }
  }

  /// The resident leaves home: what is due within its notice is said once more.
  mutating func announceLeaving(_ step: inout Step) {
    guard let next, open == nil else { return }
    let ahead = next.instant.milliseconds(since: step.now.utc)
    guard ahead > 0, ahead <= step.household.timing(of: item).noticeMinutes * 60_000 else { return }
    announce(next, isLeaving: true, &step)
    plan(&step)
  }

  /// Takes back what was said of a due time before it came.
  mutating func takeBack(_ said: Occurrence, by person: String, _ step: inout Step) {
    var occurrence = said
    occurrence.state = .cancelled
    occurrence.by = person
    occurrence.reason = Occurrence.undoneReason
    occurrence.changedAt = step.now.utc
    closed.remember(occurrence, at: step.now.utc)
    step.outcome.changes.append(.putOccurrence(occurrence))
    step.touched.insert(id)
    if case .elapsed = dueTimes.own {
      last = closed.newest(beside: occurrence).map { Mark(utc: $0.changedAt, at: step.now) }
    }
    if said.state == .done { giveBackDose(&step) }
    step.tell(.reminderCancelled, self, of: occurrence)
    plan(&step)
  }

  // MARK: Quiet hours

  /// Takes quiet hours, or another rule for them: what waits is asked as they say now, at once if it is late.
  mutating func giveWay(_ step: inout Step) {
    let quiet = step.household.quietTimes(of: item)
    let wasHeld = open?.heldUntil != nil
    if dueTimes.giveWay(to: quiet, from: step.now) {
      step.touched.insert(id)
      askWaiting(&step)
      let end = dueTimes.holdEnd(at: step.now) ?? Mark(step.now)
      if wasHeld { open?.hold(until: end) }
    }
    plan(&step)
  }

  /// A due time that had been put behind the quiet hours and would be over by the new ones is asked now.
  private mutating func askWaiting(_ step: inout Step) {
    let utc = step.now.utc
    guard step.now.quality.isTrusted, item.isOn, var slot = next, slot.due <= utc,
      utc < slot.instant
    else { return }
    slot.instant = slot.due
    guard dueTimes.asked(slot).instant <= utc else { return }
    slot.instant = utc
    take([slot], &step)
  }

  // MARK: The item

  /// Takes what people changed; `old` is nil for a new item.
  mutating func change(
    to item: RoutineItem, from old: RoutineItem?, by person: String, _ step: inout Step
  ) {
    self.item = item
    dueTimes.follow(step.household.times(of: item))
    changedBy = person
    changedAt = step.now.utc
    let isRetimed = old.map { $0.schedule != item.schedule || !$0.isOn } ?? true
    if isRetimed { dueTimes.begin(at: Mark(step.now)) }
    if item.stock != old?.stock {
      isStockTold = item.stock?.isLow(by: dueTimes.own, at: step.now.utc) ?? false
    }
    if let open = open?.occurrence, !item.isOn || isRetimed && !isStillDue(open, step.household) {
      cancel(by: person, item.isOn ? "changed" : "switched-off", &step)
    }
    if !item.isOn || !item.isCritical { settle(&step) }
    if !item.isOn || isRetimed { announced = nil }
    if item.picture != old?.picture {
      step.outcome.signals.append(.pictured(id, item.picture, of: item.resident))
    }
    step.touched.insert(id)
    step.outcome.changes.append(.putRoutineItem(item))
    if isRetimed { takeQuietTimes(in: step.household) }
    giveWay(&step)
  }

  /// Whether a due time is one of the item's times still.
  private func isStillDue(_ occurrence: Occurrence, _ household: Household) -> Bool {
    let before = household.ownTime(of: occurrence, item).advanced(byMilliseconds: -1)
    return dueTimes.own.next(after: before)?.key == occurrence.slot
  }

  /// Takes the rules of a zone that became known, or cannot be read.
  mutating func takeZone(_ name: String, _ step: inout Step) {
    let isOwn = item.schedule.timeZone == name
    guard isOwn || step.household.residents[item.resident]?.timeZone == name else { return }
    if isOwn { dueTimes.follow(step.household.times(of: item)) }
    giveWay(&step)
  }

  // MARK: Doses

  /// Takes one dose off the stock, and tells once when it runs out.
  mutating func takeDose(_ step: inout Step) {
    item.stock?.takeDose()
    guard let stock = item.stock else { return }
    step.outcome.changes.append(.putRoutineItem(item))
    guard let days = daysLeft(at: step.now.utc), days <= stock.warnDays, !isStockTold
    else { return }
    isStockTold = true
    step.touched.insert(id)
    step.tellStock(self, stock, days: days)
  }

  private mutating func giveBackDose(_ step: inout Step) {
    item.stock?.giveBackDose()
    if item.stock != nil { step.outcome.changes.append(.putRoutineItem(item)) }
  }

  // MARK: A clock that was set

  /// Follows a clock that was set or became trusted.
  mutating func followClock(_ step: inout Step) {
    var isOther = false
    mapMarks { mark in
      let before = mark
      mark.follow(clockAt: step.now)
      if mark != before { isOther = true }
    }
    if isOther { step.touched.insert(id) }
    withdrawFuture(&step)
  }

  private mutating func mapMarks(_ change: (inout Mark) -> Void) {
    dueTimes.mapMarks(change)
    if var mark = last {
      change(&mark)
      last = mark
    }
    open?.mapMarks(change)
  }

  /// Withdraws what lies in the future now, by a clock that was set back; it is judged anew when its time comes.
  mutating func withdrawFuture(_ step: inout Step) {
    let before = self
    let utc = step.now.utc
    let timing = step.household.timing(of: item)
    let grace = timing.graceMinutes * 60_000
    if let open, open.occurrence.due.milliseconds(since: utc) > grace {
      let withdrawn = close(as: .cancelled, by: "", reason: Occurrence.clockReason, &step)
      step.tell(.reminderCancelled, self, of: withdrawn)
    }
    closed.keep(before.closed.holding(at: utc, by: before.earlyWindow(timing)))
    let today = step.household.localDay(of: item.resident, at: utc)
    if doses.end(on: today) { step.touched.insert(id) }
    if let cursor, cursor > utc {
      // Where nothing is known of the time before, nothing of it is judged once more.
      self.cursor = before.closed.newest(at: utc)?.due ?? utc
      step.touched.insert(id)
    }
    if announced != nil, before.nextSlot(at: step.now)?.key != announced {
      announced = nil
      step.touched.insert(id)
    }
  }
}

// MARK: The row

extension Course {
  static let engine = "reminders"
  static let prefix = "item:"

  func row(boot: BootID) -> EngineRow {
    EngineRow(
      engine: Self.engine, subject: item.resident.rawValue, name: Self.prefix + id.rawValue,
      content: .object([
        "boot": .string(boot.rawValue), "since": dueTimes.since.json, "open": open?.json,
        "quietSince": dueTimes.quietSince?.json,
        "judged": cursor.map { .string($0.iso8601) },
        "announced": announced.map { .string($0) }, "last": last?.json,
        "isAlarmed": isAlarmed ? true : nil, "isStockTold": isStockTold ? true : nil,
        "day": doses.stored.map { .integer($0.day) },
        "dayCount": doses.stored.map { .integer($0.count) },
        "by": changedBy.isEmpty ? nil : .string(changedBy),
        "at": changedAt.map { .string($0.iso8601) },
      ]))
  }

  /// Takes what a row remembers; the open due time is the one that the occurrences name.
  ///
  /// Returns whether it has to be written again: its marks followed a clock that was set while nobody looked.
  mutating func restore(
    _ content: JSONValue, open occurrence: Occurrence?, boot: BootID, at now: Moment
  ) throws(DecodeError) -> Bool {
    try read(content, open: occurrence)
    let isOfThisBoot = content["boot"]?.stringContent == boot.rawValue
    var isOther = false
    mapMarks { mark in
      guard isOfThisBoot else { return mark.rebase(to: now) }
      let before = mark
      mark.resume(at: now)
      if mark != before { isOther = true }
    }
    return isOther
  }

  private mutating func read(
    _ content: JSONValue, open occurrence: Occurrence?
  ) throws(DecodeError) {
    let reader = try JSONReader(content)
    let since = try Mark(json: reader.required("since"))
    cursor = try reader.optionalTimestamp("judged")
    announced = try reader.optionalString("announced")
    last = try reader.optionalMark("last")
    dueTimes.restore(since: since, quietSince: try reader.optionalMark("quietSince"))
    isAlarmed = try reader.optionalBool("isAlarmed") ?? false
    isStockTold = try reader.optionalBool("isStockTold") ?? false
    doses = DoseCount(
      day: try reader.optionalInteger("day") ?? 0,
      count: try reader.optionalCount("dayCount") ?? 0)
    changedBy = try reader.optionalString("by") ?? ""
    changedAt = try reader.optionalTimestamp("at")
    guard let occurrence, let stored = try reader.optionalObject("open"),
      try stored.string("slot") == occurrence.slot
    else { return }
    open = try OpenDue(occurrence, stored: stored)
  }

  /// Remembers a due time that was closed.
  mutating func restore(closed occurrence: Occurrence, at now: Moment) {
    closed.remember(occurrence, at: now.utc)
  }

  /// Takes the open due time where no row tells of it.
  mutating func restore(open occurrence: Occurrence, at now: Moment) {
    if open == nil { open = OpenDue(restored: occurrence, at: now) }
  }

  /// Without a row nobody knows from when on an item is judged; what is known of it says enough.
  mutating func restoreLast(at now: Moment) {
    if let newest = closed.newest { last = Mark(utc: newest.changedAt, at: now) }
  }
}
