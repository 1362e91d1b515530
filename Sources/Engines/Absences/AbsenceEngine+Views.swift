public import Care
import CivilTime
public import JSON
import Moments
import Texts

/// What others ask, and what is told.
extension AbsenceEngine {
  /// What explains now that a resident is out, as the last look found it: of several the one that lasts longest; nil where
  /// nothing does, or while the clock is not trusted.
  func expectation(of resident: ResidentID, at now: Moment) -> Expectation? {
    guard now.quality.isTrusted else { return nil }
    return longest { $0.absence.resident == resident && $1.window.contains(now.utc) }
  }

  private func longest(
    where isMeant: (PlannedAbsence, PlannedAbsence.Visit) -> Bool
  ) -> Expectation? {
    Expectation.longest(
      sorted.compactMap { known -> Expectation? in
        guard let visit = known.visit, !visit.isSpent, isMeant(known, visit) else { return nil }
        return Expectation(absence: known.absence, window: visit.window, isAway: visit.isAway)
      })
  }

  /// Whether a resident has any planned absence, which nobody can judge while the clock is not trusted.
  func hasAbsence(_ resident: ResidentID) -> Bool {
    planned.values.contains { $0.absence.resident == resident }
  }

  /// Shows for everybody of whom anything was planned whether it explains that they are out.
  public func show(_ view: World.View, in world: inout World) {
    guard view == .plans else { return }
    for resident in Set(planned.values.map(\.absence.resident)) {
      world.plans[resident] = plan(of: resident, in: world)
    }
  }

  private func plan(of resident: ResidentID, in world: World) -> World.Plan {
    guard world.now.quality.isTrusted else { return .unknown }
    let own = sorted.filter { $0.absence.resident == resident }
    let longest = Expectation.longest(own.compactMap { running($0, in: world) })
    return longest.map { .absence($0.absence, until: $0.window.until) } ?? World.Plan.none
  }

  /// The time of an absence that is on and not spent, also where no look has opened it yet.
  private func running(_ known: PlannedAbsence, in world: World) -> Expectation? {
    let now = world.now.utc
    if let visit = known.visit, visit.window.contains(now) {
      guard !visit.isSpent else { return nil }
      return Expectation(absence: known.absence, window: visit.window, isAway: visit.isAway)
    }
    guard let window = times(known.absence, world)?.window(atOrAfter: now), window.contains(now)
    else { return nil }
    return Expectation(absence: known.absence, window: window, isAway: false)
  }

  /// Whom a request concerns; nil for an absence that is not known.
  public func resident(concernedBy request: Command.Request) -> ResidentID? {
    switch request {
    case .absence(.put(let absence)): absence.resident
    case .absence(.remove(let id)): planned[id]?.absence.resident
    default: nil
    }
  }

  /// The coming times of an absence, the one that is on first, at most `count`; none while the clock is not trusted.
  func windows(of absence: Absence, count: Int, in world: World) -> [AbsenceWindow] {
    guard world.now.quality.isTrusted else { return [] }
    return times(absence, world)?.windows(atOrAfter: world.now.utc, count: count) ?? []
  }

  /// The absences of a resident, or of all when nil: what is on or comes next first.
  ///
  /// The absence's own members, `isOn`, and `nextFrom` and `nextUntil` of the time that is on, else of the next.
  public func summaries(of resident: ResidentID?, in world: World) -> [JSONValue] {
    let shown = sorted.filter { resident == nil || $0.absence.resident == resident }
    let never = Timestamp(milliseconds: .max)
    return shown.map { known in
      (
        windows(of: known.absence, count: 1, in: world).first?.from ?? never,
        summary(known.absence, in: world)
      )
    }.sorted { $0.0 < $1.0 }.map(\.1)
  }

  func summary(_ absence: Absence, in world: World) -> JSONValue {
    let next = windows(of: absence, count: 1, in: world).first
    let isOn = planned[absence.id]?.counts == true && world.now.quality.isTrusted
    let json = absence.json.setting("isOn", to: .bool(isOn))
    guard let next else { return json }
    return json.setting("nextFrom", to: .string(next.from.iso8601))
      .setting("nextUntil", to: .string(next.until.iso8601))
  }

  /// What `homeward status` shows of an absence that is on, as the last look found it: `{absence, name, from, until, untilLocal, limit, zone?,
  /// isAway}`; nil where none is.
  public func present(of resident: ResidentID) -> JSONValue? {
    guard isClockTrusted else { return nil }
    return longest { known, _ in known.absence.resident == resident }.map { found in
      .object([
        "absence": .string(found.absence.id.rawValue), "name": .string(found.absence.name),
        "from": .string(found.window.from.iso8601), "until": .string(found.window.until.iso8601),
        "untilLocal": .string(found.absence.until.text),
        "limit": .string(found.window.limit.iso8601),
        "zone": found.absence.zone.map { .string($0.rawValue) }, "isAway": .bool(found.isAway),
      ])
    }
  }

  // MARK: Events

  func began(
    _ absence: Absence, _ window: AbsenceWindow, _ person: Absentee, isAsked: Bool
  ) -> EventDraft {
    let sentence = Message(
      "{name} is expected to be out: {absence}, until {time}.",
      ["name": person.name, "absence": absence.name, "time": absence.until.text])
    return draft(
      .absenceBegan, .record, absence, window, .began(isAsked: isAsked),
      isOutside: person.isOutside, sentence.text(in: person.language),
      JSONMember(key: "isAsked", value: .bool(isAsked)))
  }

  func ended(
    _ absence: Absence, _ window: AbsenceWindow, _ person: Absentee,
    _ reason: AbsenceEnd, isOutside: Bool = false
  ) -> EventDraft {
    let sentence = reason.sentence(
      ["name": person.name, "absence": absence.name, "time": absence.until.text])
    let out =
      isOutside && reason != .overdue
      ? " "
        + Message("{name} is outside of all safe zones.", ["name": person.name])
        .text(in: person.language) : ""
    return draft(
      .absenceEnded, isOutside ? .alarm : .record, absence, window,
      .ended(isOverdue: reason == .overdue), isOutside: isOutside,
      sentence.text(in: person.language) + out,
      JSONMember(key: "reason", value: .string(reason.rawValue)))
  }

  private func draft(
    _ type: EventType, _ lane: Lane, _ absence: Absence, _ window: AbsenceWindow,
    _ change: AbsenceNews.Change, isOutside: Bool, _ explanation: String, _ member: JSONMember
  ) -> EventDraft {
    var common = [
      JSONMember(key: "absence", value: .string(absence.id.rawValue)),
      JSONMember(key: "absenceName", value: .string(absence.name)),
      JSONMember(key: "from", value: .string(window.from.iso8601)),
      JSONMember(key: "until", value: .string(window.until.iso8601)),
      JSONMember(key: "untilLocal", value: .string(absence.until.text)),
    ]
    if let zone = absence.zone {
      common.append(JSONMember(key: "zone", value: .string(zone.rawValue)))
    }
    common.append(JSONMember(key: "isOutside", value: .bool(isOutside)))
    common += [member, JSONMember(key: "explanation", value: .string(explanation))]
    let news = AbsenceNews(
      change, absence: absence.id, name: absence.name, untilLocal: absence.until.text,
      isOutside: isOutside, explanation: explanation)
    return EventDraft(
      type: type, lane: lane, resident: absence.resident, facts: .object(common),
      signal: .absence(news, of: absence.resident))
  }
}

/// Why an absence counts no longer.
enum AbsenceEnd: String, CaseIterable {
  /// Its time is over, and nobody is missed.
  case over
  /// Its time is over, and the resident is out still.
  case overdue
  /// The resident came home.
  case returned
  /// Somebody removed it.
  case removed
  /// Somebody changed it, and it is not on any more.
  case changed
  /// Nobody knows the time, or it was another one than the gateway believed.
  case clock

  /// The end in words.
  func sentence(_ values: Message.Values) -> Message {
    switch self {
    case .over: Message("The planned absence of {name}, {absence}, is over.", values)
    case .overdue: Message("{name} was expected back from {absence} at {time}.", values)
    case .returned:
      Message("{name} came home from {absence}; going out again is no part of it.", values)
    case .removed: Message("The planned absence of {name}, {absence}, was removed.", values)
    case .changed:
      Message("The planned absence of {name}, {absence}, was changed and is not now.", values)
    case .clock:
      Message(
        "Nobody knows the time, so the planned absence of {name}, {absence}, explains nothing.",
        values)
    }
  }
}
