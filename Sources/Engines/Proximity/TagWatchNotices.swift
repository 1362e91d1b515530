import Care
import JSON
import Moments
import Texts

/// Batteries, long silence, and times in company that are over.
extension TagWatch {
  /// A battery counts as changed once it is so much fuller than the limit.
  private static let refilledPercent = 20

  mutating func tellLife(
    _ tag: Tag, _ batteryPercent: Int?, _ outcome: inout Outcome
  ) {
    if records[tag.id]?.isSilent == true {
      records[tag.id]?.isSilent = false
      outcome.events.append(
        draft(
          .tagHeardAgain, .record, about: tag,
          [
            "explanation": explain(Message("{tag} is heard again.", ["tag": tag.name]))
          ]))
    }
    if let batteryPercent { judgeBattery(of: tag, batteryPercent, &outcome) }
  }

  private mutating func judgeBattery(
    of tag: Tag, _ percent: Int, _ outcome: inout Outcome
  ) {
    records[tag.id]?.batteryPercent = percent
    let limit = Int(settings.batteryLowPercent)
    let wasLow = records[tag.id]?.isBatteryLow ?? false
    if wasLow {
      if percent >= limit + Self.refilledPercent { records[tag.id]?.isBatteryLow = false }
      return
    }
    guard percent <= limit else { return }
    records[tag.id]?.isBatteryLow = true
    outcome.events.append(
      draft(
        .tagBatteryLow, .record, about: tag,
        [
          "batteryPercent": .integer(Int64(percent)), "limitPercent": .integer(Int64(limit)),
          "explanation": explain(
            Message(
              "The battery of {tag} is nearly empty: {percent} % are left. Put in a new one soon.",
              ["tag": tag.name, "percent": percent])),
        ], isNews: true))
  }

  // MARK: Silence

  /// Since when somebody who could hear the tag has listened without a break; nil while nobody does.
  private func witnessed(_ tag: Tag) -> Stamp? {
    let isOut = session.wentOut != nil
    return session.listened.filter { hearer, _ in
      guard listening[hearer] != nil else { return false }
      guard isOut else { return true }
      if tag.kind.staysAtHome { return isFixed(hearer) }
      return tag.belongsAlong ? isCarried(hearer) : isFixed(hearer)
    }.values.min { $0.tick < $1.tick }
  }

  func silenceDeadline(of tag: Tag, _ record: TagRecord) -> Tick? {
    guard !record.isSilent, let patience = tag.silentMilliseconds, let since = witnessed(tag)
    else { return nil }
    var basis = max(since.tick, record.known.tick)
    if let heard = record.heard { basis = max(basis, heard.tick) }
    if let turned = session.turned { basis = max(basis, turned.tick) }
    return basis.advanced(byMilliseconds: patience)
  }

  mutating func tellSilence(
    of tag: Tag, until limit: Tick, at now: Moment, _ outcome: inout Outcome
  ) {
    guard let record = records[tag.id], let due = silenceDeadline(of: tag, record), due <= limit
    else { return }
    records[tag.id]?.isSilent = true
    let hours = (tag.silentMilliseconds ?? 0) / 3_600_000
    let sentence =
      record.heard == nil
      ? Message(
        "{tag} has not been heard yet, for {hours} h. Check its battery, and that it is the right "
          + "one: homeward bluetooth scan", ["tag": tag.name, "hours": hours])
      : Message(
        "{tag} has not been heard for {hours} h. Look where it is and whether its battery is empty.",
        ["tag": tag.name, "hours": hours])
    outcome.events.append(
      draft(
        .tagSilent, .record, about: tag,
        [
          "silentHours": .integer(hours),
          "lastHeardAt": record.heard.map { .string($0.utc.iso8601) },
          "batteryPercent": record.batteryPercent.map { .integer(Int64($0)) },
          "explanation": explain(sentence),
        ], isNews: true))
  }

  // MARK: Company

  func encounterDeadline(_ record: TagRecord) -> Tick? {
    record.encounter.map { $0.lastNear.tick(after: settings.encounterGapSeconds) }
  }

  mutating func endEncounter(
    of tag: Tag, until limit: Tick, _ outcome: inout Outcome
  ) {
    guard let record = records[tag.id], let open = record.encounter,
      let due = encounterDeadline(record), due <= limit
    else { return }
    records[tag.id]?.encounter = nil
    let met = open.closed(tag.id)
    guard met.likelySeconds >= settings.encounterMinimumSeconds else { return }
    let members = met.json.objectContent ?? []
    let names: JSONValue = [
      "tagName": .string(tag.name), "kind": .string(tag.kind.rawValue),
      "explanation": explain(sentence(on: met, tag)),
    ]
    outcome.events.append(
      EventDraft(
        type: .encounterEnded, lane: .record, resident: resident.id,
        facts: .object(members + (names.objectContent ?? []))))
  }

  private func sentence(on met: Encounter, _ tag: Tag) -> Message {
    let values: Message.Values = [
      "name": resident.name, "tag": tag.name, "likely": duration(met.likelySeconds),
      "surely": duration(met.surelySeconds), "possibly": duration(met.possiblySeconds),
    ]
    return met.isHeardByResident
      ? Message(
        "{name} and {tag} were likely close together for {likely} (surely {surely}, at most "
          + "{possibly}). This is judged by signal strength, which errs often.", values)
      : Message(
        "{tag} was likely close to the device at home for {likely} (surely {surely}, at most "
          + "{possibly}). This is judged by signal strength, which errs often.", values)
  }

  func duration(_ seconds: Int64) -> Message {
    switch seconds {
    case ..<120: Message("{seconds} s", ["seconds": seconds])
    case ..<7200: Message("{minutes} min", ["minutes": seconds / 60])
    default:
      Message(
        "{hours} h {minutes} min", ["hours": seconds / 3600, "minutes": seconds % 3600 / 60])
    }
  }
}
