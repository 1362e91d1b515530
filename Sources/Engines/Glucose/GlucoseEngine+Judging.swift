import Care
import GlucoseValues
import Moments

/// What lies beyond a resident's limits, and when it is over.
extension GlucoseEngine {
  private func basis(for resident: ResidentID, in world: World) -> LimitWatch.Basis {
    LimitWatch.Basis(
      resident: resident, settings: settings(of: resident),
      words: words(about: resident, in: world), now: world.now)
  }

  /// Judges the newest reading of a resident, or one of doubtful time, which may be the newest.
  mutating func judge(_ reading: GlucoseReading, in world: World) -> [EventDraft] {
    states[reading.resident, default: GlucoseState()].limits
      .judge(reading, by: basis(for: reading.resident, in: world))
  }

  /// Judges `HI` and `LO`.
  mutating func take(
    _ end: GlucoseLevelFault.End, of resident: ResidentID, at time: Timestamp, from origin: String,
    in world: World
  ) -> [EventDraft] {
    guard world.people[resident] != nil else { return [] }
    return states[resident, default: GlucoseState()].limits
      .judge(
        end, at: time, from: origin, newest: logs[resident].newest(at: world.now),
        by: basis(for: resident, in: world))
  }

  /// A reading was changed or removed.
  mutating func judgeAnew(
    _ id: GlucoseReadingID, of resident: ResidentID, in world: World
  ) -> [EventDraft] {
    let log = logs[resident]
    return states[resident, default: GlucoseState()].limits
      .judgeAnew(
        id, changed: log.reading(id), newest: log.newest(at: world.now),
        by: basis(for: resident, in: world))
  }
}
