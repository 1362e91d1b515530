import Care
import JSON
import Moments
import Texts

/// Tells which fixes are believed, and why others are not.
struct FixEvents {
  let subject: TrackingSubject

  private var resident: Resident { subject.resident }
  private var settings: TrackingSettings { subject.settings }

  func accepted(_ fix: AcceptedFix) -> EventDraft {
    subject.draft(
      .fixAccepted, .trace,
      [
        "source": .string(fix.source.rawValue), "time": .string(fix.time.iso8601),
        "timeQuality": .string(fix.timeQuality.rawValue),
        "latitude": .number(fix.coordinate.latitudeDegrees),
        "longitude": .number(fix.coordinate.longitudeDegrees),
        "accuracyMeters": fact(fix.accuracyMeters),
        "speedMetersPerSecond": fact(fix.speedMetersPerSecond),
        "receiverTime": fix.receiverTime.map { .string($0.iso8601) },
        "isSimulated": fix.isSimulated ? true : nil,
      ],
      means: .located(
        Signal.Location(coordinate: fix.coordinate, accuracyMeters: fix.accuracyMeters),
        of: resident.id))
  }

  func rejected(_ rejection: RejectedFix) -> EventDraft {
    let report = rejection.report
    let facts = JSONValue.object([
      "source": .string(report.source.rawValue), "reason": .string(rejection.reason.rawValue),
      "mode": .string(report.mode.rawValue), "latitude": rawFact(report.latitudeDegrees),
      "longitude": rawFact(report.longitudeDegrees),
      "accuracyMeters": rawFact(report.accuracyMeters),
      "receiverTime": report.receiverTime.map { .string($0.iso8601) },
    ])
    return EventDraft(
      type: .fixRejected, lane: .trace, resident: resident.id,
      facts: .object((facts.objectContent ?? []) + rejection.numbers + [sentence(on: rejection)]))
  }

  private func sentence(on rejection: RejectedFix) -> JSONMember {
    let accuracy = rejection.report.accuracyMeters ?? 0
    let why =
      switch rejection.reason {
      case .noFix: Message("the receiver has no position")
      case .noPosition: Message("the receiver claims a position and gives none")
      case .outOfRange: Message("its coordinates are not on Earth")
      case .nullIsland: Message("0° N 0° E is where confused receivers report to be")
      case .inaccurate:
        Message(
          "its error of {error} exceeds {limit}",
          [
            "error": settings.length(accuracy),
            "limit": settings.length(settings.accuracyLimitMeters),
          ])
      case .timeRepeated: Message("it repeats the time of the fix before")
      case .timeBack: Message("the receiver's time went back")
      case .timeLeap: Message("the receiver's time leapt")
      case .impossibleSpeed: Message("nobody moves there and away again as fast as that")
      }
    return JSONMember(
      key: "explanation", value: subject.explain(Message("Not believed: {why}.", ["why": why])))
  }
}
