import Care
import CivilTime
import JSON
import Moments
import Texts

/// Tells what was found about zones, in events that explain themselves.
struct ZoneEvents {
  let subject: TrackingSubject
  /// What explains that the resident is out; nil where nothing was planned.
  let plan: World.Plan?
  /// Whether the resident is outside of all zones that count, once what is told has happened.
  let isOutside: Bool
  /// The names of the zones that count and that the resident is in, by id.
  let namesInside: [String]
  /// When the resident left home; nil while there, or when leaving was not seen.
  let leftHome: Stamp?

  private var resident: Resident { subject.resident }
  private var settings: TrackingSettings { subject.settings }

  func awaySeconds(at now: Moment) -> Int64? {
    leftHome.map { wholeSeconds($0.age(at: now)) }
  }

  // MARK: Hours

  func turned(
    _ zone: SafeZone, isCounted: Bool, isInside: Bool, isFoundOut: Bool
  ) -> EventDraft {
    let isExpected: Bool = if case .absence? = plan { true } else { false }
    var words = hours(of: zone, isCounted: isCounted).text(in: settings.language)
    if isFoundOut {
      words +=
        " "
        + Message("{name} is outside of all safe zones.", ["name": resident.name])
        .text(in: settings.language)
    }
    return subject.draft(
      .zoneChanged, isFoundOut ? .alarm : .record,
      [
        "severity": "notice", "zone": .string(zone.id.rawValue), "zoneName": .string(zone.name),
        "change": .string(isCounted ? "hours-began" : "hours-over"),
        "alarmOnLeaving": .bool(zone.alarmsOnLeaving), "isOutside": .bool(isOutside),
        "isRemote": false, "explanation": .string(words),
      ],
      means: .zone(
        ZoneNews(
          .turned(
            ZoneNews.Zone(zone), counts: isCounted, isInside: isInside, isExpected: isExpected),
          isOutside: isFoundOut, explanation: words), of: resident.id))
  }

  private func hours(of zone: SafeZone, isCounted: Bool) -> Message {
    let values: Message.Values = [
      "name": resident.name, "zone": quoted(zone.name), "hours": zone.hours?.text ?? "",
    ]
    return isCounted
      ? Message("{zone} counts as safe for {name} now ({hours}).", values)
      : Message("{zone} does not count as safe for {name} any more ({hours}).", values)
  }

  // MARK: Entered and left

  func entered(
    _ zone: SafeZone, _ seen: ZoneFix, _ before: ZoneState, at now: Moment
  ) -> EventDraft {
    let away = zone.isHome ? awaySeconds(at: now) : nil
    let outside = before.since.map { wholeSeconds($0.age(at: now)) }
    let values: Message.Values = [
      "name": resident.name, "zone": quoted(zone.name),
      "away": away.map { duration(seconds: $0) } ?? Message(verbatim: ""),
      "distance": settings.length(seen.distanceMeters),
      "radius": settings.length(zone.radiusMeters),
    ]
    let sentence = ZoneWords(zone).entered(hasBeenAway: away != nil, values)
    return draft(
      .zoneEntered, zone, .inside, seen.fix,
      [
        "distanceMeters": fact(seen.distanceMeters),
        "thresholdMeters": fact(zone.edgeDistanceMeters), "fixes": .array([fixFact(seen)]),
        "outsideSeconds": outside.map(JSONValue.integer),
        "awaySeconds": away.map(JSONValue.integer), "explanation": subject.explain(sentence),
      ], means: .entered(ZoneNews.Zone(zone)))
  }

  func left(_ zone: SafeZone, _ exit: ZoneExit, at now: Moment) -> EventDraft {
    let newest = exit.fixes.last
    let first = exit.fixes.first?.fix.stamp
    let confirmed = newest.flatMap { newest in
      first.map { wholeSeconds(newest.fix.stamp.tick.milliseconds(since: $0.tick)) }
    }
    let threshold = zone.edgeDistanceMeters + zone.exitMarginMeters + exit.cappedDoubtMeters
    let words = explanation(zone, exit, confirmed ?? 0).text(in: settings.language) + stillInside()
    let draft = draft(
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
    let distances = exit.fixes.map {
      settings.length($0.distanceMeters).text(in: settings.language)
    }
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
        ["distance": settings.length(exit.cappedDoubtMeters)])
      : settings.doubt(exit.fixes.last?.fix.accuracyMeters)
    return ZoneWords(zone).left(
      [
        "name": resident.name, "zone": quoted(zone.name), "count": word(exit.fixes.count),
        "apart": apart, "listed": listed, "radius": settings.length(zone.radiusMeters),
        "margin": settings.length(zone.exitMarginMeters), "doubted": doubted,
      ])
  }

  /// That somebody is still in another zone is why leaving this one alarms nobody.
  private func stillInside() -> String {
    guard !namesInside.isEmpty else { return "" }
    return " "
      + Message(
        "{name} is still in {zones}.",
        ["name": resident.name, "zones": namesInside.map(quoted).joined(separator: ", ")]
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

  func uncertain(
    _ zone: SafeZone, _ doubtful: ZoneState, at now: Moment
  ) -> EventDraft {
    let fix = doubtful.doubtfulFix
    let isUnconfirmed = doubtful.settled == .inside && !doubtful.outsideFixes.isEmpty
    let since =
      isUnconfirmed ? doubtful.outsideFixes.first?.stamp : doubtful.unsureSince
    let seconds = since.map { wholeSeconds($0.age(at: now)) } ?? 0
    let distance = fix.map { ZoneFix($0, seenFrom: zone).distanceMeters }
    let basis = ZoneWords(zone).doubted(
      isUnconfirmed: isUnconfirmed,
      [
        "distance": settings.length(distance ?? 0), "duration": duration(seconds: seconds),
        "doubt": settings.doubt(fix?.accuracyMeters),
      ])
    return draft(
      .zoneUncertain, zone, nil, fix,
      [
        "basis": .string(isUnconfirmed ? "unconfirmed-exit" : "near-border"),
        "distanceMeters": fact(distance), "doubtSeconds": .integer(seconds),
        "lastFixAgeSeconds": fix.map { .integer(wholeSeconds($0.stamp.age(at: now))) },
        "lastPresence": (doubtful.settled?.rawValue).map(JSONValue.string),
        "explanation": subject.explain(
          Message(
            "It cannot be said whether {name} is in {zone}: {basis}.",
            ["name": resident.name, "zone": quoted(zone.name), "basis": basis])),
      ])
  }

  func certain(
    _ zone: SafeZone, _ seen: ZoneFix, _ presence: Presence, _ before: ZoneState
  ) -> EventDraft {
    let why =
      before.isUncertain
      ? Message("It is certain again") : Message("Since the zone was changed")
    let values: Message.Values = [
      "why": why, "name": resident.name, "zone": quoted(zone.name),
      "distance": settings.length(seen.distanceMeters),
    ]
    let sentence = ZoneWords(zone).certain(isInside: presence == .inside, values)
    return draft(
      .zoneCertain, zone, presence, seen.fix,
      [
        "basis": .string(before.isUncertain ? "doubt-over" : "zone-changed"),
        "distanceMeters": fact(seen.distanceMeters), "fixes": .array([fixFact(seen)]),
        "explanation": subject.explain(sentence),
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
    return draft(
      .zoneCertain, zone, settlement.presence, settlement.seen?.fix,
      [
        "basis": "zone-changed", "distanceMeters": fact(settlement.seen?.distanceMeters),
        "fixes": settlement.seen.map { .array([fixFact($0)]) },
        "explanation": subject.explain(sentence),
      ], means: .certain(ZoneNews.Zone(zone), isInside: settlement.presence == .inside))
  }

  func crossed(
    _ zone: SafeZone, _ step: ZoneStep, _ closest: Double
  ) -> EventDraft {
    let ends = [step.pathStart, step.fix].compactMap { $0 }.map {
      ZoneFix($0, seenFrom: zone)
    }
    return draft(
      .zoneCrossed, zone, .outside, step.fix,
      [
        "distanceMeters": fact(ends.last?.distanceMeters), "closestMeters": fact(closest),
        "fixes": .array(ends.map(fixFact)),
        "explanation": subject.explain(
          ZoneWords(zone).crossed([
            "name": resident.name, "zone": quoted(zone.name), "distance": settings.length(closest),
          ])),
      ])
  }

  // MARK: Facts

  /// An alarm-lane event about a zone; without a presence nobody can say.
  ///
  /// `isOutside` says whether the resident is outside of all zones once everything of this step is settled: being so is
  /// what the alarm is about, and not the zone.
  func draft(
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
      "shape": zone.polygon == nil ? nil : "polygon", "radiusMeters": fact(zone.radiusMeters),
      "exitMarginMeters": fact(zone.exitMarginMeters),
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
