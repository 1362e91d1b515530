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
      ledger.touch(id)
      if verdict == .left, let tag = tags[id] { outcome.events.append(events.over(tag, "home")) }
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
      ledger.touch(id)
      switch verdict {
      case .left:
        outcome.events.append(
          events.left(
            tag, record, isAtHome: record.presence(at: isFixed).isHeard,
            wentOut: session.wentOut, at: now))
      case .along: if record.outing == .left { outcome.events.append(events.over(tag, "along")) }
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

}
