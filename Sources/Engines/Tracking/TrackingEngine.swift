public import Care
import CivilTime
public import JSON
public import Moments
import Texts

/// Where everybody is: one ``Tracker`` for each resident.
public struct TrackingEngine: Engine {
  /// Its settings, by name.
  public static var settings: (any NamedSettings.Type)? { TrackingSettings.self }

  /// Positions and the health of receivers, tags at home, and what people ask.
  public static var hears: InputKinds { [.time, .fix, .health, .signals, .changed, .asked] }

  private var trackers: [ResidentID: Tracker] = [:]
  /// When each tracker wants to be told the time: asked for with every input, and a tracker is large.
  private var wakes: [ResidentID: Tick] = [:]
  /// When zones next begin or end to count by their hours; of those with no such zone nothing.
  private var turns: [ResidentID: Tick] = [:]

  /// An engine over what is stored: the rows of engine `tracking`.
  public init(stored: StoredState, seed: UInt64, in world: World) {
    let rows = Dictionary(
      grouping: stored.engineRows.filter { $0.engine == Tracker.engine }, by: \.subject)
    for id in world.house.residents.keys {
      trackers[id] = Self.tracker(of: id, rows: rows[id.rawValue] ?? [], in: world)
      wakes[id] = trackers[id]?.nextWake
      setTurn(of: id, in: world)
    }
  }

  private static func tracker(
    of id: ResidentID, rows: [EngineRow], in world: World
  ) -> Tracker? {
    world.house.residents[id].map {
      Tracker(
        resident: $0, settings: settings(of: id, in: world.house),
        zones: world.house.zones(of: id), rows: rows, boot: world.boot, at: world.now)
    }
  }

  private static func settings(of id: ResidentID, in house: House) -> TrackingSettings {
    var settings = house.settings(TrackingSettings.self, of: id)
    settings.language = house.language(of: id)
    settings.receivers = house.receivers
    return settings
  }

  /// When ``Input/time`` is due; nil when nothing is waited for.
  public var nextWake: Tick? { .soonest(wakes.values.min(), turns.values.min()) }

  /// What it has to see of others to take an input.
  public func sees(for input: Input) -> World.Views {
    switch input {
    // What may find that somebody left: whether that was planned.
    case .time, .observed(.fix), .changed(.clock), .changed(.timeZone), .changed(.resident):
      [.plans]
    default: []
    }
  }

  /// Takes one input; nil where it is none of its business.
  public mutating func handle(
    _ input: Input, in world: World
  ) throws(CommandReply.Refusal) -> Outcome? {
    switch input {
    case .time: return runDue(in: world)
    case .observed(let observation): return take(observation, in: world)
    case .signalled(.homeTag(let verdict, let id)): return advance(id, .homeTag(verdict), in: world)
    case .changed(let change): return follow(change, in: world)
    case .asked(let command, _): return try perform(command, in: world)
    default: return nil
    }
  }

  private mutating func advance(
    _ id: ResidentID, _ input: TrackerInput, in world: World
  ) -> Outcome? {
    guard let place = trackers.index(forKey: id) else { return nil }
    // In place: a tracker is large.
    return Self.advance(&trackers.values[place], input, &wakes[id], in: world)
  }

  private static func advance(
    _ tracker: inout Tracker, _ input: TrackerInput, _ wake: inout Tick?, in world: World
  ) -> Outcome {
    let outcome = tracker.handle(input, plan: world.plans[tracker.resident.id], at: world.now)
    wake = tracker.nextWake
    return outcome
  }

  private mutating func runDue(in world: World) -> Outcome? {
    var outcome: Outcome?
    for id in trackers.keys.sorted() {
      let isTurn = turns[id].map { $0 <= world.now.tick } ?? false
      let isDue = wakes[id].map { $0 <= world.now.tick } ?? false
      for next in [isDue ? advance(id, .time, in: world) : nil, isTurn ? turn(id, in: world) : nil]
      {
        guard let next else { continue }
        outcome = outcome.map { $0.followed(by: next) } ?? next
      }
    }
    return outcome
  }

  // MARK: Hours of zones

  /// The zones of a resident that count now; nil where all do, as most have no hours.
  private static func counting(of id: ResidentID, in world: World) -> Set<ZoneID>? {
    let zones = world.house.zones(of: id)
    guard zones.contains(where: { $0.hours != nil }) else { return nil }
    let counting = world.house.zones(of: id, countingAt: world.localTime(of: id))
    return Set(counting.map(\.id))
  }

  /// Whether somebody who is out is waited for although no zone would count any more: then those that did count on, until
  /// the resident is in one of them.
  private static func isAwaited(_ tracker: Tracker, whenCounting next: Set<ZoneID>?) -> Bool {
    next?.isEmpty == true && tracker.isOutside
  }

  /// Notes when zones of a resident next begin or end to count.
  private mutating func setTurn(of id: ResidentID, in world: World) {
    var first: Tick?
    for zone in world.house.zones.values where zone.resident == id {
      guard let hours = zone.hours else { continue }
      let turn = nextTurn(hours, of: id, in: world)
      first = min(first ?? turn, turn)
    }
    turns[id] = first
  }

  private func nextTurn(_ hours: DailyHours, of id: ResidentID, in world: World) -> Tick {
    // Looked at again after a while: a clock may be set, and somebody may be waited for.
    let later = world.now.tick.advanced(byMilliseconds: Self.turnPatienceMilliseconds)
    let next = Self.counting(of: id, in: world)
    if let tracker = trackers[id], tracker.counting != next {
      // Hours that turned while the gateway was off turn now.
      return Self.isAwaited(tracker, whenCounting: next) ? later : world.now.tick
    }
    guard let zone = world.people[id]?.zone, let local = world.localTime(of: id) else {
      return later
    }
    let turn = zone.instant(of: hours.nextTurn(after: local))
    let wait = turn.milliseconds - world.now.utc.milliseconds
    return world.now.tick.advanced(byMilliseconds: max(wait, 1000))
  }

  private static let turnPatienceMilliseconds: Int64 = 60_000

  /// Lets zones of a resident begin and end to count.
  private mutating func turn(_ id: ResidentID, in world: World) -> Outcome? {
    defer { setTurn(of: id, in: world) }
    let next = Self.counting(of: id, in: world)
    guard let tracker = trackers[id], tracker.counting != next,
      !Self.isAwaited(tracker, whenCounting: next)
    else { return nil }
    return advance(id, .hoursTurned(next), in: world)
  }

  private mutating func turnAll(in world: World) -> Outcome? {
    var outcome: Outcome?
    for id in turns.keys.sorted() {
      guard let next = turn(id, in: world) else { continue }
      outcome = outcome.map { $0.followed(by: next) } ?? next
    }
    return outcome
  }

  private mutating func take(_ observation: Observation, in world: World) -> Outcome? {
    switch observation {
    case .fix(let report):
      guard let resident = world.house.resident(movingWith: report.source) else { return nil }
      return advance(resident.id, .fix(report), in: world)
    case .health(let report):
      guard let source = report.component.receiver,
        let resident = world.house.resident(movingWith: source)
      else { return nil }
      return advance(resident.id, .sourceHealth(report), in: world)
    default: return nil
    }
  }

  // MARK: What changes

  private mutating func follow(_ change: HouseChange, in world: World) -> Outcome? {
    switch change {
    case .resident(let id):
      if trackers[id] == nil { trackers[id] = Self.tracker(of: id, rows: [], in: world) }
      let outcome = world.house.residents[id].flatMap {
        advance(id, .residentChanged($0), in: world)
      }
      guard let next = turn(id, in: world) else { return outcome }
      return outcome.map { $0.followed(by: next) } ?? next
    case .erased(let id):
      (trackers[id], wakes[id], turns[id]) = (nil, nil, nil)
      return nil
    case .zones(let id, let edit): return follow(edit, of: id, in: world)
    case .setting(let id, let name):
      guard TrackingSettings.names.contains(name) || name == "language" else { return nil }
      return advance(id, .settingsChanged(Self.settings(of: id, in: world.house)), in: world)
    case .consent(let consent):
      guard consent.kind == .location, !consent.isGranted else { return nil }
      return advance(consent.resident, .switched(isOn: false), in: world)
    case .timeZone, .clock: return turnAll(in: world)
    case .guardians: return nil
    }
  }

  /// Tells every caregiver that somebody changed where the resident counts as safe, and whether they are outside now.
  private mutating func follow(
    _ edit: ZoneEdit, of id: ResidentID, in world: World
  ) -> Outcome? {
    let zones = world.house.zones(of: id)
    let counting = Self.counting(of: id, in: world)
    var outcome = advance(id, .zonesChanged(zones, counting: counting), in: world)
    setTurn(of: id, in: world)
    guard let change = edit.change else { return outcome }
    let isOutside = trackers[id]?.isOutside ?? false
    let (zone, principal) = (edit.zone, edit.principal)
    let who = world.house.speaker(principal, account: edit.account)
    let sentence = change.sentence([
      "who": who, "name": world.people[id]?.name ?? id.rawValue, "zone": zone.name,
    ])
    outcome?.events.append(
      EventDraft(
        // A further safe place is news, and never a danger.
        type: .zoneChanged, lane: change == .added ? .record : .alarm, resident: id,
        facts: [
          "severity": "notice", "zone": .string(zone.id.rawValue),
          "zoneName": .string(zone.name), "change": .string(change.rawValue),
          "alarmOnLeaving": .bool(change != .removed && zone.alarmsOnLeaving),
          "zonesLeft": .integer(Int64(zones.count)), "isOutside": .bool(isOutside),
          "by": .string(principal.description), "isRemote": .bool(principal.channel == .plugin),
          "explanation": .string(sentence.text(in: world.language(of: id))),
        ],
        signal: .zone(
          ZoneNews(
            .changed(
              ZoneNews.Zone(zone), isRemoved: change == .removed, zonesLeft: zones.count),
            isOutside: isOutside), of: id)))
    return outcome
  }

  private mutating func perform(
    _ command: Command, in world: World
  ) throws(CommandReply.Refusal) -> Outcome? {
    switch command.request {
    case .setTracking(let id, let isOn):
      try world.house.requireResident(id)
      if isOn { try world.house.requireConsent(.location, of: id) }
      var outcome = advance(id, .switched(isOn: isOn), in: world)
      outcome?.reply = ["tracking": .bool(isOn)]
      return outcome
    case .locate(let id):
      try world.house.requireResident(id)
      try world.house.requireConsent(.location, of: id)
      var outcome = advance(id, .refreshRequested(by: command.principal), in: world)
      outcome?.reply = ["requested": true]
      return outcome
    default: return nil
    }
  }

  // MARK: What others may know

  /// Shows what others may see of it.
  public func show(_ view: World.View, in world: inout World) {
    switch view {
    case .tracked: world.tracked = Set(trackers.filter(\.value.isOn).keys)
    case .whereabouts:
      world.whereabouts = world.house.residents.mapValues { resident in
        let tracker = trackers[resident.id].flatMap { $0.isOn ? $0 : nil }
        let zones = world.house.zones(of: resident.id).lazy
          .filter { tracker?.counts($0.id) ?? true }.map { ($0.id, $0.isHome) }
        return World.Whereabouts(
          safeZones: Dictionary(zones, uniquingKeysWith: { first, _ in first }),
          inside: Set(tracker?.zonesInside ?? []), isOutside: tracker?.isOutside ?? false)
      }
    default: break
    }
  }

  /// Whom it concerns; nil where that is not known here.
  public func resident(concernedBy request: Command.Request) -> ResidentID? {
    switch request {
    case .setTracking(let id, _), .locate(let id): id
    default: nil
    }
  }

  /// Whom it concerns; nil where that is not known here.
  public func resident(concernedBy observation: Observation) -> ResidentID? {
    // Whoever has a source has a tracker.
    guard case .fix(let report) = observation else { return nil }
    return trackers.first { $0.value.resident.gpsSource == report.source }?.key
  }

  /// Adds all that it holds to what is stored.
  public func store(in state: inout StoredState) {
    state.engineRows += trackers.keys.sorted().flatMap { trackers[$0]?.rows ?? [] }
  }

  /// What is known of a resident for people to read; of one who refused to be located nothing about where they are or were.
  public func summary(of resident: ResidentID, in house: House) -> JSONValue {
    let summary = trackers[resident]?.summary ?? .null
    guard house.isRefused(.location, by: resident), let members = summary.objectContent else {
      return summary
    }
    return .object(members.filter { Self.membersWithoutPlace.contains($0.key) })
  }

  private static let membersWithoutPlace = ["resident", "name", "isOn", "receiver"]
}

extension ZoneEdit.Change {
  /// Who changed where somebody counts as safe, and how.
  fileprivate func sentence(_ values: Message.Values) -> Message {
    switch self {
    case .added:
      Message("{who} changed where {name} counts as safe: the zone {zone} was added.", values)
    case .shrunk:
      Message(
        "{who} changed where {name} counts as safe: the zone {zone} was made smaller.", values)
    case .enlarged:
      Message("{who} changed where {name} counts as safe: the zone {zone} was made larger.", values)
    case .moved:
      Message("{who} changed where {name} counts as safe: the zone {zone} was moved.", values)
    case .reshaped:
      Message(
        "{who} changed where {name} counts as safe: the zone {zone} was given another border.",
        values)
    case .removed:
      Message("{who} changed where {name} counts as safe: the zone {zone} was removed.", values)
    case .marginChanged:
      Message(
        "{who} changed where {name} counts as safe: the zone {zone} was given another margin.",
        values)
    case .alarmOnLeaving:
      Message("{who} changed the zone {zone}: leaving it is an alarm for {name} each time.", values)
    case .noAlarmOnLeaving:
      Message(
        "{who} changed the zone {zone}: {name} may leave it for another safe zone without alarm.",
        values)
    case .hoursChanged:
      Message("{who} changed the hours in which the zone {zone} counts as safe for {name}.", values)
    }
  }
}
