import Care
import CivilTime
import JSON
import Moments
import Texts

/// Turns what was found about zones into events that explain themselves.
extension Tracker {
  mutating func tell(
    _ finding: ZoneFinding, at now: Moment, _ outcome: inout Outcome
  ) {
    switch finding {
    case .entered(let zone, let seen, let before):
      outcome.events.append(entered(zone, seen, before, at: now))
      if zone.isHome { state.session.leftHome = nil }
    case .left(let zone, let exit):
      noteLeaving(zone, exit)
      outcome.events.append(left(zone, exit, at: now))
      doubtHomeTags(after: exit, from: zone, at: now, &outcome)
    case .uncertain(let zone, let doubtful):
      outcome.events.append(uncertain(zone, doubtful, at: now))
      burst(at: now, &outcome)
    case .certain(let zone, let seen, let presence, let before):
      outcome.events.append(certain(zone, seen, presence, before))
      forgetLeavingWhenHome()
    case .crossed(let zone, let step, let closest):
      outcome.events.append(crossed(zone, step, closest))
    case .suspected: burst(at: now, &outcome)
    }
  }

  /// The time away counts from the first fix outside, unless another home is still around the resident.
  private mutating func noteLeaving(_ zone: SafeZone, _ exit: ZoneExit) {
    let isStillHome = zones.inside.contains {
      $0 != zone.id && (zones.zone($0)?.isHome ?? false)
    }
    guard zone.isHome, !isStillHome else { return }
    state.session.leftHome = exit.fixes.first?.fix.stamp
  }

  // MARK: Entered and left

  private func entered(
    _ zone: SafeZone, _ seen: ZoneFix, _ before: ZoneState, at now: Moment
  ) -> EventDraft {
    let away = zone.isHome ? awaySeconds(at: now) : nil
    let outside = before.since.map { wholeSeconds($0.age(at: now)) }
    let values: Message.Values = [
      "name": resident.name, "zone": quoted(zone.name),
      "away": away.map { duration(seconds: $0) } ?? Message(verbatim: ""),
      "distance": metres(seen.distanceMeters), "radius": metres(zone.radiusMeters),
    ]
    let sentence =
      away == nil
      ? Message(
        "{name} came into {zone}: the position is {distance} from its centre, "
          + "within the {radius} radius.", values)
      : Message(
        "{name} came into {zone} after {away} away: the position is {distance} from its centre, "
          + "within the {radius} radius.", values)
    return zoneDraft(
      .zoneEntered, zone, .inside, seen.fix,
      [
        "distanceMeters": fact(seen.distanceMeters),
        "thresholdMeters": fact(zone.radiusMeters), "fixes": .array([fixFact(seen)]),
        "outsideSeconds": outside.map(JSONValue.integer),
        "awaySeconds": away.map(JSONValue.integer), "explanation": explain(sentence),
      ], means: .entered(ZoneNews.Zone(zone)))
  }

  private func left(_ zone: SafeZone, _ exit: ZoneExit, at now: Moment) -> EventDraft {
    let newest = exit.fixes.last
    let first = exit.fixes.first?.fix.stamp
    let confirmed = newest.flatMap { newest in
      first.map { wholeSeconds(newest.fix.stamp.tick.milliseconds(since: $0.tick)) }
    }
    let threshold = zone.radiusMeters + zone.exitMarginMeters + exit.cappedDoubtMeters
    let words = explanation(zone, exit, confirmed ?? 0).text(in: settings.language) + stillInside()
    let draft = zoneDraft(
      .zoneLeft, zone, .outside, newest?.fix,
      [
        "distanceMeters": fact(newest?.distanceMeters),
        "accuracyUsedMeters": fact(exit.cappedDoubtMeters),
        "accuracyCapMeters": fact(settings.exitAccuracyCapMeters),
        "thresholdMeters": fact(threshold), "fixes": .array(exit.fixes.map(fixFact)),
        "confirmedAfterSeconds": confirmed.map(JSONValue.integer),
        "insideSeconds": insideSeconds(exit, first),
        "awaySeconds": zone.isHome ? awaySeconds(at: now).map(JSONValue.integer) : nil,
        "explanation": .string(words),
      ], means: .left(ZoneNews.Zone(zone), isExpected: false))
    return isOutside ? planned(draft, zone, words) : draft
  }

  /// Says whether somebody expected that the resident goes out.
  private func planned(_ draft: EventDraft, _ zone: SafeZone, _ words: String) -> EventDraft {
    guard let plan else { return draft }
    var (draft, words) = (draft, words)
    var isExpected = false
    switch plan {
    case .none: return draft
    case .unknown:
      words +=
        " "
        + Message("While nobody knows the time, no planned absence explains it.")
        .text(in: settings.language)
    case .absence(let absence, let until):
      isExpected = true
      words +=
        " "
        + Message(
          "It is expected: {absence}, until {time}.",
          ["absence": absence.name, "time": absence.until.text]
        ).text(in: settings.language)
      draft.facts = draft.facts.setting("isExpected", to: true)
        .setting("absence", to: .string(absence.id.rawValue))
        .setting("absenceName", to: .string(absence.name))
        .setting("until", to: .string(until.iso8601))
        .setting("untilLocal", to: .string(absence.until.text))
    }
    draft.facts = draft.facts.setting("explanation", to: .string(words))
    draft.signal = .zone(
      ZoneNews(
        .left(ZoneNews.Zone(zone), isExpected: isExpected), isOutside: true, explanation: words),
      of: resident.id)
    return draft
  }

  private func insideSeconds(_ exit: ZoneExit, _ first: Stamp?) -> JSONValue? {
    guard let since = exit.before.since, let first, !since.isEstimated else { return nil }
    return .integer(wholeSeconds(max(0, first.tick.milliseconds(since: since.tick))))
  }

  private func explanation(_ zone: SafeZone, _ exit: ZoneExit, _ seconds: Int64) -> Message {
    let apart =
      exit.fixes.count == 2
      ? Message("{seconds} s apart", ["seconds": seconds])
      : Message("within {seconds} s", ["seconds": seconds])
    let distances = exit.fixes.map { metres($0.distanceMeters).text(in: settings.language) }
    let listed = Message(
      "{distances} and {last}",
      [
        "distances": distances.dropLast().joined(separator: ", "), "last": distances.last ?? "",
      ])
    let capped = exit.fixes.last.map { $0.fix.doubtMeters(settings) > exit.cappedDoubtMeters }
    let doubted =
      capped == true
      ? Message(
        "{distance} of doubt, which is the most that counts",
        ["distance": metres(exit.cappedDoubtMeters)])
      : doubt(exit.fixes.last?.fix.accuracyMeters, assumed: settings.assumedAccuracyMeters)
    return Message(
      "{name} left {zone}: {count} positions in a row, {apart}, were {listed} from its centre, "
        + "beyond the {radius} radius plus {margin} margin and {doubted}.",
      [
        "name": resident.name, "zone": quoted(zone.name), "count": word(exit.fixes.count),
        "apart": apart, "listed": listed, "radius": metres(zone.radiusMeters),
        "margin": metres(zone.exitMarginMeters), "doubted": doubted,
      ])
  }

  /// That somebody is still in another zone is why leaving this one alarms nobody.
  private func stillInside() -> String {
    let names = zones.inside.compactMap { zones.zone($0)?.name }
    guard !names.isEmpty else { return "" }
    return " "
      + Message(
        "{name} is still in {zones}.",
        ["name": resident.name, "zones": names.map(quoted).joined(separator: ", ")]
      ).text(in: settings.language)
  }

  private func word(_ count: Int) -> Message {
    switch count {
    case 2: Message("two", context: "positions")
    case 3: Message("three", context: "positions")
    case 4: Message("four", context: "positions")
    case 5: Message("five", context: "positions")
    default: Message(verbatim: String(count))
    }
  }

  // MARK: Doubt

  private func uncertain(
    _ zone: SafeZone, _ doubtful: ZoneState, at now: Moment
  ) -> EventDraft {
    let fix = doubtful.doubtfulFix
    let isUnconfirmed = doubtful.settled == .inside && !doubtful.outsideFixes.isEmpty
    let since =
      isUnconfirmed ? doubtful.outsideFixes.first?.stamp : doubtful.unsureSince
    let seconds = since.map { wholeSeconds($0.age(at: now)) } ?? 0
    let distance = fix.map { zone.center.distanceMeters(to: $0.coordinate) }
    let basis =
      isUnconfirmed
      ? Message(
        "one position {distance} from its centre was outside, "
          + "and for {duration} none has confirmed or refuted it",
        ["distance": metres(distance ?? 0), "duration": duration(seconds: seconds)])
      : Message(
        "for {duration} positions have been too near to its border, "
          + "the last {distance} from its centre, for their {doubt}",
        [
          "distance": metres(distance ?? 0), "duration": duration(seconds: seconds),
          "doubt": doubt(fix?.accuracyMeters, assumed: settings.assumedAccuracyMeters),
        ])
    return zoneDraft(
      .zoneUncertain, zone, nil, fix,
      [
        "basis": .string(isUnconfirmed ? "unconfirmed-exit" : "near-border"),
        "distanceMeters": fact(distance), "doubtSeconds": .integer(seconds),
        "lastFixAgeSeconds": fix.map { .integer(wholeSeconds($0.stamp.age(at: now))) },
        "lastPresence": (doubtful.settled?.rawValue).map(JSONValue.string),
        "explanation": explain(
          Message(
            "It cannot be said whether {name} is in {zone}: {basis}.",
            ["name": resident.name, "zone": quoted(zone.name), "basis": basis])),
      ])
  }

  private func certain(
    _ zone: SafeZone, _ seen: ZoneFix, _ presence: Presence, _ before: ZoneState
  ) -> EventDraft {
    let why =
      before.isUncertain
      ? Message("It is certain again") : Message("Since the zone was changed")
    let values: Message.Values = [
      "why": why, "name": resident.name, "zone": quoted(zone.name),
      "distance": metres(seen.distanceMeters),
    ]
    let sentence =
      presence == .inside
      ? Message("{why}: {name} is in {zone}, {distance} from its centre.", values)
      : Message("{why}: {name} is outside of {zone}, {distance} from its centre.", values)
    return zoneDraft(
      .zoneCertain, zone, presence, seen.fix,
      [
        "basis": .string(before.isUncertain ? "doubt-over" : "zone-changed"),
        "distanceMeters": fact(seen.distanceMeters), "fixes": .array([fixFact(seen)]),
        "explanation": explain(sentence),
      ], means: .certain(ZoneNews.Zone(zone), isInside: presence == .inside))
  }

  /// What a changed list of zones settled.
  func certain(_ settlement: ZoneSettlement) -> EventDraft {
    let zone = settlement.zone
    let values: Message.Values = ["name": resident.name, "zone": quoted(zone.name)]
    let sentence =
      settlement.presence == .inside
      ? Message("Since the zones were changed: {name} is in {zone}.", values)
      : Message("Since the zones were changed: {name} is outside of {zone}.", values)
    return zoneDraft(
      .zoneCertain, zone, settlement.presence, settlement.seen?.fix,
      [
        "basis": "zone-changed", "distanceMeters": fact(settlement.seen?.distanceMeters),
        "fixes": settlement.seen.map { .array([fixFact($0)]) }, "explanation": explain(sentence),
      ], means: .certain(ZoneNews.Zone(zone), isInside: settlement.presence == .inside))
  }

  private func crossed(
    _ zone: SafeZone, _ step: ZoneStep, _ closest: Double
  ) -> EventDraft {
    let ends = [step.pathStart, step.fix].compactMap { $0 }.map {
      ZoneFix(fix: $0, distanceMeters: zone.center.distanceMeters(to: $0.coordinate))
    }
    return zoneDraft(
      .zoneCrossed, zone, .outside, step.fix,
      [
        "distanceMeters": fact(ends.last?.distanceMeters), "closestMeters": fact(closest),
        "fixes": .array(ends.map(fixFact)),
        "explanation": explain(
          Message(
            "{name} crossed {zone} between two positions: "
              + "the straight line between them passes {distance} from its centre.",
            ["name": resident.name, "zone": quoted(zone.name), "distance": metres(closest)])),
      ])
  }

  // MARK: Facts

  /// An alarm-lane event about a zone; without a presence nobody can say.
  ///
  /// `isOutside` says whether the resident is outside of all zones once everything of this step is settled: being so is
  /// what the alarm is about, and not the zone.
  func zoneDraft(
    _ type: EventType, _ zone: SafeZone, _ presence: Presence?, _ fix: AcceptedFix?,
    _ facts: KeyValuePairs<String, JSONValue?>, means change: ZoneNews.Change? = nil
  ) -> EventDraft {
    let common: JSONValue = .object([
      "zone": .string(zone.id.rawValue), "zoneName": .string(zone.name),
      "presence": .string(presence?.rawValue ?? "uncertain"), "isHome": .bool(zone.isHome),
      "isOutside": .bool(isOutside), "alarmOnLeaving": zone.alarmsOnLeaving ? true : nil,
      "latitude": (fix?.coordinate.latitudeDegrees).map(JSONValue.number),
      "longitude": (fix?.coordinate.longitudeDegrees).map(JSONValue.number),
      "accuracyMeters": fact(fix?.accuracyMeters),
      "assumedAccuracyMeters": fix != nil && fix?.accuracyMeters == nil
        ? fact(settings.assumedAccuracyMeters) : nil,
      "fixTime": fix.map { .string($0.time.iso8601) },
      "radiusMeters": fact(zone.radiusMeters), "exitMarginMeters": fact(zone.exitMarginMeters),
    ])
    let members =
      (common.objectContent ?? []) + (JSONValue.object(facts).objectContent ?? [])
    let news = change.map { change in
      let words = facts.first { $0.key == "explanation" }?.value?.stringContent
      return ZoneNews(change, isOutside: isOutside, explanation: words ?? "")
    }
    return EventDraft(
      type: type, lane: .alarm, resident: resident.id, facts: .object(members),
      signal: news.map { .zone($0, of: resident.id) })
  }

  private func fixFact(_ seen: ZoneFix) -> JSONValue {
    .object([
      "time": .string(seen.fix.time.iso8601),
      "timeQuality": .string(seen.fix.timeQuality.rawValue),
      "latitude": .number(seen.fix.coordinate.latitudeDegrees),
      "longitude": .number(seen.fix.coordinate.longitudeDegrees),
      "accuracyMeters": fact(seen.fix.accuracyMeters),
      "distanceMeters": fact(seen.distanceMeters),
    ])
  }
}
