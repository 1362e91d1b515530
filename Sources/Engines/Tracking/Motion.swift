import Bytes
import Care
import JSON
import Moments

/// Whether the resident moves, and since when they are where they are.
struct Motion: Hashable, Sendable {
  /// The fix from which displacement is measured.
  private(set) var anchor: AcceptedFix?
  /// Whether the resident was moving when last judged.
  private(set) var isMoving = false
  /// The fix with which the stay at the present place began.
  private(set) var place: AcceptedFix?
  /// A first fix away from that place, which the next one confirms.
  private(set) var departure: AcceptedFix?

  mutating func mapStamps(_ change: (inout Stamp) -> Void) {
    anchor?.stamp.map(change)
    place?.stamp.map(change)
    departure?.stamp.map(change)
  }

  /// Judges movement by the receiver's speed, and by displacement beyond what errors could feign.
  mutating func move(to fix: AcceptedFix, by settings: TrackingSettings) {
    moveAnchor(to: fix, by: settings)
    if let speed = fix.speedMetersPerSecond, speed >= settings.movingSpeedMetersPerSecond {
      isMoving = true
    }
    movePlace(to: fix, by: settings)
  }

  private mutating func moveAnchor(to fix: AcceptedFix, by settings: TrackingSettings) {
    guard let anchor else {
      self.anchor = fix
      return
    }
    let passed = fix.stamp.tick.milliseconds(since: anchor.stamp.tick)
    guard passed >= 10_000 || anchor.stamp.isEstimated else { return }
    let needed = max(8, fix.driftMeters(from: anchor, cap: settings.exitAccuracyCapMeters))
    isMoving = fix.coordinate.distanceMeters(to: anchor.coordinate) > needed
    self.anchor = fix
  }

  /// A stay ends when two fixes in a row are away from its place.
  private mutating func movePlace(to fix: AcceptedFix, by settings: TrackingSettings) {
    guard let place else {
      self.place = fix
      return
    }
    guard Self.isAway(fix, from: place, by: settings) else {
      departure = nil
      return
    }
    guard let departure else {
      self.departure = fix
      return
    }
    self.place = Self.isAway(fix, from: departure, by: settings) ? fix : departure
    self.departure = nil
  }

  /// Whether a fix is farther from another than a record's distance and both errors allow.
  private static func isAway(
    _ fix: AcceptedFix, from place: AcceptedFix, by settings: TrackingSettings
  ) -> Bool {
    fix.coordinate.distanceMeters(to: place.coordinate)
      > max(
        settings.recordDistanceMeters,
        fix.driftMeters(from: place, cap: settings.exitAccuracyCapMeters))
  }

  /// Whole minutes at the place of a fix so far.
  func minutesAtLocation(
    _ fix: AcceptedFix, at now: Moment, by settings: TrackingSettings
  ) -> Int {
    guard let place, !Self.isAway(fix, from: place, by: settings) else { return 0 }
    return Int(clamping: place.stamp.age(at: now) / 60_000)
  }
}

extension Motion {
  init(json: JSONValue) throws(DecodeError) {
    let reader = try JSONReader(json)
    if let found = reader.optional("anchor") { anchor = try AcceptedFix(json: found) }
    isMoving = try reader.bool("isMoving")
    if let found = reader.optional("place") { place = try AcceptedFix(json: found) }
    if let found = reader.optional("departure") { departure = try AcceptedFix(json: found) }
  }

  var json: JSONValue? {
    guard anchor != nil || place != nil else { return nil }
    return .object([
      "anchor": anchor?.json, "isMoving": .bool(isMoving), "place": place?.json,
      "departure": departure?.json,
    ])
  }
}

extension AcceptedFix {
  func driftMeters(from other: AcceptedFix, cap: Double) -> Double {
    driftMeters(from: other.coordinate, accuracyMeters: other.accuracyMeters, cap: cap)
  }
}
