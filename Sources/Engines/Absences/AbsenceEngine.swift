public import Care
import CivilTime
public import Moments
import Texts

/// Knows when residents are expected to be out, and says when they are out although nobody expects it any more.
///
/// Pure: the same inputs give the same outcomes. All that matters is in rows, which hold moments and no ticks, so that an
/// engine over the rows of another one goes on where that one was, in another boot as well. An absence only ever explains
/// what is seen while the clock is trusted: where nobody knows the time, nothing is expected.
public struct AbsenceEngine: Engine {
  /// Time, comings and goings, and what people ask.
  public static var hears: InputKinds { [.time, .clock, .zone, .changed, .asked] }

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

  /// An engine over the rows of engine `absences`; nothing of it is drawn by lot.
  public init(stored: StoredState, seed: UInt64, in world: World) {
    for row in stored.engineRows where row.engine == PlannedAbsence.engine {
      guard let found = try? PlannedAbsence(row: row) else {
        unreadable.append(row)
        continue
      }
      planned[found.absence.id] = found
      written[found.absence.id] = found.row
    }
    if !planned.isEmpty { wake = world.now.tick }
  }

  /// Whether the last look found a trusted clock.
  var isClockTrusted: Bool { doubtful == nil }

  /// When the engine wants to look again; nil for never.
  public var nextWake: Tick? { planned.isEmpty ? nil : wake }

  /// Adds the absences, each with where it stands, as rows.
  public func store(in state: inout StoredState) {
    state.engineRows += sorted.map(\.row) + unreadable
  }

  /// Takes one input: what somebody asks, or a reason to look at the clock and at where everybody is.
  ///
  /// - Throws: why a request is refused; nothing changed then.
  public mutating func handle(
    _ input: Input, in world: World
  ) throws(CommandReply.Refusal) -> Outcome? {
    switch input {
    case .asked(let command, _):
      guard case .absence(let request) = command.request else { return nil }
      return try perform(request, by: command.principal, in: world)
    case .changed(.erased(let resident)): return erase(resident)
    default: return isReason(input) ? look(in: world) : nil
    }
  }

  /// Where everybody is, for whatever is judged by it.
  public func sees(for input: Input) -> World.Views {
    if case .asked(let command, _) = input, case .absence = command.request {
      return [.whereabouts]
    }
    return isReason(input) ? [.whereabouts] : []
  }

  /// Whether an input may begin or end an absence.
  private func isReason(_ input: Input) -> Bool {
    switch input {
    case .time, .observed(.clock), .changed(.resident), .changed(.timeZone): !planned.isEmpty
    case .signalled(.zone(let news, let resident)): news.mayMove && hasAbsence(resident)
    default: false
    }
  }

  /// Looks at the clock and at where everybody is.
  private mutating func look(in world: World) -> Outcome {
    var outcome = Outcome()
    look(in: world, &outcome)
    finish(world, &outcome)
    return outcome
  }

  /// Does what somebody asks, and notes it before what follows from it.
  private mutating func perform(
    _ request: AbsenceRequest, by principal: Principal, in world: World
  ) throws(CommandReply.Refusal) -> Outcome {
    if case .put(let absence) = request { try Self.checkForm(of: absence, in: world.house) }
    let id = AbsenceID(request.target)
    let old = planned[id]
    var copy = self
    var outcome = Outcome()
    copy.look(in: world, &outcome)
    switch request {
    case .put(let absence): try copy.put(absence, in: world, &outcome)
    case .remove(let id): try copy.remove(id, in: world, &outcome)
    }
    if let absence = (copy.planned[id] ?? old)?.absence {
      outcome.events.insert(
        .note(request.action, request.target, of: absence.resident, by: principal, absence.json),
        at: 0)
    }
    copy.finish(world, &outcome)
    self = copy
    return outcome
  }

  /// Forgets a resident; the rows go with the rest of what is stored about them.
  private mutating func erase(_ resident: ResidentID) -> Outcome {
    planned = planned.filter { $0.value.absence.resident != resident }
    written = written.filter { planned[$0.key] != nil }
    unreadable.removeAll { $0.subject == resident.rawValue }
    return Outcome()
  }

  var sorted: [PlannedAbsence] {
    planned.values.sorted { $0.absence.id < $1.absence.id }
  }

  // MARK: Looking

  private mutating func look(in world: World, _ outcome: inout Outcome) {
    guard world.now.quality.isTrusted else { return doubt(in: world, &outcome) }
    doubtful = nil
    let now = world.now.utc
    let ids = sorted.map(\.absence.id)
    // What begins now explains what another one leaves unexplained.
    for id in ids { begin(id, isAsked: false, at: now, in: world, &outcome) }
    for id in ids { follow(id, in: world, &outcome) }
    for id in ids { close(id, at: now, in: world, &outcome) }
  }

  /// Opens the visit that a moment lies in.
  mutating func begin(
    _ id: AbsenceID, isAsked: Bool, at now: Timestamp, in world: World,
    _ outcome: inout Outcome
  ) {
    guard let known = planned[id], known.visit == nil,
      let person = Absentee(known.absence.resident, in: world),
      let window = times(known.absence, world)?.window(atOrAfter: now), window.contains(now)
    else { return }
    planned[id]?.visit = PlannedAbsence.Visit(window: window)
    outcome.events.append(
      began(known.absence, window, person, isAsked: isAsked))
  }

  /// Notes that a resident went out for an absence, or came home from it.
  mutating func follow(
    _ id: AbsenceID, in world: World, _ outcome: inout Outcome
  ) {
    guard let known = planned[id], let visit = known.visit, !visit.isSpent,
      let person = Absentee(known.absence.resident, in: world),
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
    _ id: AbsenceID, at now: Timestamp, in world: World,
    _ outcome: inout Outcome
  ) {
    guard let known = planned[id] else { return }
    if let visit = known.visit, !visit.window.contains(now) {
      planned[id]?.visit = nil
      // With a long grace the next day's may have begun already.
      begin(id, isAsked: false, at: now, in: world, &outcome)
      // A clock that was ahead opened what has not come yet.
      let reason: AbsenceEnd = now < visit.window.from ? .clock : .overdue
      end(known, visit, reason, in: world, &outcome)
    }
    guard case .once = known.absence.days, planned[id]?.visit == nil,
      let times = times(known.absence, world), times.window(atOrAfter: now) == nil
    else { return }
    planned[id] = nil
  }

  /// While nobody knows the time nothing explains that somebody is out; a clock that is told soon changes nothing.
  private mutating func doubt(in world: World, _ outcome: inout Outcome) {
    let since = doubtful ?? world.now.tick
    doubtful = since
    guard world.now.tick.milliseconds(since: since) >= Self.clockPatienceMilliseconds else {
      return
    }
    for known in sorted {
      // That the resident came home is true whatever time it is.
      guard known.counts, let visit = known.visit else { continue }
      planned[known.absence.id]?.visit = nil
      end(known, visit, .clock, in: world, &outcome)
    }
  }

  /// Tells that an absence counts no longer, and whether its resident is out with nothing to explain it.
  func end(
    _ known: PlannedAbsence, _ visit: PlannedAbsence.Visit, _ reason: AbsenceEnd,
    in world: World, _ outcome: inout Outcome
  ) {
    guard !visit.isSpent, let person = Absentee(known.absence.resident, in: world) else { return }
    let isExplained = expectation(of: known.absence.resident, at: world.now) != nil
    let isMissed = person.isOutside && !isExplained
    let told = reason == .overdue && !isMissed ? .over : reason
    outcome.events.append(
      ended(known.absence, visit.window, person, told, isOutside: isMissed))
  }

  // MARK: Writing

  private mutating func finish(_ world: World, _ outcome: inout Outcome) {
    for (id, row) in written.sorted(by: { $0.key < $1.key }) where planned[id] == nil {
      outcome.changes.append(row.removal)
      written[id] = nil
    }
    for known in sorted {
      let row = known.row
      guard written[known.absence.id] != row else { continue }
      written[known.absence.id] = row
      outcome.changes.append(.putEngineRow(row))
    }
    wake = nextLook(world)
  }

  /// When the clock next brings something.
  private func nextLook(_ world: World) -> Tick? {
    guard world.now.quality.isTrusted else {
      let waits = planned.values.contains(where: \.counts)
      return waits
        ? doubtful?.advanced(byMilliseconds: Self.clockPatienceMilliseconds) : nil
    }
    let moments = planned.values.compactMap { known -> Timestamp? in
      if let visit = known.visit { return visit.window.limit }
      return times(known.absence, world)?.window(atOrAfter: world.now.utc)?.from
    }
    return moments.min().map {
      world.now.tick.advanced(byMilliseconds: max(0, $0.milliseconds(since: world.now.utc)))
    }
  }

  func times(_ absence: Absence, _ world: World) -> AbsenceTimes? {
    world.people[absence.resident]?.zone.flatMap { AbsenceTimes(absence, zone: $0) }
  }
}
