import Absences
import Care
import CivilTime
import JSON
import Moments
import Testing

/// Ada in Oslo, with a home, a day centre and a clock of her own; told where she is, minute by minute.
struct Family {
  /// Where Ada is.
  enum Place {
    case home, centre, out, unknown
  }

  /// Monday, 23 November 2026, 08:00 in Oslo.
  static let start = Moment(
    tick: .seconds(5_000), utc: .seconds(1_795_417_200), quality: .synchronised)

  private(set) var engine: AbsenceEngine
  private(set) var now: Moment
  private(set) var changes: [StateChange] = []
  let zone: CivilTimeZone
  let house: House
  var place = Place.home
  var safeZones: [ZoneID: Bool] = ["home": true, "centre": false]

  init(rows: [EngineRow] = [], at now: Moment = start) throws {
    zone = try TimeZoneFile.load(name: "Europe/Oslo")
    house = House(
      residents: [
        Resident(id: "ada", name: "Ada", timeZone: "Europe/Oslo"),
        Resident(id: "bob", name: "Bob", timeZone: "Europe/Oslo"),
      ], timeZones: ["Europe/Oslo": zone])
    self.now = now
    engine = AbsenceEngine(
      stored: StoredState(engineRows: rows), seed: 0, in: World(now: now, house: house))
  }

  var world: World {
    let inside: Set<ZoneID> =
      switch place {
      case .home: ["home"]
      case .centre: ["centre"]
      case .out, .unknown: []
      }
    var world = World(now: now, house: house)
    world.whereabouts["ada"] = World.Whereabouts(
      safeZones: safeZones, inside: inside.intersection(safeZones.keys), isOutside: place == .out)
    return world
  }

  static func dayCentre(
    _ days: Absence.Days = .weekly(Set(Weekday.allCases)), from: String = "09:00",
    until: String = "16:00", grace: Int64 = 30, zone: ZoneID? = nil, id: AbsenceID = "day-centre"
  ) throws -> Absence {
    Absence(
      id: id, resident: "ada", name: "Day centre", days: days,
      from: try #require(TimeOfDay(text: from)), until: try #require(TimeOfDay(text: until)),
      graceMinutes: grace, zone: zone)
  }

  // MARK: What happens

  /// What a request brings about, as it comes in.
  mutating func ask(_ request: AbsenceRequest) throws -> Outcome {
    let command = Command(
      id: "1", principal: Principal(channel: .local, name: "anna"), request: .absence(request))
    return try #require(try engine.handle(.asked(command, sent: now.tick), in: world))
  }

  mutating func put(_ absence: Absence) throws -> [String] { told(try ask(.put(absence))) }

  mutating func remove(_ id: AbsenceID) throws -> [String] { told(try ask(.remove(id))) }

  /// Goes on to a time of the same day in Oslo; answers what is told on the way, with the minute of each.
  mutating func go(to time: String, at place: Place? = nil) throws -> [String] {
    let local = zone.local(at: now.utc).civil
    let wanted = try #require(TimeOfDay(text: time))
    let goal = zone.instant(
      of: CivilDateTime(
        year: local.year, month: local.month, day: local.day, hour: wanted.hour,
        minute: wanted.minute))
    return pass(goal.milliseconds(since: now.utc), at: place)
  }

  /// Lets time pass, woken when the engine asks for it, and then brings Ada to a place.
  mutating func pass(_ milliseconds: Int64, at place: Place? = nil) -> [String] {
    let end = now.tick.advanced(byMilliseconds: milliseconds)
    var events: [String] = []
    while let wake = engine.nextWake, wake <= end {
      now = now.advanced(byMilliseconds: max(0, wake.milliseconds(since: now.tick)))
      events += look()
      if let next = engine.nextWake, next <= wake { break }
    }
    now = now.advanced(byMilliseconds: max(0, end.milliseconds(since: now.tick)))
    if let place { self.place = place }
    return events + look()
  }

  mutating func look() -> [String] { told(hear(.time) ?? Outcome()) }

  /// What the engine answers to anything but a request; it refuses none of them.
  mutating func hear(_ input: Input) -> Outcome? {
    do { return try engine.handle(input, in: world) } catch {
      Issue.record("refused: \(error)")
      return nil
    }
  }

  /// Another boot over the same rows, so many minutes later.
  mutating func reboot(afterMinutes minutes: Int64, quality: TimeQuality = .synchronised) {
    let utc = now.utc.advanced(byMilliseconds: minutes * 60_000)
    now = Moment(tick: .seconds(1), utc: utc, quality: quality)
    engine = AbsenceEngine(stored: stored, seed: 0, in: world)
  }

  mutating func set(_ quality: TimeQuality) { now.quality = quality }

  mutating func set(utc: Timestamp) { now.utc = utc }

  /// All that the engine holds.
  var stored: StoredState {
    var state = StoredState()
    engine.store(in: &state)
    return state
  }

  /// What others may see of what is planned.
  var plans: [ResidentID: World.Plan] {
    var world = world
    engine.show(.plans, in: &world)
    return world.plans
  }

  /// What explains that Ada is out.
  var expectation: AbsenceID? {
    if case .absence(let absence, _)? = plans["ada"] { absence.id } else { nil }
  }

  private mutating func told(_ outcome: Outcome) -> [String] {
    changes += outcome.changes
    let time = zone.local(at: now.utc).civil.iso8601Time.prefix(5)
    return outcome.events.filter { $0.type != .recordChanged }.map { event in
      let reason = event.facts["reason"]?.stringContent.map { " " + $0 } ?? ""
      let isMissed = event.type == .absenceEnded && event.facts["isOutside"] == true
      return "\(time) \(event.type.rawValue.dropFirst(8))\(reason)\(isMissed ? "!" : "")"
    }
  }
}
