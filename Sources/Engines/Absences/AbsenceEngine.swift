public import Care
import CivilTime
public import Moments
import Texts

/// Knows when residents are expected to be out, and says when they are out although nobody expects it any more.
///
/// Pure: the same inputs give the same outcomes. All that matters is in rows, which hold moments and no ticks, so that an
/// engine over the rows of another one goes on where that one was, in another boot as well. An absence only ever explains
/// what is seen while the clock is trusted: where nobody knows the time, nothing is expected.
public struct AbsenceEngine: Sendable {
  /// How long a trusted clock may be missing before what it explained counts as unexplained, in milliseconds: a start
  /// takes some seconds until somebody tells the time.
  static let clockPatienceMilliseconds: Int64 = 120_000
  /// How many absences one resident may have.
  static let absencesAtMost = 100

  var planned: [AbsenceID: PlannedAbsence] = [:]
  /// Rows that cannot be read are kept, so that a later version may; what they say hides nothing.
  private var unreadable: [EngineRow] = []
  private var written: [AbsenceID: EngineRow] = [:]
  /// Since when no clock is trusted.
  private var doubtful: Tick?
  private var wake: Tick?

  /// An engine over what is stored: the rows of engine `absences`.
  public init(rows: [EngineRow], at now: Moment) {
    for row in rows where row.engine == PlannedAbsence.engine {
      guard let found = try? PlannedAbsence(row: row) else {
        unreadable.append(row)
        continue
      }
      planned[found.absence.id] = found
      written[found.absence.id] = found.row
    }
    if !planned.isEmpty { wake = now.tick }
  }

  /// Whether the last look found a trusted clock.
  var isClockTrusted: Bool { doubtful == nil }

  /// Whether there is nothing to judge.
  public var isEmpty: Bool { planned.isEmpty }

  /// When the engine wants to look again; nil for never.
  public var nextWake: Tick? { planned.isEmpty ? nil : wake }

  /// The rows as they are stored.
  public var rows: [EngineRow] { sorted.map(\.row) + unreadable }

  /// Looks at the clock and at where everybody is.
  public mutating func look(in context: AbsenceContext) -> AbsenceOutcome {
    guard !planned.isEmpty else { return AbsenceOutcome() }
    var outcome = AbsenceOutcome()
    look(in: context, &outcome)
    finish(context, &outcome)
    return outcome
  }

  /// Does what somebody asks.
  ///
  /// - Throws: why not; nothing changed then.
  public mutating func perform(
    _ request: AbsenceRequest, in context: AbsenceContext
  ) throws(CommandReply.Refusal) -> AbsenceOutcome {
    var copy = self
    var outcome = AbsenceOutcome()
    copy.look(in: context, &outcome)
    switch request {
    case .put(let absence): try copy.put(absence, in: context, &outcome)
    case .remove(let id): try copy.remove(id, in: context, &outcome)
    }
    copy.finish(context, &outcome)
    self = copy
    return outcome
  }

  /// Forgets a resident; the rows go with the rest of what is stored about them.
  public mutating func erase(_ resident: ResidentID) {
    planned = planned.filter { $0.value.absence.resident != resident }
    written = written.filter { planned[$0.key] != nil }
    unreadable.removeAll { $0.subject == resident.rawValue }
  }

  var sorted: [PlannedAbsence] {
    planned.values.sorted { $0.absence.id < $1.absence.id }
  }

  // MARK: Looking

  private mutating func look(in context: AbsenceContext, _ outcome: inout AbsenceOutcome) {
    guard context.now.quality.isTrusted else { return doubt(in: context, &outcome) }
    doubtful = nil
    let now = context.now.utc
    let ids = sorted.map(\.absence.id)
    // What begins now explains what another one leaves unexplained.
    for id in ids { begin(id, isAsked: false, at: now, in: context, &outcome) }
    for id in ids { follow(id, in: context, &outcome) }
    for id in ids { close(id, at: now, in: context, &outcome) }
  }

  /// Opens the visit that a moment lies in.
  mutating func begin(
    _ id: AbsenceID, isAsked: Bool, at now: Timestamp, in context: AbsenceContext,
    _ outcome: inout AbsenceOutcome
  ) {
    guard let known = planned[id], known.visit == nil,
      let person = context.people[known.absence.resident],
      let window = times(known.absence, context)?.window(atOrAfter: now), window.contains(now)
    else { return }
    planned[id]?.visit = PlannedAbsence.Visit(window: window)
    outcome.events.append(
      began(known.absence, window, person, isAsked: isAsked))
  }

  /// Notes that a resident went out for an absence, or came home from it.
  mutating func follow(
    _ id: AbsenceID, in context: AbsenceContext, _ outcome: inout AbsenceOutcome
  ) {
    guard let known = planned[id], let visit = known.visit, !visit.isSpent,
      let person = context.people[known.absence.resident],
      let isAtHome = person.isAtHome(besides: known.absence.zone)
    else { return }
    if !isAtHome {
      planned[id]?.visit?.isAway = true
    } else if visit.isAway {
      planned[id]?.visit?.isSpent = true
      outcome.events.append(ended(known.absence, visit.window, person, .returned))
    }
  }

  /// Ends what is over: whoever is out still was expected back.
  private mutating func close(
    _ id: AbsenceID, at now: Timestamp, in context: AbsenceContext,
    _ outcome: inout AbsenceOutcome
  ) {
    guard let known = planned[id] else { return }
    if let visit = known.visit, !visit.window.contains(now) {
      planned[id]?.visit = nil
      // With a long grace the next day's may have begun already.
      begin(id, isAsked: false, at: now, in: context, &outcome)
      // A clock that was ahead opened what has not come yet.
      let reason: AbsenceEnd = now < visit.window.from ? .clock : .overdue
      end(known, visit, reason, in: context, &outcome)
    }
    guard case .once = known.absence.days, planned[id]?.visit == nil,
      let times = times(known.absence, context), times.window(atOrAfter: now) == nil
    else { return }
    planned[id] = nil
  }

  /// While nobody knows the time nothing explains that somebody is out; a clock that is told soon changes nothing.
  private mutating func doubt(in context: AbsenceContext, _ outcome: inout AbsenceOutcome) {
    let since = doubtful ?? context.now.tick
    doubtful = since
    guard context.now.tick.milliseconds(since: since) >= Self.clockPatienceMilliseconds else {
      return
    }
    for known in sorted {
      // That the resident came home is true whatever time it is.
      guard known.counts, let visit = known.visit else { continue }
      planned[known.absence.id]?.visit = nil
      end(known, visit, .clock, in: context, &outcome)
    }
  }

  /// Tells that an absence counts no longer, and whether its resident is out with nothing to explain it.
  func end(
    _ known: PlannedAbsence, _ visit: PlannedAbsence.Visit, _ reason: AbsenceEnd,
    in context: AbsenceContext, _ outcome: inout AbsenceOutcome
  ) {
    guard !visit.isSpent, let person = context.people[known.absence.resident] else { return }
    let isExplained = expectation(of: known.absence.resident, at: context.now) != nil
    let isMissed = person.isOutside && !isExplained
    let told = reason == .overdue && !isMissed ? .over : reason
    outcome.events.append(
      ended(known.absence, visit.window, person, told, isOutside: isMissed))
  }

  // MARK: Writing

  private mutating func finish(_ context: AbsenceContext, _ outcome: inout AbsenceOutcome) {
    for (id, row) in written.sorted(by: { $0.key < $1.key }) where planned[id] == nil {
      outcome.changes.append(
        .removeEngineRow(engine: row.engine, subject: row.subject, name: row.name))
      written[id] = nil
    }
    for known in sorted {
      let row = known.row
      guard written[known.absence.id] != row else { continue }
      written[known.absence.id] = row
      outcome.changes.append(.putEngineRow(row))
    }
    wake = nextLook(context)
  }

  /// When the clock next brings something.
  private func nextLook(_ context: AbsenceContext) -> Tick? {
    guard context.now.quality.isTrusted else {
      let waits = planned.values.contains(where: \.counts)
      return waits
        ? doubtful?.advanced(byMilliseconds: Self.clockPatienceMilliseconds) : nil
    }
    let moments = planned.values.compactMap { known -> Timestamp? in
      if let visit = known.visit { return visit.window.limit }
      return times(known.absence, context)?.window(atOrAfter: context.now.utc)?.from
    }
    return moments.min().map {
      context.now.tick.advanced(byMilliseconds: max(0, $0.milliseconds(since: context.now.utc)))
    }
  }

  func times(_ absence: Absence, _ context: AbsenceContext) -> AbsenceTimes? {
    context.people[absence.resident]?.zone.flatMap { AbsenceTimes(absence, zone: $0) }
  }
}

extension AbsenceContext.Person {
  /// Whether the resident is at home, or in any safe zone where none is home; nil while nobody can say.
  ///
  /// - Parameter zone: the zone that belongs to the absence, in which nobody has come home.
  fileprivate func isAtHome(besides zone: ZoneID?) -> Bool? {
    guard isOutside || !inside.isEmpty else { return nil }
    let homes = safeZones.filter(\.value).keys
    let counting = Set(homes.isEmpty ? safeZones.keys.map { $0 } : homes.map { $0 })
    return !inside.isDisjoint(with: counting.subtracting([zone].compactMap { $0 }))
  }
}
