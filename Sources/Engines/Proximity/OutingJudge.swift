import Care
import Moments

/// Judges what of a resident's things is along on an outing, and what stayed.
///
/// What the device with the resident hears is along; what a device at home hears, or the one with the resident no longer
/// hears, stayed. Where nobody can say, nothing is said.
struct OutingJudge {
  /// When the resident went out.
  let out: Stamp
  let hearers: TagHearers
  let settings: ProximitySettings

  /// So long after going out a device at home may still hear what is carried through the garden.
  private static let gardenSeconds: Int64 = 15

  /// What became of a tag; nil where that is no news, or cannot be said.
  func news(of record: TagRecord) -> OutingVerdict? {
    guard let verdict = verdict(on: record), verdict != record.outing else { return nil }
    if record.outing == .along, verdict == .left, !isMissed(record) { return nil }
    return verdict
  }

  private func verdict(on record: TagRecord) -> OutingVerdict? {
    if isHeard(record, after: out.tick, by: hearers.isCarried) { return .along }
    let garden = out.tick(after: Self.gardenSeconds)
    if isHeard(record, after: garden, by: hearers.isFixed) { return .left }
    return isMissed(record) && wasThere(record) ? .left : nil
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
    record.presence(at: hearers.isCarried) == .away
  }

  private func wasThere(_ record: TagRecord) -> Bool {
    guard let heard = record.heard else { return false }
    let memory = settings.leftWithoutMemoryHours.multipliedClamped(by: 3_600_000)
    return out.tick.milliseconds(since: heard.tick) <= memory
  }
}
