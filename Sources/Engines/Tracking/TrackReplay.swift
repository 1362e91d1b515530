public import Care
public import JSON
public import Moments

/// Runs the tracking engine over a recorded track, without a daemon, with the track's own time as a trusted clock.
public struct TrackReplay: Sendable {
  /// One event of a replayed track.
  public struct Entry: Hashable, Sendable {
    /// When the gateway would have known it.
    public var time: Timestamp
    /// What it would have told.
    public var draft: EventDraft

    /// The entry as one JSON object: `type`, `time`, `data`.
    public var json: JSONValue {
      [
        "type": .string(draft.type.rawValue), "time": .string(time.iso8601),
        "data": draft.facts,
      ]
    }
  }

  /// The settings that the replay runs with.
  public let settings: TrackingSettings
  private let resident: Resident
  private let zones: [SafeZone]

  /// A pause longer than this is not lived through to its end: nothing new is due after a day.
  private static let longestPauseMilliseconds: Int64 = 86_400_000

  /// A replay for one resident and their zones.
  public init(
    resident: Resident, zones: [SafeZone], settings: TrackingSettings = TrackingSettings()
  ) {
    self.resident = resident
    self.zones = zones
    self.settings = settings
  }

  /// Every event of the track, in order; the engine is woken between fixes whenever it wants to be.
  ///
  /// A fix without a time is left out when others have one. When none has, the track counts as walked at 1.5 m/s from
  /// 2000-01-01. The replay ends with the last fix: a track that ends is not a resident who is lost.
  public func run(_ fixes: [(time: Timestamp?, report: FixReport)]) -> [Entry] {
    let timed = timed(fixes)
    guard let start = timed.first?.time else { return [] }
    var clock = Moment(tick: .seconds(0), utc: start, quality: .synchronised)
    var engine = Tracker(
      resident: resident, settings: settings, zones: zones, rows: [], boot: "replay", at: clock)
    var entries: [Entry] = []
    for (time, report) in timed {
      wake(&engine, from: start, &clock, until: time, &entries)
      feed(.fix(report), to: &engine, at: clock, &entries)
    }
    return entries
  }

  /// Only what concerns zones, positions and locations, as `homeward replay track` prints it.
  public func findings(_ fixes: [(time: Timestamp?, report: FixReport)]) -> [Entry] {
    let kinds = ["zone.", "position.", "location.recorded"]
    return run(fixes).filter { entry in
      kinds.contains { entry.draft.type.rawValue.hasPrefix($0) }
    }
  }

  private func wake(
    _ engine: inout Tracker, from start: Timestamp, _ clock: inout Moment,
    until time: Timestamp, _ entries: inout [Entry]
  ) {
    let end = moment(max(time, clock.utc), from: start)
    let patience = clock.tick.advanced(byMilliseconds: Self.longestPauseMilliseconds)
    while let wake = engine.nextWake, wake < end.tick, wake <= patience {
      let milliseconds = max(0, wake.milliseconds(since: clock.tick))
      clock = clock.advanced(byMilliseconds: milliseconds)
      if clock.tick < wake { clock = clock.advanced(byMilliseconds: 1) }
      feed(.time, to: &engine, at: clock, &entries)
    }
    clock = end
  }

  private func moment(_ time: Timestamp, from start: Timestamp) -> Moment {
    let tick = Tick.seconds(0).advanced(byMilliseconds: time.milliseconds(since: start))
    return Moment(tick: tick, utc: time, quality: .synchronised)
  }

  private func feed(
    _ input: TrackerInput, to engine: inout Tracker, at now: Moment,
    _ entries: inout [Entry]
  ) {
    let outcome = engine.handle(input, at: now)
    entries += outcome.events.map { Entry(time: now.utc, draft: $0) }
  }

  private func timed(
    _ fixes: [(time: Timestamp?, report: FixReport)]
  ) -> [(time: Timestamp, report: FixReport)] {
    let known = fixes.compactMap { fix in fix.time.map { (time: $0, report: fix.report) } }
    guard known.isEmpty else { return known }
    var time = Timestamp.seconds(946_684_800)
    var last: Coordinate?
    return fixes.map { fix in
      let position = fix.report.coordinate
      let meters = position.flatMap { last?.distanceMeters(to: $0) } ?? 0
      let seconds = Int64(min(86_400, max(1, meters / 1.5)).rounded(.up))
      time = time.advanced(byMilliseconds: seconds * 1000)
      last = position ?? last
      return (time: time, report: fix.report)
    }
  }
}
