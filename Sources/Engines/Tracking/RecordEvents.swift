import Care
import JSON
import Moments
import Texts

/// Tells what is written down about where a resident is, and that nothing can be.
struct RecordEvents {
  let subject: TrackingSubject
  /// Whether the resident is outside of all zones that count.
  let isOutside: Bool
  /// The zones that count and that the resident is in, by id.
  let inside: [ZoneID]
  /// Their names.
  let namesInside: [String]
  /// When the resident left home; nil while there, or when leaving was not seen.
  let leftHome: Stamp?

  private var resident: Resident { subject.resident }
  private var settings: TrackingSettings { subject.settings }

  func recorded(
    _ entry: LocationRecord, _ fix: AcceptedFix, after last: LastRecord?,
    askedBy principals: [String]?, at now: Moment
  ) -> EventDraft {
    let distance = last.map { fix.coordinate.distanceMeters(to: $0.coordinate) }
    return subject.draft(
      .locationRecorded, .record,
      [
        "latitude": .number(entry.coordinate.latitudeDegrees),
        "longitude": .number(entry.coordinate.longitudeDegrees),
        "accuracyMeters": fact(entry.accuracyMeters), "reason": .string(entry.reason.rawValue),
        "time": .string(entry.time.iso8601),
        "timeQuality": .string(entry.timeQuality.rawValue),
        "zones": .array(namesInside.map(JSONValue.string)),
        "zoneIds": .array(inside.map { .string($0.rawValue) }),
        "isOutside": .bool(isOutside), "distanceFromLastRecordMeters": fact(distance),
        "speedMetersPerSecond": fact(fix.speedMetersPerSecond),
        "awayFromHomeSeconds": leftHome.map { .integer(wholeSeconds($0.age(at: now))) },
        "minutesAtLocation": .integer(Int64(entry.minutesAtLocation)),
        "requestedBy": entry.reason == .refresh
          ? principals.map { .array($0.map(JSONValue.string)) } : nil,
        "explanation": subject.explain(sentence(entry, distance)),
      ],
      means: .zone(ZoneNews(.recorded(inside: namesInside), isOutside: isOutside), of: resident.id))
  }

  private func sentence(
    _ entry: LocationRecord, _ distance: Double?
  ) -> Message {
    let values: Message.Values = [
      "name": resident.name, "zones": namesInside.map(quoted).joined(separator: ", "),
      "reason": because(entry, distance),
    ]
    if !namesInside.isEmpty {
      return Message("{name} is in {zones}; recorded because {reason}.", values)
    }
    return isOutside
      ? Message("{name} is outside of all zones; recorded because {reason}.", values)
      : Message("{name} was located; recorded because {reason}.", values)
  }

  private func because(_ entry: LocationRecord, _ distance: Double?) -> Message {
    switch entry.reason {
    case .moved:
      Message(
        "the position is {distance} from the last record, more than {limit}",
        [
          "distance": settings.length(distance ?? 0),
          "limit": settings.length(settings.recordDistanceMeters),
        ])
    case .aged:
      Message(
        "the last record is {duration} old",
        ["duration": duration(seconds: settings.recordMaximumAgeSeconds)])
    case .trackingStarted: Message("tracking has begun")
    case .refresh: Message("somebody asked for the position")
    case .outsideMoving:
      Message("a person who moves outside of all zones is followed closely")
    }
  }

  func sampled(_ entry: LocationRecord) -> EventDraft {
    subject.draft(
      .locationSampled, .trace,
      [
        "latitude": .number(entry.coordinate.latitudeDegrees),
        "longitude": .number(entry.coordinate.longitudeDegrees),
        "accuracyMeters": fact(entry.accuracyMeters), "time": .string(entry.time.iso8601),
        "timeQuality": .string(entry.timeQuality.rawValue),
        "minutesAtLocation": .integer(Int64(entry.minutesAtLocation)),
      ])
  }

  func unavailable(
    to principals: [String], waited: Int64, isOn: Bool, last: AcceptedFix?, at now: Moment
  ) -> EventDraft {
    let explanation =
      isOn
      ? Message(
        "No position of {name} came within {duration}; the next one will be recorded. "
          + "Check that the receiver is on and sees the sky.",
        ["name": resident.name, "duration": duration(seconds: waited)])
      : Message(
        "Tracking of {name} is off; switch it on to locate them.", ["name": resident.name])
    return subject.draft(
      .locationUnavailable, .record,
      [
        "requestedBy": .array(principals.map(JSONValue.string)),
        "waitedSeconds": .integer(waited), "isOn": .bool(isOn),
        "lastLatitude": (last?.coordinate.latitudeDegrees).map(JSONValue.number),
        "lastLongitude": (last?.coordinate.longitudeDegrees).map(JSONValue.number),
        "lastAgeSeconds": last.map { .integer(wholeSeconds($0.stamp.age(at: now))) },
        "explanation": subject.explain(explanation),
      ])
  }
}
