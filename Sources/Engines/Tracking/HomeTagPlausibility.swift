import Care
import Moments

/// Whether a resident may be in the zone of a tag that is heard, as far as the last position says.
enum HomeTagPlausibility {
  case plausible
  /// A fresh position says otherwise; the next verdict is judged anew.
  case waits
  case contradicted

  /// Nobody comes home faster than this, in metres per second.
  private static let fastestMetersPerSecond = 20.0

  init(
    of zone: SafeZone, after last: AcceptedFix?, at now: Moment, by settings: TrackingSettings
  ) {
    guard let last, !last.stamp.isEstimated else {
      self = .plausible
      return
    }
    let distance = zone.center.distanceMeters(to: last.coordinate)
    let doubt = min(last.doubtMeters(settings), settings.exitAccuracyCapMeters)
    let seconds = Double(last.stamp.age(at: now)) / 1000
    let reach = max(settings.homeTagVetoMeters, zone.radiusMeters + zone.exitMarginMeters) + doubt
    if distance - reach > seconds * Self.fastestMetersPerSecond {
      self = .contradicted
      return
    }
    let isFresh = last.stamp.age(at: now) <= settings.freshFixSeconds * 1000
    let isOutside = zone.edgeMeters(from: last.coordinate) > zone.exitMarginMeters + doubt
    self = isFresh && isOutside ? .waits : .plausible
  }
}
