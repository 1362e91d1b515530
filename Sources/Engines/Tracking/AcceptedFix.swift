import Bytes
import Care
import JSON
import Moments

/// A position that the filter believes.
struct AcceptedFix: Hashable, Sendable {
  /// The receiver it came from.
  var source: SourceID
  /// When the gateway received it; durations count from here.
  var stamp: Stamp
  /// When it was measured, as far as the receiver's clock can be believed; else when it was received.
  var time: Timestamp
  /// What vouches for ``time``.
  var timeQuality: TimeQuality
  /// Where.
  var coordinate: Coordinate
  /// Estimated horizontal error in metres; nil when unknown.
  var accuracyMeters: Double?
  /// Speed over ground as the receiver states it; nil when it does not.
  var speedMetersPerSecond: Double?
  /// The receiver's own time, believed or not.
  var receiverTime: Timestamp?
  /// Whether the receiver said that it simulates.
  var isSimulated: Bool

  /// The error to reckon with: the receiver's own figure, or the assumed one.
  func doubtMeters(_ settings: TrackingSettings) -> Double {
    accuracyMeters ?? settings.assumedAccuracyMeters
  }

  /// Whether it still says where the resident is.
  func isFresh(at now: Moment, by settings: TrackingSettings) -> Bool {
    !stamp.isEstimated && stamp.age(at: now) <= settings.freshFixSeconds * 1000
  }

  /// Metres that two fixes may differ without any movement, from their stated errors; at most the exit cap.
  ///
  /// A fix without a stated error adds nothing, so that receivers without error figures keep the plain 25 m rule.
  func driftMeters(from other: Coordinate, accuracyMeters: Double?, cap: Double) -> Double {
    let (mine, others) = (self.accuracyMeters ?? 0, accuracyMeters ?? 0)
    return min((mine * mine + others * others).squareRoot(), cap)
  }
}

extension AcceptedFix {
  init(json: JSONValue) throws(DecodeError) {
    let reader = try JSONReader(json)
    source = SourceID(try reader.string("source"))
    stamp = try reader.stamp("received")
    time = Timestamp(milliseconds: try reader.integer("time"))
    timeQuality = try reader.word("timeQuality", as: TimeQuality.self)
    coordinate = try Coordinate(json: json)
    accuracyMeters = try reader.optionalDouble("accuracyMeters")
    speedMetersPerSecond = try reader.optionalDouble("speedMetersPerSecond")
    receiverTime = try reader.optionalInteger("receiverTime").map(Timestamp.init(milliseconds:))
    isSimulated = try reader.optionalBool("isSimulated") ?? false
  }

  var json: JSONValue {
    .object([
      "source": .string(source.rawValue), "received": stamp.json,
      "time": .integer(time.milliseconds), "timeQuality": .string(timeQuality.rawValue),
      "latitude": .number(coordinate.latitudeDegrees),
      "longitude": .number(coordinate.longitudeDegrees),
      "accuracyMeters": accuracyMeters.map(JSONValue.number),
      "speedMetersPerSecond": speedMetersPerSecond.map(JSONValue.number),
      "receiverTime": receiverTime.map { .integer($0.milliseconds) },
      "isSimulated": isSimulated ? true : nil,
    ])
  }
}

/// A fix that the filter does not believe, kept with the reason.
struct RejectedFix: Hashable, Sendable {
  /// Why a fix was rejected; the words are part of the event.
  enum Reason: String, Hashable, Sendable, CaseIterable {
    /// The receiver reports that it has no position.
    case noFix = "no-fix"
    /// The receiver claims a position and gives none.
    case noPosition = "no-position"
    /// A coordinate is not a number or not on Earth.
    case outOfRange = "out-of-range"
    /// The position is 0° N 0° E.
    case nullIsland = "null-island"
    /// The estimated error exceeds the limit.
    case inaccurate
    /// The receiver's time is that of the fix before.
    case timeRepeated = "time-repeated"
    /// The receiver's time went back.
    case timeBack = "time-back"
    /// The receiver's time ran away from ours.
    case timeLeap = "time-leap"
    /// Only an impossible speed leads there and away again.
    case impossibleSpeed = "impossible-speed"
  }

  var report: FixReport
  var reason: Reason
  /// The numbers behind the reason.
  var numbers: [JSONMember] = []
}
