import Care
import Moments

/// Batteries, long silence, and times in company that are over.
extension TagWatch {
  mutating func tellLife(
    _ tag: Tag, _ batteryPercent: Int?, _ outcome: inout Outcome
  ) {
    if records[tag.id]?.noteLife() == true { outcome.events.append(events.heardAgain(tag)) }
    guard let batteryPercent else { return }
    let limit = Int(settings.batteryLowPercent)
    if records[tag.id]?.noteBattery(batteryPercent, limit: limit) == true {
      outcome.events.append(events.batteryLow(tag, batteryPercent, limit: limit))
    }
  }

  // MARK: Silence

  func silenceDeadline(of tag: Tag, _ record: TagRecord) -> Tick? {
    session.silenceDeadline(of: tag, record, by: hearers)
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
