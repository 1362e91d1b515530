import Bytes
import Care
import GlucoseValues
import JSON
import Moments
import Texts

/// Watches the limits of one resident: what lies beyond one, what of it is told, and when it is over.
struct LimitWatch: Hashable, Sendable {
  /// By what a resident's readings are judged.
  struct Basis {
    let resident: ResidentID
    let settings: GlucoseSettings
    let words: GlucoseWords
    let now: Moment
  }

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

  /// A reading beyond a limit that no later one has put right.
  fileprivate struct Beyond: Hashable, Sendable {
    var standing: GlucoseStanding
    var severity: GlucoseSettings.Severity
    /// Nil for `HI` and `LO`.
    var reading: GlucoseReadingID?
    /// When it was measured; of doubtful times, when it came in.
    var time: Timestamp
    /// Since when a sensor's readings are within the limits again; nil while they are not.
    var withinSince: Timestamp?
  }

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

  private var beyond: Beyond?

  /// Nothing lies beyond a limit.
  init() {}

  /// Whether nothing lies beyond a limit.
  var isEmpty: Bool { beyond == nil }

  // MARK: What lies beyond a limit

  /// Judges the newest reading, or one of doubtful time, which may be the newest.
  mutating func judge(_ reading: GlucoseReading, by basis: Basis) -> [EventDraft] {
    let standing = basis.settings.standing(of: reading.level)
    let time = reading.isTimeCertain ? reading.time : reading.receivedAt
    guard standing != .within else { return settle(reading, by: basis) }
    return find(
      Finding(
        standing: standing, severity: basis.settings.severity(of: standing), reading: reading,
        level: basis.words.level(reading), time: time, isTimeCertain: reading.isTimeCertain,
        origin: reading.origin),
      by: basis)
  }

  /// `HI` and `LO`: no reading, but news all the same. `HI` is an alarm wherever high readings are told at all.
  ///
  /// - Parameter newest: the newest reading whose time is certain.
  mutating func judge(
    _ end: GlucoseLevelFault.End, at time: Timestamp, from origin: String, newest: GlucoseReading?,
    by basis: Basis
  ) -> [EventDraft] {
    let now = basis.now
    let isCertain =
      now.quality.isTrusted && time >= GlucoseRules.earliest
      && !GlucoseRules.isAhead(time, of: now)
    let standing: GlucoseStanding = end == .low ? .veryLow : .high
    let usual = basis.settings.severity(of: standing)
    // A later reading says more than this one.
    let isOverruled = isCertain && newest.map { $0.time > time } ?? false
    let severity: GlucoseSettings.Severity =
      usual == .off ? .off : isOverruled ? .notice : end == .high ? .alarm : usual
    return find(
      Finding(
        standing: standing, severity: severity, reading: nil, level: basis.words.beyondRange(end),
        time: isCertain ? time : now.utc, isTimeCertain: isCertain, origin: origin),
      by: basis)
  }

  private mutating func find(_ offered: Finding, by basis: Basis) -> [EventDraft] {
    var finding = offered
    let age = finding.isTimeCertain ? basis.now.utc.milliseconds(since: finding.time) : 0
    guard finding.severity != .off, age <= Self.oldMilliseconds else { return [] }
    forgetFuture(at: basis.now)
    if age > basis.settings.freshMinutes * 60_000 { finding.severity = .notice }
    guard isNews(finding, after: beyond) else {
      beyond?.withinSince = nil
      return []
    }
    beyond = Beyond(
      standing: finding.standing, severity: finding.severity, reading: finding.reading?.id,
      time: finding.time)
    return [event(of: finding, by: basis)].compactMap { $0 }
  }

  /// What was found by a clock that was ahead holds nothing back that is found now.
  private mutating func forgetFuture(at now: Moment) {
    guard let time = beyond?.time, now.quality.isTrusted, GlucoseRules.isAhead(time, of: now)
    else { return }
    beyond?.time = GlucoseRules.earliest
    beyond?.withinSince = nil
  }

  private func isNews(_ finding: Finding, after before: Beyond?) -> Bool {
    guard let before else { return true }
    // An older one that comes late changes nothing about what is known already.
    guard finding.time >= before.time else { return false }
    if before.standing.isNews(finding.standing) { return true }
    if before.severity == .notice, finding.severity == .alarm { return true }
    let isSensor = finding.reading?.sensor == .continuous
    let again = isSensor ? Self.sensorAgainMilliseconds : Self.stickAgainMilliseconds
    return finding.time.milliseconds(since: before.time) >= again
  }

  private func event(of finding: Finding, by basis: Basis) -> EventDraft? {
    guard let type = finding.standing.event else { return nil }
    let (resident, words) = (basis.resident, basis.words)
    let sentence = words.finding(
      finding.standing, finding.level, finding.time, isTimeCertain: finding.isTimeCertain
    ).text(in: words.language)
    let label = words.label(finding.standing, finding.level)
    let found = Signal.Finding(
      resident: resident, kind: .glucose, cause: type.rawValue,
      label: label.isEmpty ? finding.level : label, explanation: sentence)
    return EventDraft(
      type: type, lane: finding.severity == .alarm ? .alarm : .record, resident: resident,
      facts: .object([
        "severity": .string(finding.severity.rawValue), "value": .string(finding.level),
        "label": .string(label),
        "reading": finding.reading.map { .string($0.id.rawValue) },
        "mgPerDl": finding.reading.map { .number($0.level.milligramsPerDecilitre) },
        "limit": (basis.settings.limit(of: finding.standing)?.text()).map { .string($0) },
        "time": .string(finding.time.iso8601), "isTimeCertain": .bool(finding.isTimeCertain),
        "origin": .string(finding.origin),
        "explanation": .string(sentence),
      ]), signal: finding.severity == .alarm ? .found(found) : nil)
  }

  // MARK: When it is over

  private mutating func settle(_ reading: GlucoseReading, by basis: Basis) -> [EventDraft] {
    forgetFuture(at: basis.now)
    // A reading that may be from another day puts nothing right.
    guard let beyond, reading.isTimeCertain, reading.time > beyond.time else { return [] }
    if reading.sensor == .continuous {
      let since = min(beyond.withinSince ?? reading.time, reading.time)
      self.beyond?.withinSince = since
      guard reading.time.milliseconds(since: since) >= Self.sensorSettledMilliseconds else {
        return []
      }
    }
    let sentence = basis.words.settled(reading).text(in: basis.words.language)
    return [end(beyond, with: reading, sentence, of: basis.resident)]
  }

  private mutating func end(
    _ beyond: Beyond, with reading: GlucoseReading?, _ explanation: String,
    of resident: ResidentID
  ) -> EventDraft {
    self.beyond = nil
    return EventDraft(
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
          reason: .withinRange)))
  }

  /// A reading was changed or removed: where it lay beyond a limit, what is there now is judged in its place.
  ///
  /// - Parameters:
  ///   - changed: the reading as it is now; nil where it was removed.
  ///   - newest: the newest reading whose time is certain.
  mutating func judgeAnew(
    _ id: GlucoseReadingID, changed: GlucoseReading?, newest: GlucoseReading?, by basis: Basis
  ) -> [EventDraft] {
    guard let beyond, beyond.reading == id else {
      guard let changed, newest?.id == id || !changed.isTimeCertain else { return [] }
      return judge(changed, by: basis)
    }
    let settings = basis.settings
    let candidates = [changed, newest].compactMap { $0 }
    let next = candidates.first { reading in
      settings.severity(of: settings.standing(of: reading.level)) != .off
    }
    if let next, settings.standing(of: next.level) == beyond.standing {
      self.beyond?.reading = next.id
      return []
    }
    self.beyond = nil
    let events = next.map { judge($0, by: basis) } ?? []
    guard self.beyond == nil else { return events }
    let sentence = basis.words.withdrawn().text(in: basis.words.language)
    return events + [end(beyond, with: candidates.last, sentence, of: basis.resident)]
  }
}

extension LimitWatch {
  /// Reads what ``json`` wrote; nil is nothing.
  init(json: JSONValue?) throws(DecodeError) {
    guard let json else { return }
    beyond = try Beyond(json: json)
  }

  /// What lies beyond a limit; nil for nothing.
  var json: JSONValue? { beyond?.json }
}

extension LimitWatch.Beyond {
  init(json: JSONValue) throws(DecodeError) {
    let reader = try JSONReader(json)
    self.init(
      standing: try reader.word("standing", as: GlucoseStanding.self),
      severity: try reader.word("severity", as: GlucoseSettings.Severity.self),
      reading: try reader.optionalString("reading").map { GlucoseReadingID($0) },
      time: Timestamp(milliseconds: try reader.integer("time")),
      withinSince: try reader.optionalInteger("withinSince").map {
        Timestamp(milliseconds: $0)
      })
  }

  var json: JSONValue {
    .object([
      "standing": .string(standing.rawValue), "severity": .string(severity.rawValue),
      "reading": reading.map { .string($0.rawValue) }, "time": .integer(time.milliseconds),
      "withinSince": withinSince.map { .integer($0.milliseconds) },
    ])
  }
}
