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
        events.heardAgain(tag))
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
    outcome.events.append(events.batteryLow(tag, percent, limit: limit))
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
    outcome.events.append(events.silent(tag, record))
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
    outcome.events.append(events.encounterEnded(tag, met))
  }

}
