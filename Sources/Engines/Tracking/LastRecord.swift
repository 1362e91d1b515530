import Bytes
import Care
import JSON
import Moments

/// The newest location record.
struct LastRecord: Hashable, Sendable {
  var stamp: Stamp
  var time: Timestamp
  var coordinate: Coordinate
  var accuracyMeters: Double?
  var reason: RecordReason

  /// Half a second that a fix may come early, so that a receiver at exactly the interval does not skip every other one.
  private static let earlyMilliseconds: Int64 = 500

  /// Whether the next record of somebody who moves outside of all zones is due.
  func isOutsideRecordDue(_ fix: AcceptedFix, by settings: TrackingSettings) -> Bool {
    let passed = fix.stamp.tick.milliseconds(since: stamp.tick)
    return passed + Self.earlyMilliseconds >= settings.outsideMovingIntervalSeconds * 1000
  }

  /// Why a position is written down after this one when that is considered; nil where it is not.
  func reason(
    toWrite fix: AcceptedFix, at now: Moment, by settings: TrackingSettings
  ) -> RecordReason? {
    if fix.coordinate.distanceMeters(to: coordinate) > settings.recordDistanceMeters {
      return .moved
    }
    let age = stamp.age(at: now) + Self.earlyMilliseconds
    return age >= settings.recordMaximumAgeSeconds * 1000 ? .aged : nil
  }
}

extension LastRecord {
  init(json: JSONValue) throws(DecodeError) {
    let reader = try JSONReader(json)
    stamp = try reader.stamp("written")
    time = Timestamp(milliseconds: try reader.integer("time"))
    coordinate = try Coordinate(json: json)
    accuracyMeters = try reader.optionalDouble("accuracyMeters")
    reason = try reader.word("reason", as: RecordReason.self)
  }

  var json: JSONValue {
    .object([
      "written": stamp.json, "time": .integer(time.milliseconds),
      "latitude": .number(coordinate.latitudeDegrees),
      "longitude": .number(coordinate.longitudeDegrees),
      "accuracyMeters": accuracyMeters.map(JSONValue.number), "reason": .string(reason.rawValue),
    ])
  }
}

extension Stamp {
  /// The newest point of a grid of so many seconds not after `now`, so that checks keep their rhythm and missed ones are
  /// not made up.
  init(onGridOf interval: Int64, from due: Tick, at now: Moment) {
    let late = max(0, now.tick.milliseconds(since: due)) % (interval * 1000)
    self.init(now)
    tick = now.tick.advanced(byMilliseconds: -late)
    utc = now.utc.advanced(byMilliseconds: -late)
  }
}
