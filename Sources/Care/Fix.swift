public import Moments

/// What kind of position a receiver has.
public enum FixMode: String, Hashable, Sendable, CaseIterable {
  /// The receiver has not said.
  case unknown
  /// The receiver reports and has no position.
  case none
  /// Latitude and longitude.
  case twoDimensional = "2d"
  /// Latitude, longitude and altitude.
  case threeDimensional = "3d"

  /// Whether a position can be read.
  public var hasPosition: Bool { self == .twoDimensional || self == .threeDimensional }
}

/// One epoch of a GPS receiver, its reports merged, as received and unjudged.
///
/// Latitude and longitude are raw numbers because absurd ones must reach the filter that keeps them with a reason.
public struct FixReport: Hashable, Sendable {
  /// Where the report came from.
  public var source: SourceID
  /// What kind of position it is.
  public var mode: FixMode
  /// Degrees north as received; nil when not reported.
  public var latitudeDegrees: Double?
  /// Degrees east as received; nil when not reported.
  public var longitudeDegrees: Double?
  /// Estimated horizontal error in metres; nil when missing. 0 means unknown as well.
  public var accuracyMeters: Double?
  /// Altitude above mean sea level in metres.
  public var altitudeMeters: Double?
  /// Speed over ground.
  public var speedMetersPerSecond: Double?
  /// Course over ground, degrees clockwise from true north.
  public var courseDegrees: Double?
  /// The receiver's own time; believed only after a check against the system clock.
  public var receiverTime: Timestamp?
  /// Satellites used in the fix.
  public var satellitesUsed: Int?
  /// Whether gpsd marked the fix as simulated.
  public var isSimulated: Bool

  /// A report from its parts.
  public init(
    source: SourceID, mode: FixMode, latitudeDegrees: Double? = nil,
    longitudeDegrees: Double? = nil, accuracyMeters: Double? = nil, altitudeMeters: Double? = nil,
    speedMetersPerSecond: Double? = nil, courseDegrees: Double? = nil,
    receiverTime: Timestamp? = nil, satellitesUsed: Int? = nil, isSimulated: Bool = false
  ) {
    self.source = source
    self.mode = mode
    self.latitudeDegrees = latitudeDegrees
    self.longitudeDegrees = longitudeDegrees
    self.accuracyMeters = accuracyMeters
    self.altitudeMeters = altitudeMeters
    self.speedMetersPerSecond = speedMetersPerSecond
    self.courseDegrees = courseDegrees
    self.receiverTime = receiverTime
    self.satellitesUsed = satellitesUsed
    self.isSimulated = isSimulated
  }

  /// The position, when the report has one that lies on Earth.
  public var coordinate: Coordinate? {
    guard mode.hasPosition, let latitudeDegrees, let longitudeDegrees else { return nil }
    return Coordinate(latitudeDegrees: latitudeDegrees, longitudeDegrees: longitudeDegrees)
  }
}

/// Why a location record was written.
public enum RecordReason: String, Hashable, Sendable, CaseIterable {
  /// Farther from the last record than the configured distance.
  case moved
  /// The last record grew too old.
  case aged
  /// Tracking was switched on.
  case trackingStarted = "tracking-started"
  /// Somebody asked for a refresh.
  case refresh
  /// Outside all zones and moving.
  case outsideMoving = "outside-moving"
}

/// One row of the location history (SB-8) or of the five-minute series (SD-1).
public struct LocationRecord: Hashable, Sendable {
  /// Whose location it is.
  public var resident: ResidentID
  /// When the position was measured.
  public var time: Timestamp
  /// What vouches for ``time``.
  public var timeQuality: TimeQuality
  /// Where.
  public var coordinate: Coordinate
  /// Estimated horizontal error in metres; nil when unknown.
  public var accuracyMeters: Double?
  /// Whole minutes at this location so far.
  public var minutesAtLocation: Int
  /// Why it was written.
  public var reason: RecordReason

  /// A record from its parts.
  public init(
    resident: ResidentID, time: Timestamp, timeQuality: TimeQuality, coordinate: Coordinate,
    accuracyMeters: Double?, minutesAtLocation: Int, reason: RecordReason
  ) {
    self.resident = resident
    self.time = time
    self.timeQuality = timeQuality
    self.coordinate = coordinate
    self.accuracyMeters = accuracyMeters
    self.minutesAtLocation = minutesAtLocation
    self.reason = reason
  }
}
