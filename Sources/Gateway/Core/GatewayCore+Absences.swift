import Absences
public import Care
import CivilTime
public import JSON
public import Moments
import Reminders
import Texts
import Tracking

extension GatewayCore {
  // MARK: Planned absences

  mutating func perform(
    _ request: AbsenceRequest, _ command: Command, at now: Moment, in step: inout Step
  ) throws(CommandReply.Refusal) -> JSONValue {
    let world = worldOfZones(at: now)
    let old = absences.absence(AbsenceID(request.target))
    if case .put(let absence) = request {
      try Validation.id(absence.id.rawValue, of: "absence")
      try Validation.name(absence.name)
      try directory.requireResident(absence.resident)
    }
    let outcome = try absences.perform(request, in: world)
    if let absence = absences.absence(AbsenceID(request.target)) ?? old {
      step.note(
        request.action, request.target, of: absence.resident, by: command.principal, absence.json)
    }
    step.take(outcome)
    guard case .put(let absence) = request else { return outcome.reply }
    let due = routineDue(during: absence, world)
    return outcome.reply.setting("routine", to: .array(due))
  }

  /// Looks at where everybody is and what time it is.
  mutating func advanceAbsences(at now: Moment, in step: inout Step) {
    if absences.isEmpty { return }
    step.take(absences.look(in: worldOfZones(at: now)))
  }

  /// What alarms hear of an event about zones: whether somebody expected that the resident went out.
  mutating func expected(_ draft: EventDraft, at now: Moment, in step: inout Step) -> EventDraft {
    guard case .zone(let news, let resident)? = draft.signal, news.mayMove,
      absences.hasAbsence(resident)
    else { return draft }
    advanceAbsences(at: now, in: &step)
    guard case .left(let zone, _) = news.change, news.isOutside else { return draft }
    let language = language(of: resident)
    guard now.quality.isTrusted else {
      return draft.adding(
        Message("While nobody knows the time, no planned absence explains it."), in: language)
    }
    guard let found = absences.expectation(of: resident, at: now) else { return draft }
    var told = draft.adding(
      Message(
        "It is expected: {absence}, until {time}.",
        ["absence": found.absence.name, "time": found.absence.until.text]), in: language)
    told.facts = told.facts.setting("isExpected", to: true)
      .setting("absence", to: .string(found.absence.id.rawValue))
      .setting("absenceName", to: .string(found.absence.name))
      .setting("until", to: .string(found.window.until.iso8601))
      .setting("untilLocal", to: .string(found.absence.until.text))
    told.signal = .zone(
      ZoneNews(
        .left(zone, isExpected: true), isOutside: true,
        explanation: told.facts["explanation"]?.stringContent ?? ""), of: resident)
    return told
  }

  /// The world, with where everybody is.
  private func worldOfZones(at now: Moment) -> World {
    var world = world(at: now)
    world.whereabouts = directory.residents.mapValues { resident in
      let tracker = trackers[resident.id].flatMap { $0.isOn ? $0 : nil }
      let zones = directory.zones(of: resident.id).map { ($0.id, $0.isHome) }
      return World.Whereabouts(
        safeZones: Dictionary(zones, uniquingKeysWith: { first, _ in first }),
        inside: Set(tracker?.zonesInside ?? []), isOutside: tracker?.isOutside ?? false)
    }
    return world
  }

  /// What the resident is to do or take while they are away, so that somebody thinks of it: `[{item, title, kind, times:
  /// ["12:00"]}]` of the coming times of the absence.
  private func routineDue(during absence: Absence, _ world: World) -> [JSONValue] {
    let windows = absences.windows(of: absence, count: 7, in: world)
    guard let zone = world.people[absence.resident]?.zone, !windows.isEmpty else { return [] }
    let due = windows.flatMap { window in
      reminders.dueTimes(of: absence.resident, from: window.from, through: window.until)
    }
    let items = Dictionary(grouping: due, by: \.item.id)
    return items.sorted { $0.key < $1.key }.compactMap { id, found in
      guard let item = found.first?.item else { return nil }
      let times = Set(found.map { String(zone.local(at: $0.due).civil.iso8601Time.prefix(5)) })
      return [
        "item": .string(id.rawValue), "title": .string(item.title),
        "kind": .string(item.kind.rawValue),
        "times": .array(times.sorted().map { .string($0) }),
      ]
    }
  }

  // MARK: Views

  /// The planned absences of a resident, or of all when nil; see `absences.list`.
  public func absenceSummaries(of resident: ResidentID?, at now: Moment) -> [JSONValue] {
    absences.summaries(of: resident, in: worldOfZones(at: now))
  }

  /// The absence that is on, for `homeward status`; nil where none is, or where nobody is shown where the resident is.
  func presentAbsence(of resident: ResidentID) -> JSONValue? {
    guard !consents.isRefused(.location, by: resident) else {
      return nil
    }
    return absences.present(of: resident)
  }
}

extension EventDraft {
  /// The same event with one more sentence behind its explanation.
  fileprivate func adding(_ sentence: Message, in language: Language) -> EventDraft {
    var told = self
    let words = [facts["explanation"]?.stringContent, sentence.text(in: language)]
    let explanation = words.compactMap { $0 }.joined(separator: " ")
    told.facts = facts.setting("explanation", to: .string(explanation))
    if case .zone(var news, let resident)? = signal {
      news.explanation = explanation
      told.signal = .zone(news, of: resident)
    }
    return told
  }
}
