public import CivilTime
public import Moments

/// Finds when a calendar schedule is due in a zone.
///
/// Local times are reckoned by calendar parts and turned into moments by RFC 5545: one that the clock jumps over takes
/// the offset before the jump (02:30 becomes 03:30), of one that comes twice the first is meant, once. Where two local
/// times of a schedule mean one moment through a jump (hourly at 02:30 and 03:30; a whole day that a zone left out),
/// only the earlier one is a slot. The dropped one still counts towards the rule's count, and so does one left out.
///
/// The start is due only where the rule says so, as in python-dateutil; RFC 5545 leaves open what happens otherwise.
/// Nothing is due before 1900 or after 2100. Finding a slot takes a few steps wherever it lies.
///
/// - Source: RFC 5545, sections 3.3.5, 3.3.10 and 3.8.5.
public struct OccurrenceFinder: Sendable {
  let expander: RuleExpander?
  /// Added local times, ascending; for a schedule that happens once its own.
  let added: [Int64]
  /// Local times that are left out, ascending.
  let excluded: [Int64]
  /// The last moment that the rule may give, in seconds; nil where the rule ends otherwise.
  private let lastInstant: Int64?
  private let zone: CivilTimeZone

  /// A finder of a schedule in its zone, the one that ``CalendarSchedule/timeZone`` names.
  ///
  /// - Throws: ``ScheduleFault`` when the schedule's dates or lists are outside of their bounds.
  public init(_ schedule: CalendarSchedule, zone: CivilTimeZone) throws(ScheduleFault) {
    if let fault = schedule.fault { throw fault }
    self.zone = zone
    expander = RuleExpander(schedule)
    let once = schedule.rule == nil ? schedule.starts : []
    added = Set((schedule.added + once).map(\.wallSeconds)).sorted()
    excluded = Set(schedule.excluded.map(\.wallSeconds)).sorted()
    if case .untilUTC(let moment) = schedule.rule?.end {
      lastInstant = moment.milliseconds / 1000
    } else {
      lastInstant = nil
    }
  }

  /// The first slot after a moment; nil when nothing is due any more.
  public func next(after moment: Timestamp) -> Slot? {
    let time = Self.bounded(moment)
    let stretch = zone.stretch(at: .seconds(time))
    if stretch.isQuiet(from: time - Self.margin, through: time + Self.margin) {
      var walk = WallWalk(self, from: time + Int64(stretch.offsetSeconds) + 1, isForward: true)
      guard let step = walk.next() else { return nil }
      if let slot = settled(step, in: stretch) { return slot }
      return earliest(from: step, &walk, after: time)
    }
    let offsets = zone.offsets(
      from: .seconds(time - Self.margin), through: .seconds(time + Self.margin))
    var walk = WallWalk(self, from: time + Int64(offsets.lowerBound) + 1, isForward: true)
    guard let step = walk.next() else { return nil }
    return earliest(from: step, &walk, after: time)
  }

  /// The last slot at or before a moment; nil when nothing was due yet.
  public func latest(atOrBefore moment: Timestamp) -> Slot? {
    let time = Self.bounded(moment)
    let stretch = zone.stretch(at: .seconds(time))
    if stretch.isQuiet(from: time - Self.margin, through: time + Self.margin) {
      var walk = WallWalk(self, from: time + Int64(stretch.offsetSeconds), isForward: false)
      guard let step = walk.next() else { return nil }
      if let slot = settled(step, in: stretch) { return slot }
      return latest(from: step, &walk, through: time)
    }
    let offsets = zone.offsets(
      from: .seconds(time - Self.margin), through: .seconds(time + Self.margin))
    var walk = WallWalk(self, from: time + Int64(offsets.upperBound), isForward: false)
    guard let step = walk.next() else { return nil }
    return latest(from: step, &walk, through: time)
  }

  /// Slots from a moment up to another, which is not included; at most `limit`.
  public func slots(from start: Timestamp, to end: Timestamp, limit: Int) -> [Slot] {
    var slots: [Slot] = []
    var moment = start.advanced(byMilliseconds: -1)
    while slots.count < limit, let slot = next(after: moment), slot.instant < end {
      slots.append(slot)
      moment = slot.instant
    }
    return slots
  }

  /// All slots from the first one on, made one by one.
  public var slots: some Sequence<Slot> & Sendable { SlotSequence(finder: self) }

  /// All local times of the schedule with the moments that they mean, in the order of the clock on the wall, made one by
  /// one: also those that share their moment with another, which are one slot.
  public var localTimes: some Sequence<Slot> & Sendable { LocalTimeSequence(finder: self) }
}

// MARK: Around changes of the offset

extension OccurrenceFinder {
  /// Offsets lie within 26 hours of UTC, so a change moves local times by 52 hours at most; what lies further than this
  /// from every change is reckoned by one offset.
  private static let margin: Int64 = 6 * 86_400

  /// A moment in whole seconds, within some years of those in which anything is due.
  private static func bounded(_ moment: Timestamp) -> Int64 {
    let first = CivilDateTime(year: CalendarSchedule.years.lowerBound - 1, month: 1, day: 1)
    let last = CivilDateTime(year: CalendarSchedule.years.upperBound + 2, month: 1, day: 1)
    let seconds = moment.milliseconds.flooredQuotient(by: 1000)
    return min(max(seconds, first.wallSeconds), last.wallSeconds)
  }

  /// The slot of a local time within a quiet part of a stretch; nil outside of it, or where the rule has ended.
  private func settled(_ step: WallWalk.Step, in stretch: OffsetStretch) -> Slot? {
    let instant = step.wall - Int64(stretch.offsetSeconds)
    guard stretch.isQuiet(from: instant - Self.margin, through: instant + Self.margin),
      isWithinEnd(step, instant)
    else { return nil }
    return Slot(
      local: CivilDateTime(wallSeconds: step.wall), instant: .seconds(instant), resolution: .unique)
  }

  private func isWithinEnd(_ step: WallWalk.Step, _ instant: Int64) -> Bool {
    step.isAdded || lastInstant.map { instant <= $0 } ?? true
  }

  /// A local time and its moment, in seconds.
  private struct Candidate {
    var wall: Int64
    var instant: Int64
    var resolution: LocalTimeResolution

    var slot: Slot {
      Slot(
        local: CivilDateTime(wallSeconds: wall), instant: .seconds(instant), resolution: resolution)
    }
  }

  /// A local time and its moment; nil behind the end of the rule.
  fileprivate func slot(_ step: WallWalk.Step) -> Slot? { candidate(step)?.slot }

  private func candidate(_ step: WallWalk.Step) -> Candidate? {
    let resolved = zone.resolve(wallSeconds: step.wall)
    let instant = resolved.instant.milliseconds / 1000
    guard isWithinEnd(step, instant) else { return nil }
    return Candidate(wall: step.wall, instant: instant, resolution: resolved.resolution)
  }

  /// The earliest moment after `time` among a local time and those behind it; of two at one moment the earlier local
  /// time.
  private func earliest(
    from first: WallWalk.Step, _ walk: inout WallWalk, after time: Int64
  ) -> Slot? {
    var best: Candidate?
    // No local time from here on can mean a moment before the best one.
    var end = Int64.max
    var upcoming: WallWalk.Step? = first
    while let step = upcoming, step.wall < end {
      if let found = candidate(step), found.instant > time,
        best.map({ found.instant < $0.instant }) ?? true
      {
        best = found
        end = endOfSearch(forEarlierThan: found)
      }
      if step.wall < end { upcoming = walk.next() }
    }
    return best?.slot
  }

  /// The latest moment at or before `time` among a local time and those before it; of two at one moment the earlier
  /// local time.
  private func latest(
    from first: WallWalk.Step, _ walk: inout WallWalk, through time: Int64
  ) -> Slot? {
    var best: Candidate?
    var end = Int64.min
    var upcoming: WallWalk.Step? = first
    while let step = upcoming, step.wall > end {
      if let found = candidate(step), found.instant <= time,
        best.map({ found.instant >= $0.instant }) ?? true
      {
        best = found
        end = endOfSearch(forLaterThan: found)
      }
      if step.wall > end { upcoming = walk.next() }
    }
    return best?.slot
  }

  /// The local time from which on all mean moments at or after the candidate's.
  private func endOfSearch(forEarlierThan found: Candidate) -> Int64 {
    guard let offsets = changes(around: found.instant) else { return found.wall }
    return found.instant + Int64(offsets.upperBound)
  }

  /// The local time down from which all mean moments before the candidate's.
  private func endOfSearch(forLaterThan found: Candidate) -> Int64 {
    guard let offsets = changes(around: found.instant) else { return found.wall }
    return found.instant + Int64(offsets.lowerBound) - 1
  }

  /// The offsets around a second; nil where there is only one.
  private func changes(around instant: Int64) -> ClosedRange<Int>? {
    let stretch = zone.stretch(at: .seconds(instant))
    let span = (start: instant - Self.margin, end: instant + Self.margin)
    if stretch.isQuiet(from: span.start, through: span.end) { return nil }
    return zone.offsets(from: .seconds(span.start), through: .seconds(span.end))
  }
}

extension OffsetStretch {
  /// Whether the offset stays the same throughout a span of seconds.
  fileprivate func isQuiet(from start: Int64, through end: Int64) -> Bool {
    start >= startSeconds && end < endSeconds
  }
}

/// The slots of a finder from the first one on.
private struct SlotSequence: Sequence, IteratorProtocol, Sendable {
  let finder: OccurrenceFinder
  private var previous = Timestamp(milliseconds: .min)

  init(finder: OccurrenceFinder) { self.finder = finder }

  mutating func next() -> Slot? {
    guard let slot = finder.next(after: previous) else { return nil }
    previous = slot.instant
    return slot
  }
}

/// The local times of a finder from the first one on.
private struct LocalTimeSequence: Sequence, IteratorProtocol, Sendable {
  let finder: OccurrenceFinder
  private var walk: WallWalk

  init(finder: OccurrenceFinder) {
    self.finder = finder
    let first = CivilDateTime(year: CalendarSchedule.years.lowerBound - 1, month: 1, day: 1)
    walk = WallWalk(finder, from: first.wallSeconds, isForward: true)
  }

  mutating func next() -> Slot? {
    while let step = walk.next() {
      if let slot = finder.slot(step) { return slot }
    }
    return nil
  }
}
