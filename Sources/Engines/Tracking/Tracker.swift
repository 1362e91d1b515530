import Care
import JSON
import Moments
import Texts

/// Decides what the fixes of one resident's receiver mean: where they are, which zones they left or entered, what must be
/// recorded, and when nobody can say.
///
/// Pure: the same inputs give the same outcomes. A new engine that gets the rows of another one goes on exactly where
/// that one was; after a reboot durations are carried over through UTC as far as trusted clocks vouch for both ends.
struct Tracker: Sendable {
  var resident: Resident
  var settings: TrackingSettings
  var state: TrackingState
  var zones: ZoneTracker
  var isClockTrusted = false
  private var ledger: RowLedger
  /// What explains that the resident is out; nil where nothing was planned.
  var plan: World.Plan?

  static let engine = RowLedger.engine

  /// An engine for one resident.
  ///
  /// - Parameters:
  ///   - rows: the stored rows of engine `tracking` about this resident; empty for a new resident, whose tracking is on.
  ///   - boot: the running boot; ticks in rows of another boot are not compared with its ticks.
  init(
    resident: Resident, settings: TrackingSettings, zones: [SafeZone], rows: [EngineRow],
    boot: BootID, at now: Moment
  ) {
    self.resident = resident
    self.settings = settings
    self.zones = ZoneTracker(settings: settings)
    state = TrackingState(session: Session(at: now))
    ledger = RowLedger(of: resident.id, boot: boot, at: now)
    restore(rows, zones, at: now)
  }

  /// Takes one input and says what follows from it.
  ///
  /// Whatever was due before `now` happens first; a fix that arrives exactly at a deadline still counts.
  ///
  /// - Parameter plan: what explains that the resident is out; nil where nothing was planned.
  mutating func handle(
    _ input: TrackerInput, plan: World.Plan? = nil, at now: Moment
  ) -> Outcome {
    self.plan = plan
    var outcome = Outcome()
    refineStamps(at: now)
    tellUnreadableRows(&outcome)
    if case .fix = input {
      runTimers(until: Tick(nanoseconds: now.tick.nanoseconds &- 1), at: now, &outcome)
    } else {
      runTimers(until: now.tick, at: now, &outcome)
    }
    apply(input, at: now, &outcome)
    if let changes = ledger.changes(to: state, zones, at: now) {
      outcome.changes += changes
      zones.forgetTouched()
    }
    return outcome
  }

  /// The full state; an engine made from it behaves identically.
  var rows: [EngineRow] { ledger.rows(of: state, zones) }

  /// When ``TrackerInput/time`` is due; nil when nothing is waited for.
  var nextWake: Tick? {
    guard state.session.isOn else { return nil }
    return .soonest([
      state.session.lastCheck.tick(after: settings.checkIntervalSeconds),
      state.session.lastSample.tick(after: settings.sampleIntervalSeconds), silenceDeadline,
      unknownDeadline, zones.deadline, refreshDeadline,
    ])
  }

  private mutating func apply(
    _ input: TrackerInput, at now: Moment, _ outcome: inout Outcome
  ) {
    switch input {
    case .fix(let report): take(report, at: now, &outcome)
    case .time: break
    case .switched(let isOn): switchTracking(isOn, at: now, &outcome)
    case .refreshRequested(let principal): refresh(by: principal, at: now, &outcome)
    case .zonesChanged(let changed, let counting):
      state.session.counting = counting
      change(zones: changed, at: now, &outcome)
    case .hoursTurned(let counting): turn(to: counting, at: now, &outcome)
    case .homeTag(let verdict): take(verdict, at: now, &outcome)
    case .settingsChanged(let changed):
      settings = changed
      zones.apply(changed)
    case .residentChanged(let changed): change(to: changed, at: now, &outcome)
    case .sourceHealth(let report): state.receiver.health = report
    }
  }

  private mutating func runTimers(
    until limit: Tick, at now: Moment, _ outcome: inout Outcome
  ) {
    guard state.session.isOn else { return }
    tellSilence(until: limit, &outcome)
    tellUnknown(until: limit, at: now, &outcome)
    for finding in zones.overdue(until: limit) { tell(finding, at: now, &outcome) }
    tellOverdueRefresh(until: limit, at: now, &outcome)
    checkRecord(until: limit, at: now, &outcome)
    sampleSeries(until: limit, at: now, &outcome)
  }

  private mutating func switchTracking(
    _ isOn: Bool, at now: Moment, _ outcome: inout Outcome
  ) {
    guard isOn != state.session.isOn else { return }
    state.session.switchTracking(isOn, at: now)
    state.filter.forgetHeld()
    outcome.events.append(subject.switched(isOn))
    if isOn { burst(at: now, &outcome) }
  }

  private mutating func change(
    to changed: Resident, at now: Moment, _ outcome: inout Outcome
  ) {
    if changed.gpsSource != resident.gpsSource {
      let cleared = state.receiver.clearFaults()
      tell(cleared, &outcome)
      state.filter.exchangeReceiver()
      state.receiver = Receiver(lastReport: Stamp(now))
    }
    resident = changed
  }

  private mutating func change(
    zones changed: [SafeZone], at now: Moment, _ outcome: inout Outcome
  ) {
    let last = state.filter.last
    let settled = zones.replace(
      changed, last: last, isFresh: last.map { $0.isFresh(at: now, by: settings) } ?? false,
      vouched: state.homeTags.vouchedZones(among: changed, at: now, by: settings))
    outcome.events += settled.filter { counts($0.zone.id) }.map(zoneEvents.certain)
    forgetLeavingWhenHome()
  }

  private mutating func restore(_ rows: [EngineRow], _ list: [SafeZone], at now: Moment) {
    let (found, isKnown) = ledger.read(rows, into: &state, at: now)
    zones.restore(zones: list, states: found, fallback: isKnown ? .outside : nil)
    ledger.orphan(found.keys.sorted().filter { zones.zone($0) == nil })
    isClockTrusted = now.quality.isTrusted && !hasOpenStamps
    state.receiver.forgiveDowntime(at: now, by: settings)
  }

  /// Stamps may wait for a trusted clock; then the first trusted moment must refine them.
  private var hasOpenStamps: Bool {
    var isOpen = false
    var copy = (state, zones)
    let look: (inout Stamp) -> Void = { isOpen = isOpen || $0.isEstimated || !$0.quality.isTrusted }
    copy.0.mapStamps(look)
    copy.1.mapStamps(look)
    return isOpen
  }

  private mutating func tellUnreadableRows(_ outcome: inout Outcome) {
    let names = ledger.takeUnreadable()
    guard !names.isEmpty else { return }
    outcome.events.append(
      .unreadableRows(names, of: Self.engine, about: resident, in: settings.language))
  }

  private mutating func refineStamps(at now: Moment) {
    if now.quality.isTrusted, !isClockTrusted {
      state.mapStamps { $0.refine(at: now) }
      zones.mapStamps { $0.refine(at: now) }
    }
    isClockTrusted = now.quality.isTrusted
  }

  // MARK: Shared by the parts

  var subject: TrackingSubject { TrackingSubject(resident: resident, settings: settings) }

  var zoneEvents: ZoneEvents {
    ZoneEvents(
      subject: subject, plan: plan, isOutside: isOutside, namesInside: namesInside,
      leftHome: state.session.leftHome)
  }

  var positionEvents: PositionEvents {
    PositionEvents(subject: subject, leftHome: state.session.leftHome)
  }

  var recordEvents: RecordEvents {
    RecordEvents(
      subject: subject, isOutside: isOutside, inside: zonesInside, namesInside: namesInside,
      leftHome: state.session.leftHome)
  }

  /// The receiver that moves with the resident, as configured or as last seen.
  var source: SourceID? { resident.gpsSource ?? state.filter.last?.source }

  /// Asks the receiver for positions as fast as it can for the confirming window.
  func burst(at now: Moment, _ outcome: inout Outcome) {
    guard let source else { return }
    let milliseconds = settings.exitConfirmWindowSeconds * 1000
    let action = Action.sampleBurst(
      source: source, until: now.tick.advanced(byMilliseconds: milliseconds))
    if !outcome.actions.contains(action) { outcome.actions.append(action) }
  }

  /// Whether the resident is known to be outside of all zones that count; never without one or before the first fix.
  var isOutside: Bool {
    guard state.filter.last != nil else { return false }
    guard let counting else { return !zones.zones.isEmpty && zones.inside.isEmpty }
    return !counting.isEmpty && counting.isDisjoint(with: zones.inside)
  }

  /// The zones that count now, by their hours; nil where all do.
  var counting: Set<ZoneID>? { state.session.counting }

  /// Whether a zone counts now.
  func counts(_ zone: ZoneID) -> Bool { state.session.counts(zone) }

  /// Whether tracking is on: otherwise nobody knows where the resident is now.
  var isOn: Bool { state.session.isOn }

  /// The zones that count and that the resident is in, by id.
  var zonesInside: [ZoneID] {
    counting.map { counting in zones.inside.filter(counting.contains) } ?? zones.inside
  }

  private var namesInside: [String] { zonesInside.compactMap { zones.zone($0)?.name } }

  /// The present state for people and programs to look at; times are labels, ages are for the caller to count.
  var summary: JSONValue {
    TrackerSummary(
      resident: resident, state: state, zones: zones, source: source, isOutside: isOutside
    ).json
  }

  mutating func forgetLeavingWhenHome() {
    let isHome = zones.inside.contains { zones.zone($0)?.isHome ?? false }
    let hasHome = zones.zones.contains(where: \.isHome)
    if isHome || !hasHome { state.session.leftHome = nil }
  }
}
