import Care
import JSON
import Moments
import Texts

/// Hearing tags, and what their silence means.
extension TagWatch {
  mutating func take(
    _ sighting: TagSighting, at now: Moment, _ outcome: inout Outcome
  ) {
    guard let tag = tags[sighting.tag], var record = records[sighting.tag],
      let hearer = hearers[sighting.hearer]
    else { return }
    let rules = tag.rules(settings)
    let heard = moment(of: sighting, at: now)
    // What lay about for longer than the tag's patience is no sign of life any more.
    let patience = rules.awaySeconds.multipliedClamped(by: 1000)
    guard now.tick.milliseconds(since: heard.tick) < patience else { return }
    if hearers.listens(hearer.id) == nil { beginListening(hearer.id, at: now) }
    var link = record.links[hearer.id] ?? TagLink()
    // Sightings of one device that arrive out of order are told by the newest.
    if let newest = link.signal.heard, heard.tick < newest.tick { return }
    let isLife = link.take(
      Double(sighting.strengthDBm) + hearer.offsetDB, at: heard, by: rules)
    record.links[hearer.id] = link
    if isLife { note(link, of: tag, by: hearer.id, at: heard, &record) }
    records[tag.id] = record
    ledger.touch(tag.id)
    if isLife { tellLife(tag, sighting.batteryPercent, &outcome) }
    settle(tag, at: now, &outcome)
  }

  /// When it was heard, which is not after now.
  private func moment(of sighting: TagSighting, at now: Moment) -> Moment {
    sighting.moment.tick < now.tick ? sighting.moment : now
  }

  /// Company is heard by the device that moves with the resident; where there is none, by any.
  private func note(
    _ link: TagLink, of tag: Tag, by hearer: SourceID, at heard: Moment,
    _ record: inout TagRecord
  ) {
    let hasCarried = hearers.hasCarried
    guard tag.kind.isPerson, !hasCarried || hearers.isCarried(hearer) else { return }
    if record.encounter == nil, link.presence == .near, let level = link.signal.levelDBm {
      record.encounter = OpenEncounter(
        at: heard, levelDBm: level, isHeardByResident: hasCarried)
    }
    guard let open = record.encounter, heard.tick >= open.lastHeard.tick else { return }
    record.encounter?.note(link, tag.calibration ?? .usual, at: heard)
  }

  // MARK: Time

  mutating func pass(
    _ id: TagID, until limit: Tick, at now: Moment, _ outcome: inout Outcome
  ) {
    guard let tag = tags[id] else { return }
    let rules = tag.rules(settings)
    for hearer in records[id]?.links.keys.sorted() ?? [] {
      records[id]?.links[hearer]?.pass(
        until: limit, by: rules, listening: hearers.listens(hearer), start: hearers.start)
    }
    ledger.touch(id)
    endEncounter(of: tag, until: limit, &outcome)
    settle(tag, at: now, &outcome)
    tellSilence(of: tag, until: limit, at: now, &outcome)
  }

  func deadline(of id: TagID) -> Tick? {
    guard let tag = tags[id], let record = records[id] else { return nil }
    let rules = tag.rules(settings)
    let links = record.links.compactMap {
      $1.deadline(rules, listening: hearers.listens($0), start: hearers.start)
    }
    return .soonest([
      links.min(), silenceDeadline(of: tag, record), encounterDeadline(record),
      roomDeadline(of: tag, record),
    ])
  }

  mutating func settleAll(at now: Moment, _ outcome: inout Outcome) {
    for id in records.keys.sorted() {
      if let tag = tags[id] { settle(tag, at: now, &outcome) }
    }
  }

  /// Tells what is news about one tag.
  func settled(_ record: TagRecord) -> TagPresence { record.presence(at: hearers.isKnown) }

  private mutating func settle(
    _ tag: Tag, at now: Moment, _ outcome: inout Outcome
  ) {
    guard let record = records[tag.id] else { return }
    let presence = settled(record)
    let before = record.told
    if presence != before {
      records[tag.id]?.told = presence
      ledger.touch(tag.id)
      outcome.events.append(
        events.changed(
          tag, from: before, to: presence, withResident: record.presence(at: hearers.isCarried),
          heard: record.heard, at: now))
      if tag.kind == .caregiver, presence.isHeard != before.isHeard {
        outcome.events.append(events.caregiver(tag, presence))
      }
    }
    judgeRoom(of: tag, at: now, &outcome)
    if tag.kind == .home { judgeHome(tag, &outcome) }
  }

  // MARK: The home tag

  /// Says to tracking what the device with the resident hears, when it is news, and every ten seconds while heard.
  private mutating func judgeHome(_ tag: Tag, _ outcome: inout Outcome) {
    guard let record = records[tag.id] else { return }
    let presence = record.presence(at: hearers.isCarried)
    let state: HomeTagVerdict.State =
      switch presence {
      case .near, .room: .heard
      case .away: .silent
      case .unknown: .unknown
      }
    let heard = record.links.filter { hearers.isCarried($0.key) }.compactMap(\.value.signal.heard)
      .max { $0.tick < $1.tick }
    let verdict = HomeTagVerdict(
      tag: tag.id, name: tag.name, zone: tag.zone, state: state, heard: heard?.moment,
      holdSeconds: tag.rules(settings).awaySeconds)
    if verdicts.say(verdict) { outcome.signals.append(.homeTag(verdict, of: resident.id)) }
  }

  // MARK: Rooms

  /// For how long a room counts after it heard a tag.
  private func freshMilliseconds(_ tag: Tag) -> Int64 {
    tag.rules(settings).awaySeconds.multipliedClamped(by: 1000)
  }

  private func roomDeadline(of tag: Tag, _ record: TagRecord) -> Tick? {
    guard let room = record.rooms.room else { return nil }
    let heard = record.roomLevels(at: hearers).filter { $0.room == room }.map(\.heard).max()
    return heard?.advanced(byMilliseconds: freshMilliseconds(tag).addedClamped(1))
  }

  private mutating func judgeRoom(
    of tag: Tag, at now: Moment, _ outcome: inout Outcome
  ) {
    guard tag.kind != .room, tag.kind != .home, let record = records[tag.id] else { return }
    let before = record.rooms.room
    let levels = record.roomLevels(at: hearers)
    guard before != nil || !levels.isEmpty else { return }
    var rooms = record.rooms
    let isChanged = rooms.judge(
      levels, marginDB: Double(settings.roomMarginDB),
      freshMilliseconds: freshMilliseconds(tag), at: now)
    records[tag.id]?.rooms = rooms
    guard isChanged else { return }
    ledger.touch(tag.id)
    outcome.events.append(events.roomChanged(tag, from: before, to: rooms.room))
  }
}
