import Care
import GlucoseValues
import JSON
import Moments
import Texts

/// What lies beyond a resident's limits, and when it is over.
extension GlucoseEngine {
  /// A reading beyond a limit that is older than this is written down and told to nobody, in milliseconds.
  private static let oldMilliseconds: Int64 = 24 * 3_600_000
  /// After so long, the same news of a strip is told again, in milliseconds.
  private static let stickAgainMilliseconds: Int64 = 15 * 60_000
  /// After so long, the same news of a sensor is told again, in milliseconds.
  private static let sensorAgainMilliseconds: Int64 = 30 * 60_000
  /// How long a sensor must read within the limits before that counts, in milliseconds.
  ///
  /// - Source: Battelino et al., "Clinical Targets for CGM Data Interpretation", Diabetes Care 42 (2019): an event ends
  ///   with 15 minutes within the limit.
  private static let sensorSettledMilliseconds: Int64 = 15 * 60_000

  /// Something that may lie beyond a limit.
  private struct Finding {
    var standing: GlucoseStanding
    var severity: GlucoseSettings.Severity
    var reading: GlucoseReading?
    /// What people read.
    var level: String
    /// When it was measured; of doubtful times, when it came in.
    var time: Timestamp
    var isTimeCertain: Bool
    var origin: String
  }

  /// Judges the newest reading of a resident, or one of doubtful time, which may be the newest.
  mutating func judge(
    _ reading: GlucoseReading, in world: World, _ outcome: inout Outcome
  ) {
    let settings = settings(of: reading.resident)
    let standing = settings.standing(of: reading.level)
    let time = reading.isTimeCertain ? reading.time : reading.receivedAt
    guard standing != .within else { return settle(reading, in: world, &outcome) }
    let words = GlucoseWords(reading.resident, settings, world)
    find(
      Finding(
        standing: standing, severity: settings.severity(of: standing), reading: reading,
        level: words.level(reading), time: time, isTimeCertain: reading.isTimeCertain,
        origin: reading.origin),
      of: reading.resident, in: world, &outcome)
  }

  /// `HI` and `LO`: no reading, but news all the same. `HI` is an alarm wherever high readings are told at all.
  mutating func take(
    _ end: GlucoseLevelFault.End, of resident: ResidentID, at time: Timestamp, from origin: String,
    in world: World, _ outcome: inout Outcome
  ) {
    guard world.people[resident] != nil else { return }
    let settings = settings(of: resident)
    let isCertain =
      world.now.quality.isTrusted && time >= GlucoseRules.earliest
      && !GlucoseRules.isAhead(time, of: world.now)
    let standing: GlucoseStanding = end == .low ? .veryLow : .high
    let usual = settings.severity(of: standing)
    // A later reading says more than this one.
    let newest = isCertain ? newest(of: resident, in: world)?.time : nil
    let isOverruled = newest.map { $0 > time } ?? false
    let severity: GlucoseSettings.Severity =
      usual == .off ? .off : isOverruled ? .notice : end == .high ? .alarm : usual
    find(
      Finding(
        standing: standing, severity: severity, reading: nil,
        level: GlucoseWords(resident, settings, world).beyondRange(end),
        time: isCertain ? time : world.now.utc, isTimeCertain: isCertain, origin: origin),
      of: resident, in: world, &outcome)
  }

  private mutating func find(
    _ offered: Finding, of resident: ResidentID, in world: World,
    _ outcome: inout Outcome
  ) {
    var finding = offered
    let age = finding.isTimeCertain ? world.now.utc.milliseconds(since: finding.time) : 0
    guard finding.severity != .off, age <= Self.oldMilliseconds else { return }
    forgetFuture(of: resident, in: world)
    let freshMinutes = settings(of: resident).freshMinutes
    if age > freshMinutes * 60_000 { finding.severity = .notice }
    let isNews = isNews(finding, after: states[resident]?.beyond)
    if !isNews {
      states[resident]?.beyond?.withinSince = nil
      return
    }
    states[resident, default: GlucoseState()].beyond = GlucoseState.Beyond(
      standing: finding.standing, severity: finding.severity, reading: finding.reading?.id,
      time: finding.time)
    tell(finding, of: resident, in: world, &outcome)
  }

  /// The newest reading of a resident whose time is certain, and none that a clock which was ahead put years from now.
  func newest(of resident: ResidentID, in world: World) -> GlucoseReading? {
    guard world.now.quality.isTrusted else { return logs[resident]?.newest }
    return logs[resident]?.readings.last {
      $0.isTimeCertain && !GlucoseRules.isAhead($0.time, of: world.now)
    }
  }

  /// What was found by a clock that was ahead holds nothing back that is found now.
  private mutating func forgetFuture(of resident: ResidentID, in world: World) {
    guard let time = states[resident]?.beyond?.time, world.now.quality.isTrusted,
      GlucoseRules.isAhead(time, of: world.now)
    else { return }
    states[resident]?.beyond?.time = GlucoseRules.earliest
    states[resident]?.beyond?.withinSince = nil
  }

  private func isNews(_ finding: Finding, after before: GlucoseState.Beyond?) -> Bool {
    guard let before else { return true }
    // An older one that comes late changes nothing about what is known already.
    guard finding.time >= before.time else { return false }
    if before.standing.isNews(finding.standing) { return true }
    if before.severity == .notice, finding.severity == .alarm { return true }
    let isSensor = finding.reading?.sensor == .continuous
    let again = isSensor ? Self.sensorAgainMilliseconds : Self.stickAgainMilliseconds
    return finding.time.milliseconds(since: before.time) >= again
  }

  private func tell(
    _ finding: Finding, of resident: ResidentID, in world: World,
    _ outcome: inout Outcome
  ) {
    guard let type = finding.standing.event else { return }
    let settings = settings(of: resident)
    let words = GlucoseWords(resident, settings, world)
    let sentence = words.finding(
      finding.standing, finding.level, finding.time, isTimeCertain: finding.isTimeCertain
    ).text(in: words.language)
    let label = words.label(finding.standing, finding.level)
    let found = Signal.Finding(
      resident: resident, kind: .glucose, cause: type.rawValue,
      label: label.isEmpty ? finding.level : label, explanation: sentence)
    outcome.events.append(
      EventDraft(
        type: type, lane: finding.severity == .alarm ? .alarm : .record, resident: resident,
        facts: .object([
          "severity": .string(finding.severity.rawValue), "value": .string(finding.level),
          "label": .string(label),
          "reading": finding.reading.map { .string($0.id.rawValue) },
          "mgPerDl": finding.reading.map { .number($0.level.milligramsPerDecilitre) },
          "limit": (settings.limit(of: finding.standing)?.text()).map { .string($0) },
          "time": .string(finding.time.iso8601), "isTimeCertain": .bool(finding.isTimeCertain),
          "origin": .string(finding.origin),
          "explanation": .string(sentence),
        ]), signal: finding.severity == .alarm ? .found(found) : nil))
  }

  // MARK: When it is over

  private mutating func settle(
    _ reading: GlucoseReading, in world: World, _ outcome: inout Outcome
  ) {
    forgetFuture(of: reading.resident, in: world)
    // A reading that may be from another day puts nothing right.
    guard let beyond = states[reading.resident]?.beyond, reading.isTimeCertain,
      reading.time > beyond.time
    else { return }
    if reading.sensor == .continuous {
      let since = min(beyond.withinSince ?? reading.time, reading.time)
      states[reading.resident]?.beyond?.withinSince = since
      guard reading.time.milliseconds(since: since) >= Self.sensorSettledMilliseconds else {
        return
      }
    }
    let words = words(about: reading.resident, in: world)
    end(
      reading.resident, beyond, reading, words.settled(reading).text(in: words.language), &outcome)
  }

  private mutating func end(
    _ resident: ResidentID, _ beyond: GlucoseState.Beyond, _ reading: GlucoseReading?,
    _ explanation: String, _ outcome: inout Outcome
  ) {
    states[resident]?.beyond = nil
    outcome.events.append(
      EventDraft(
        type: .glucoseSettled, lane: beyond.severity == .alarm ? .alarm : .record,
        resident: resident,
        facts: .object([
          "was": .string(beyond.standing.rawValue),
          "reading": reading.map { .string($0.id.rawValue) },
          "value": reading.map { .string($0.level.text()) },
          "explanation": .string(explanation),
        ]),
        signal: .settled(
          Signal.Settlement(
            resident: resident, kind: .glucose,
            causes: GlucoseStanding.allCases.compactMap { $0.event?.rawValue },
            reason: .withinRange))))
  }

  /// The reading that lay beyond a limit was changed or removed: what is there now is judged in its place.
  mutating func judgeAnew(
    _ id: GlucoseReadingID, of resident: ResidentID, in world: World,
    _ outcome: inout Outcome
  ) {
    let changed = logs[resident]?.reading(id)
    guard let beyond = states[resident]?.beyond, beyond.reading == id else {
      if let changed, newest(of: resident, in: world)?.id == id || !changed.isTimeCertain {
        judge(changed, in: world, &outcome)
      }
      return
    }
    let settings = settings(of: resident)
    let candidates = [changed, newest(of: resident, in: world)].compactMap { $0 }
    let next = candidates.first { reading in
      settings.severity(of: settings.standing(of: reading.level)) != .off
    }
    if let next, settings.standing(of: next.level) == beyond.standing {
      states[resident]?.beyond?.reading = next.id
      return
    }
    states[resident]?.beyond = nil
    if let next { judge(next, in: world, &outcome) }
    guard states[resident]?.beyond == nil else { return }
    let words = GlucoseWords(resident, settings, world)
    end(
      resident, beyond, candidates.last, words.withdrawn().text(in: words.language), &outcome)
  }
}
