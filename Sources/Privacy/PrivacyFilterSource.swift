public import CareModel

/// Keeps the filter until zones or residents in danger change: making one reads every zone of the gateway.
public struct PrivacyFilterSource: Sendable {
  private let gatewaySeed: UInt64
  private var made: (version: UInt64, discs: [PrivacyDisc])?

  /// A source without a filter. `gatewaySeed` is secret and stays the same.
  public init(gatewaySeed: UInt64) { self.gatewaySeed = gatewaySeed }

  /// The filter for what holds now. `version` differs whenever `zones` answers something else; only then it is asked.
  public mutating func filter(
    version: UInt64, zones: () -> [SafeZone], residentsInDanger: Set<ResidentID>
  ) -> PrivacyFilter {
    if let made, made.version == version {
      return PrivacyFilter(discs: made.discs, residentsInDanger: residentsInDanger)
    }
    let discs = PrivacyDisc.discs(of: zones(), gatewaySeed: gatewaySeed)
    made = (version, discs)
    return PrivacyFilter(discs: discs, residentsInDanger: residentsInDanger)
  }
}
