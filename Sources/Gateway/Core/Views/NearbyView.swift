public import Care
public import CivilTime
import Glucose
public import JSON
import Proximity

/// What people and the radio may know of the meters and tags of the residents.
public struct NearbyView: Sendable {
  private let engines: EngineSnapshot

  init(_ engines: EngineSnapshot) { self.engines = engines }

  /// Every meter, how far it has been fetched, and the zone that its resident lives by.
  public var knownMeters: [(meter: GlucoseMeter, bookmark: JSONValue?, zone: CivilTimeZone?)] {
    engines[GlucoseEngine.self].knownMeters
  }

  /// What is known of the tags of a resident, or of all when nil.
  public func tagSummaries(of resident: ResidentID?) -> [JSONValue] {
    engines[ProximityEngine.self].summaries(of: resident)
  }

  /// Each tag as it was put; nil when there is none of that id.
  public func tag(_ id: TagID) -> Tag? { engines[ProximityEngine.self].tag(id) }

  /// Every tag with all that it is known by, keys included, and the seconds of silence after which it is away: for whoever
  /// listens.
  public var knownTags: [(id: TagID, identities: [TagIdentity], awaySeconds: Int64)] {
    engines[ProximityEngine.self].knownTags
  }
}
