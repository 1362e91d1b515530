public import CareModel

/// Takes out of events what would reveal where somebody lives.
///
/// For plugins without the grant `position.precise`: a position inside a disc becomes the disc's centre, and whatever
/// could be measured back to the home (distances, zone geometry, the fixes used, courses, addresses, the sentence that
/// explains) is left out everywhere, because distances from known positions find a home as surely as a position does.
/// What is not known to be harmless goes: see ``EventScrubber``.
public struct PrivacyFilter: Sendable {
  /// The discs, none of which shares its home with another.
  public let discs: [PrivacyDisc]

  /// Residents with an open alarm, whose alarm-lane events pass unchanged: whoever comes must know where.
  public let residentsInDanger: Set<ResidentID>

  /// A filter with discs made before.
  public init(discs: [PrivacyDisc], residentsInDanger: Set<ResidentID> = []) {
    self.discs = discs
    self.residentsInDanger = residentsInDanger
  }

  /// A filter with the discs of all home zones; see ``PrivacyDisc/discs(of:gatewaySeed:)``.
  public init(zones: [SafeZone], gatewaySeed: UInt64, residentsInDanger: Set<ResidentID> = []) {
    self.init(
      discs: PrivacyDisc.discs(of: zones, gatewaySeed: gatewaySeed),
      residentsInDanger: residentsInDanger)
  }

  /// The stored bytes of an event as one plugin may see them; nil when they cannot be read, and then nothing may leave.
  ///
  /// With `hasPrecise` (the plugin's grant) the bytes pass unread and unchanged.
  public func filtered(_ body: [UInt8], hasPrecise: Bool) -> [UInt8]? {
    if hasPrecise { return body }
    let limits = JSONValue.Limits(maximumBytes: 4 << 20)
    guard let event = try? JSONValue(parsing: body, limits: limits), case .object = event,
      let facts = event["data"]
    else { return nil }
    if isOfDanger(event) { return body }
    var scrubber = EventScrubber(discs: discs, type: event["type"]?.stringContent ?? "")
    let scrubbed = scrubber.scrubbed(facts, key: "data")
    return scrubber.hasChanged
      ? event.setting("data", to: scrubbed ?? .object([])).serializedBytes : body
  }

  private func isOfDanger(_ event: JSONValue) -> Bool {
    guard event["lane"]?.stringContent == Lane.alarm.rawValue,
      let subject = event["subject"]?.stringContent, subject.hasPrefix("resident/")
    else { return false }
    return residentsInDanger.contains(ResidentID(String(subject.dropFirst("resident/".count))))
  }
}
