import Care
import JSON
import Moments
import Texts

/// What is along when the resident goes out, and what stayed.
///
/// Judged a while after going out, by what is heard after it: what the device with the resident hears is along; what a
/// device at home hears, or the one with the resident no longer hears, stayed. Where nobody can say, nothing is said.
extension TagWatch {
  /// So long after going out a device at home may still hear what is carried through the garden.
  private static let gardenSeconds: Int64 = 15

  mutating func turn(isOut: Bool, at now: Moment, _ outcome: inout Outcome) {
    guard isOut != (session.wentOut != nil) else { return }
    session.wentOut = isOut ? Stamp(now) : nil
    session.turned = Stamp(now)
    session.isJudged = false
    for id in records.keys.sorted() {
      guard let verdict = records[id]?.outing else { continue }
      records[id]?.outing = nil
      ledger.touched.insert(id)
      if verdict == .left, let tag = tags[id] { outcome.events.append(over(tag, "home")) }
    }
  }

  /// When it can be judged; nil when nobody is out, or all is judged.
  var outingDeadline: Tick? {
    guard let due = session.wentOut?.tick(after: settings.leftWithoutDelaySeconds),
      !session.isJudged
    else { return nil }
    return due
  }

  mutating func judgeOuting(at now: Moment, _ outcome: inout Outcome) {
    guard let out = session.wentOut,
      out.tick(after: settings.leftWithoutDelaySeconds) <= now.tick
    else { return }
    session.isJudged = true
    for id in records.keys.sorted() {
      guard let tag = tags[id], tag.belongsAlong, let record = records[id] else { continue }
      guard let verdict = verdict(on: tag, record, since: out), verdict != record.outing else {
        continue
      }
      guard !(record.outing == .along && verdict == .left && !isMissed(record)) else { continue }
      records[id]?.outing = verdict
      ledger.touched.insert(id)
      switch verdict {
      case .left: outcome.events.append(left(tag, record, at: now))
      case .along: if record.outing == .left { outcome.events.append(over(tag, "along")) }
      }
    }
  }

  private func verdict(on tag: Tag, _ record: TagRecord, since out: Stamp) -> OutingVerdict? {
    if isHeard(record, after: out.tick, by: isCarried) { return .along }
    let garden = out.tick(after: Self.gardenSeconds)
    if isHeard(record, after: garden, by: isFixed) { return .left }
    return isMissed(record) && wasThere(record, before: out) ? .left : nil
  }

  private func isHeard(
    _ record: TagRecord, after tick: Tick, by hearers: (SourceID) -> Bool
  ) -> Bool {
    record.links.contains { hearer, link in
      hearers(hearer) && link.presence.isHeard && (link.signal.heard?.tick ?? tick) > tick
    }
  }

  /// Whether the device with the resident listens, knows the tag, and does not hear it.
  private func isMissed(_ record: TagRecord) -> Bool {
    record.presence(at: isCarried) == .away
  }

  private func wasThere(_ record: TagRecord, before out: Stamp) -> Bool {
    guard let heard = record.heard else { return false }
    let memory = settings.leftWithoutMemoryHours.multipliedClamped(by: 3_600_000)
    return out.tick.milliseconds(since: heard.tick) <= memory
  }

  // MARK: Telling

  private func left(_ tag: Tag, _ record: TagRecord, at now: Moment) -> EventDraft {
    let isAtHome = record.presence(at: isFixed).isHeard
    let seconds = record.heard.map { $0.age(at: now) / 1000 } ?? 0
    let values: Message.Values = [
      "name": resident.name, "tag": tag.name, "duration": duration(seconds),
    ]
    let sentence =
      switch (tag.kind.isPerson, isAtHome) {
      case (true, true):
        Message(
          "{name} went out and {tag} stayed at home. Ask {tag} whether somebody else is along, "
            + "or go after {name}.", values)
      case (true, false):
        Message(
          "{name} is out and {tag} has not been with them for {duration}. Ask {tag} whether "
            + "somebody else is along, or go after {name}.", values)
      case (false, true):
        Message(
          "{name} went out and left {tag} at home. Bring it after them, or be there when they come "
            + "back.", values)
      case (false, false):
        Message(
          "{name} is out without {tag}, which was last with them {duration} ago. Bring it after "
            + "them, or be there when they come back.", values)
      }
    return draft(
      .leftWithout, .alarm, about: tag,
      [
        "isHeardAtHome": .bool(isAtHome), "room": record.rooms.room.map(JSONValue.string),
        "lastHeardAt": record.heard.map { .string($0.utc.iso8601) },
        "lastHeardSeconds": .integer(seconds),
        "wentOutAt": session.wentOut.map { .string($0.utc.iso8601) },
        "explanation": explain(sentence),
      ], isNews: true)
  }

  private func over(_ tag: Tag, _ reason: String) -> EventDraft {
    let values: Message.Values = ["name": resident.name, "tag": tag.name]
    let sentence =
      reason == "home"
      ? Message("{name} is back home, where {tag} was left.", values)
      : Message("{name} has {tag} along after all.", values)
    return draft(
      .leftWithoutOver, .alarm, about: tag,
      ["reason": .string(reason), "explanation": explain(sentence)])
  }
}
