import Care
import Moments

/// When an item is due as it is asked: by its own rule, and with quiet hours taken into account.
struct DueTimes: Sendable {
  /// What comes after a moment by the calendar.
  private struct Upcoming: Sendable {
    var after: Timestamp
    var slot: DueSlot?
  }

  /// When it is due by its own rule.
  private(set) var own: ItemTimes
  /// How it gives way to quiet hours; nil where there are none.
  private(set) var quiet: QuietTimes?
  /// When the quiet hours of this item were last changed.
  private(set) var quietSince: Mark?
  /// From when on it is judged: when the item was made, switched on or given other times.
  private(set) var since: Mark
  /// The first due time by the calendar after the moment up to which all were judged; found once for each.
  private var upcoming: Upcoming?

  private static let looksAtMost = 3_000

  init(_ own: ItemTimes, since: Mark) {
    self.own = own
    self.since = since
  }

  // MARK: What changes them

  /// Takes another rule of its own.
  mutating func follow(_ own: ItemTimes) {
    self.own = own
    upcoming = nil
  }

  /// Counts from now on.
  mutating func begin(at mark: Mark) { since = mark }

  /// Gives way to quiet hours as if they had always been these.
  mutating func giveWay(to quiet: QuietTimes?) {
    self.quiet = quiet
    upcoming = nil
  }

  /// Gives way to other quiet hours from now on; says whether they are others.
  mutating func giveWay(to quiet: QuietTimes?, from now: Moment) -> Bool {
    let isOther = quiet?.rule != self.quiet?.rule
    giveWay(to: quiet)
    if isOther { quietSince = Mark(now) }
    return isOther
  }

  /// Takes from when on they count, as it was stored.
  mutating func restore(since: Mark, quietSince: Mark?) {
    self.since = since
    self.quietSince = quietSince
    upcoming = nil
  }

  mutating func mapMarks(_ change: (inout Mark) -> Void) {
    change(&since)
    guard var mark = quietSince else { return }
    change(&mark)
    quietSince = mark
    upcoming = nil
  }

  // MARK: What comes next

  /// Finds what comes after the due times that were judged, where it is not known yet.
  mutating func lookAhead(after judged: Timestamp) {
    guard case .calendar = own, upcoming?.after != judged else { return }
    upcoming = Upcoming(after: judged, slot: next(after: judged))
  }

  /// The first due time after the moment up to which all were judged.
  func next(afterJudged judged: Timestamp) -> DueSlot? {
    upcoming?.after == judged ? upcoming?.slot : next(after: judged)
  }

  // MARK: Quiet hours

  /// The end of the quiet hours that hold now; nil outside of them, and while local time is not known.
  func quietEnd(at now: Moment) -> Mark? {
    guard now.quality.isTrusted, let night = quiet?.night(around: now.utc) else {
      return nil
    }
    return Mark(now.advanced(byMilliseconds: night.end.milliseconds(since: now.utc)))
  }

  /// Until when nothing is said of the item; nil when it is asked now.
  func holdEnd(at now: Moment) -> Mark? {
    quiet?.rule.policy == .ask ? nil : quietEnd(at: now)
  }

  /// Whether nothing is said at all of what lies in quiet hours.
  var isSilent: Bool { quiet?.rule.policy == .silent }

  // MARK: As they are asked

  /// From when on the moves of quiet hours hold.
  private var movesSince: Timestamp { max(since.utc, quietSince?.utc ?? since.utc) }

  /// The moment at which a due time is asked.
  func asked(_ slot: DueSlot) -> DueSlot {
    quiet?.asked(slot, among: own, since: movesSince) ?? slot
  }

  /// The first due time that is asked after a moment; of several at one moment, one.
  func next(after moment: Timestamp) -> DueSlot? {
    guard let quiet, quiet.moves else { return own.next(after: moment) }
    var best: DueSlot?
    // What lies in the quiet hours around the moment may have been moved behind it.
    var from = quiet.night(around: moment)?.start.advanced(byMilliseconds: -1) ?? moment
    for _ in 0..<Self.looksAtMost {
      guard let slot = own.next(after: from) else { break }
      from = slot.due
      if let best, slot.due.milliseconds(since: best.instant) > QuietTimes.longestAdvance { break }
      let asked = asked(slot)
      guard asked.instant > moment else { continue }
      if best.map({ asked.isAsked(before: $0) }) ?? true { best = asked }
    }
    return best
  }

  /// Due times that are asked in a span, its end included, at most `limit`.
  func slots(from start: Timestamp, through end: Timestamp, limit: Int) -> [DueSlot] {
    var found: [DueSlot] = []
    var moment = start.advanced(byMilliseconds: -1)
    while found.count < limit, let slot = next(after: moment), slot.instant <= end {
      found.append(slot)
      moment = slot.instant
    }
    return found
  }

  /// The last due time that was asked at or before a moment.
  func latest(atOrBefore moment: Timestamp) -> DueSlot? {
    guard let quiet, quiet.moves else { return own.latest(atOrBefore: moment) }
    let start = moment.advanced(byMilliseconds: -2 * QuietTimes.longestAdvance)
    if let last = slots(from: start, through: moment, limit: Self.looksAtMost).last { return last }
    return own.latest(atOrBefore: start).map { asked($0) }
  }
}

extension DueSlot {
  /// Whether this one is asked first; at one moment the one that was not moved.
  fileprivate func isAsked(before other: DueSlot) -> Bool {
    instant != other.instant
      ? instant < other.instant : instant == due && other.instant != other.due
  }
}
