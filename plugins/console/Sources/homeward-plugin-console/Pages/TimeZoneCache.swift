import CivilTime
import Moments
import Synchronization

/// Time zones that were read of late: a page has dozens of times, and two hundred pages are written at once.
enum TimeZoneCache {
  /// The database may be renewed while pages are open.
  private static let goodForMilliseconds: Int64 = 600_000

  private struct Kept {
    var zone: CivilTimeZone?
    var read: Timestamp
  }

  private static let kept = Mutex<[String: Kept]>([:])

  /// The zone of a name; nil where there is none.
  static func zone(_ name: String, at now: Timestamp) -> CivilTimeZone? {
    kept.withLock { kept in
      if let known = kept[name],
        (0..<goodForMilliseconds).contains(now.milliseconds(since: known.read))
      {
        return known.zone
      }
      let zone = try? TimeZoneFile.load(name: name)
      kept[name] = Kept(zone: zone, read: now)
      return zone
    }
  }
}
