public import Care

/// Keeps the filter until zones change: making one reads every zone of the gateway.
public struct PrivacyFilterSource: Sendable {
  private let gatewaySeed: UInt64
  private var made: (version: UInt64, discs: [PrivacyDisc])?

  private let events: @Sendable () -> [EventDeclaration]
  private var disclosures: EventDisclosures?

  /// A source without a filter, and the types of events that are declared, which are asked for with the first filter:
  /// nobody has to wait for them before a plugin does. `gatewaySeed` is secret and stays the same.
  public init(
    gatewaySeed: UInt64, events: @escaping @autoclosure @Sendable () -> [EventDeclaration]
  ) {
    self.gatewaySeed = gatewaySeed
    self.events = events
  }

  /// The filter for what holds now. `version` differs whenever `zones` or `past` answer something else; only then they are
  /// asked.
  public mutating func filter(
    version: UInt64, zones: () -> [SafeZone], past: () -> [PastHome]
  ) -> PrivacyFilter {
    let disclosures = disclosures ?? EventDisclosures(events())
    self.disclosures = disclosures
    if let made, made.version == version {
      return PrivacyFilter(discs: made.discs, events: disclosures)
    }
    let discs = PrivacyDisc.discs(of: zones(), past: past(), gatewaySeed: gatewaySeed)
    made = (version, discs)
    return PrivacyFilter(discs: discs, events: disclosures)
  }
}
