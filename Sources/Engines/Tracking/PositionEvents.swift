import Care
import JSON
import Moments
import Texts

/// Tells that nobody knows where a resident is who is outside, and that it is known again.
struct PositionEvents {
  let subject: TrackingSubject
  /// When the resident left home; nil while there, or when leaving was not seen.
  let leftHome: Stamp?

  private var resident: Resident { subject.resident }
  private var settings: TrackingSettings { subject.settings }

  func unknown(
    _ severity: UnknownSeverity, _ basis: Stamp, _ last: AcceptedFix, at now: Moment
  ) -> EventDraft {
    let seconds = wholeSeconds(basis.age(at: now))
    let limit =
      severity == .alarm ? settings.unknownAlarmSeconds : settings.unknownNoticeSeconds
    let words = Message(
      "{name} is outside of all zones and has not been located for {duration}. "
        + "The position given is the last one known.",
      ["name": resident.name, "duration": duration(seconds: seconds)]
    ).text(in: settings.language)
    let finding = Signal.Finding(
      resident: resident.id, kind: .position, cause: Self.unknownCause, label: "",
      explanation: words)
    return subject.draft(
      .positionUnknown, .alarm,
      [
        "severity": .string(severity.rawValue), "unknownSeconds": .integer(seconds),
        "limitSeconds": .integer(limit), "since": .string(basis.utc.iso8601),
        "latitude": .number(last.coordinate.latitudeDegrees),
        "longitude": .number(last.coordinate.longitudeDegrees),
        "accuracyMeters": fact(last.accuracyMeters),
        "awayFromHomeSeconds": leftHome.map { .integer(wholeSeconds($0.age(at: now))) },
        "explanation": .string(words),
      ], means: severity == .alarm ? .found(finding) : nil)
  }

  /// What an unknown position is among the causes of an alarm.
  private static let unknownCause = "position"

  /// What others hear when the position is known again.
  static func regained(_ resident: ResidentID) -> Signal {
    .settled(
      Signal.Settlement(
        resident: resident, kind: .position, causes: [Self.unknownCause], reason: .located))
  }

  func regained(from severity: UnknownSeverity, at fix: AcceptedFix) -> EventDraft {
    subject.draft(
      .positionRegained, .alarm,
      [
        "severity": .string(severity.rawValue), "time": .string(fix.time.iso8601),
        "latitude": .number(fix.coordinate.latitudeDegrees),
        "longitude": .number(fix.coordinate.longitudeDegrees),
        "accuracyMeters": fact(fix.accuracyMeters),
        "explanation": subject.explain(
          Message("{name} has been located again.", ["name": resident.name])),
      ], means: Self.regained(resident.id))
  }
}
